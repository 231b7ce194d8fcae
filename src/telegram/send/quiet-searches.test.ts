import { expect, test } from "vitest";
import { activeSearchesOf, quietSearchesOf, topicOfAlert } from "./quiet-searches.ts";
import type { Audience, AudienceSearch } from "./rows/audiences.ts";
import type { OpenAlert } from "./rows/outbox.ts";

const NOW = Date.parse("2026-01-10T22:30:00Z");
const HOUR = 3_600_000;
const MORNING = Date.parse("2026-01-11T06:00:00Z");
const FOREVER = Number.POSITIVE_INFINITY;
const NIGHT = { quietFrom: "23:00:00", quietUntil: "07:00:00" };

const searchOf = (id: string, changes: Partial<AudienceSearch> = {}): AudienceSearch => ({
  ...{ id, name: null, filterUrl: "", isPaused: false, namesChat: true, quietFrom: null, quietUntil: null },
  ...{ isFolded: false, mutedUntilMs: null, topicId: null, rules: [] },
  ...changes,
});
const audienceOf = (searches: readonly AudienceSearch[], mutedUntilMs: number | null = null): Audience => ({
  ...{
    chatId: "7",
    userId: "u",
    searches,
    mutedUntilMs,
    places: [],
    hiddenWarnings: [],
    timeZone: "Europe/Madrid",
  },
});
const silence = (...given: Parameters<typeof audienceOf>) => quietSearchesOf(audienceOf(...given), NOW);

test("a search waits for the later end of its quiet hours and its mute", () => {
  const endOf = (changes: Partial<AudienceSearch>) => {
    const { untilMs, isAllSilent } = silence([searchOf("a", changes)]);
    return isAllSilent ? untilMs : "speaks";
  };
  expect(endOf(NIGHT)).toBe(MORNING);
  expect(endOf({ ...NIGHT, mutedUntilMs: MORNING + HOUR })).toBe(MORNING + HOUR);
  expect(endOf({ ...NIGHT, mutedUntilMs: NOW + HOUR })).toBe(MORNING);
  expect(endOf({ mutedUntilMs: FOREVER })).toBe(FOREVER);
  expect(endOf({ mutedUntilMs: NOW })).toBe("speaks");
  expect(endOf({ quietFrom: "07:00:00", quietUntil: "23:00:00" })).toBe("speaks");
});

test("MANY-01 each search is quiet on its own; paused searches and those of other chats are in neither list", () => {
  const quiet = searchOf("quiet", NIGHT);
  const rest = [
    searchOf("paused", { ...NIGHT, isPaused: true }),
    searchOf("elsewhere", { namesChat: false }),
  ];
  const loud = silence([quiet, searchOf("loud"), ...rest]);
  expect(loud).toEqual({
    silentIds: ["quiet"],
    speakingIds: ["loud"],
    isAllSilent: false,
    untilMs: MORNING,
  });
  const muted = searchOf("muted", { mutedUntilMs: NOW + HOUR });
  expect(silence([quiet, muted, ...rest])).toEqual({
    silentIds: ["quiet", "muted"],
    speakingIds: [],
    isAllSilent: true,
    // When the first quiet search may send again.
    untilMs: NOW + HOUR,
  });
  expect(silence(rest)).toMatchObject({ silentIds: [], speakingIds: [], isAllSilent: false });
});

test("in a muted chat all searches are quiet, until the first that may send after the mute", () => {
  const [quiet, loud] = [searchOf("quiet", NIGHT), searchOf("loud")];
  const all = { silentIds: ["quiet", "loud"], speakingIds: [], isAllSilent: true };
  expect(silence([quiet, loud], NOW + HOUR)).toEqual({ ...all, untilMs: NOW + HOUR });
  expect(silence([quiet], NOW + HOUR)).toMatchObject({ isAllSilent: true, untilMs: MORNING });
  expect(silence([quiet], FOREVER)).toMatchObject({ isAllSilent: true, untilMs: FOREVER });
  expect(silence([], NOW + HOUR)).toMatchObject({ isAllSilent: true, untilMs: NOW + HOUR });
  expect(silence([loud], NOW)).toMatchObject({ speakingIds: ["loud"], isAllSilent: false });
});

test("MANY-02 the active searches of an alert are those in the chat; an alert that names none has all of them", () => {
  const audience = audienceOf([searchOf("a"), searchOf("b", { isPaused: true }), searchOf("c")]);
  const active = (searchIds: readonly string[] | null) =>
    activeSearchesOf({ searchIds }, audience).map(({ id }) => id);
  expect([active(["b", "c"]), active(["b"]), active([]), active(null)]).toEqual([["c"], [], [], ["a", "c"]]);
});

test("MANY-02 the topic is that of the alert's first search that is not quiet; an alert that names none has no topic", () => {
  const audience = audienceOf([
    searchOf("quiet", { ...NIGHT, topicId: "77" }),
    searchOf("loud", { topicId: "78" }),
  ]);
  const topic = (searchIds: readonly string[] | null) =>
    topicOfAlert({ searchIds } as OpenAlert, audience, NOW);
  expect([topic(["quiet", "loud"]), topic(["quiet"]), topic([]), topic(null)]).toEqual([
    "78",
    "77",
    null,
    null,
  ]);
});

test("LAST-06 the quiet hours of a search are by the clock of its place, until the person chooses one for all", () => {
  const there = searchOf("a", {
    ...NIGHT,
    filterUrl: "https://www.idealista.com/alquiler-viviendas/las-palmas/",
  });
  const audience = audienceOf([there]);
  // 22:30 UTC is 23:30 on the mainland and 22:30 on the islands.
  expect(quietSearchesOf({ ...audience, timeZone: null }, NOW).silentIds).toEqual([]);
  expect(quietSearchesOf({ ...audience, timeZone: "Europe/Madrid" }, NOW).silentIds).toEqual(["a"]);
});
