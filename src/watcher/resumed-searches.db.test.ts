// Searches that were stopped while their feeds were read for others.
import { expect, test } from "vitest";
import { runDue, storyForTests } from "#test/watching/story.ts";
import { addPeople, alertsOf, silentLogger, sourcesOf } from "#test/watching/world.ts";
import { createWatchTasks } from "./watch-tasks.ts";

const SITE = "https://www.idealista.com/venta-viviendas";
const RETIRO = `${SITE}/madrid/retiro/con-precio-hasta_900000/`;
const EIXAMPLE = `${SITE}/barcelona/eixample/con-precio-hasta_900000/`;
const MINUTES = 60_000;
const DAY = 86_400_000;
const story = storyForTests(3_000);

const toldTo = async (userId: string, kind = "new") =>
  (await alertsOf(story.sql, [kind]))
    .filter((alert) => alert.userId === userId)
    .map(({ listingId }) => listingId);
const setLink = (userId: string, url: string) =>
  story.sql`update public.searches set filter_url = ${url} where user_id = ${userId}`;
const setPaused = (userId: string, isPaused: boolean) =>
  story.sql`update public.searches set is_paused = ${isPaused} where user_id = ${userId}`;
const setChat = (userId: string, state: string, reason: string | null) =>
  story.sql`update public.chats set state = ${state}, reason = ${reason} where user_id = ${userId}`;
const publish = (url: string) => story.publish(url, { priceEur: 500_000 });

const STOPS = {
  "is paused": {
    url: RETIRO,
    stop: (id: string) => setPaused(id, true),
    goOn: (id: string) => setPaused(id, false),
  },
  "has no chat": {
    url: RETIRO,
    stop: (id: string) => setChat(id, "blocked", "blocked"),
    goOn: (id: string) => setChat(id, "connected", null),
  },
  "is paused, just edited to another place": {
    url: EIXAMPLE,
    stop: async (id: string) => {
      await setLink(id, EIXAMPLE);
      await setPaused(id, true);
    },
    goOn: (id: string) => setPaused(id, false),
  },
};

test.each(Object.entries(STOPS))(
  "COVER-01 what checks find for others while a search %s is alerted as soon as it goes on, once",
  async (_, { url, stop, goOn }) => {
    const people = await addPeople(story.sql, [{ url: RETIRO }, { url: RETIRO }, { url: EIXAMPLE }]);
    const { userId = "" } = people[0] ?? {};
    await story.round();
    await stop(userId);
    const codes = [publish(url)];
    await story.round();
    // For hours no check finds anything.
    story.portal.faults.set({ fault: "down" });
    for (let n = 0; n < 6; n++) {
      story.clock.advance(50 * MINUTES);
      await story.round();
    }
    expect(await toldTo(userId)).toEqual([]);
    // The last reading is too old for a new search.
    const [newcomer] = await addPeople(story.sql, [{ url }]);
    await goOn(userId);
    await runDue(story.rounds());
    expect(await toldTo(userId)).toEqual(codes);
    expect(await toldTo(newcomer?.userId ?? "", "watch-started")).toEqual([]);
    story.portal.faults.clear();
    story.clock.advance(DAY);
    codes.push(publish(url));
    for (let n = 0; n < 2; n++) await story.round();
    expect(await toldTo(userId)).toEqual(codes);
    expect(await toldTo(newcomer?.userId ?? "", "watch-started")).toHaveLength(1);
  },
);

/** Its checks take a second. */
function slowWatcher() {
  const { sql, portal, clock } = story;
  const { official } = sourcesOf({ portal, now: clock.now, only: "official" });
  if (!official) throw new Error("The official source is missing");
  const { source } = official;
  const readPage: typeof source.readPage = async (...asked) => {
    const page = await source.readPage(...asked);
    clock.advance(1_000);
    return page;
  };
  return createWatchTasks({
    ...{ sql, now: clock.now, checkIntervalSeconds: 600, logger: silentLogger },
    sources: { official: { ...official, source: { ...source, readPage } } },
  });
}

test("COVER-07 COVER-01 what the last check before a pause has alerted is not alerted again after it, returned homes and cuts included", async () => {
  const watch = slowWatcher();
  const { market } = story.portal;
  const people = await addPeople(story.sql, [{ url: RETIRO }]);
  await story.round(watch);
  const [returned, cut] = [publish(RETIRO), publish(RETIRO)];
  for (let n = 0; n < 12; n++) publish(RETIRO);
  await story.round(watch);
  market.withdraw(story.advert(returned));
  for (let n = 0; n < 3; n++) await story.round(watch);
  people.push(...(await addPeople(story.sql, [{ url: RETIRO }])));
  await story.round(watch);
  market.restore(returned);
  market.changePrice(story.advert(cut), 450_000);
  publish(RETIRO);
  await story.round(watch);
  const alerts = async () =>
    (await alertsOf(story.sql)).map(({ userId, kind, listingId }) => `${userId} ${kind} ${listingId}`);
  const before = await alerts();
  const [first = "", second = ""] = people.map(({ userId }) => userId);
  expect(before).toContain(`${first} back ${returned}`);
  expect(before).toContain(`${first} price-drop ${cut}`);
  expect(before).toContain(`${second} new ${returned}`);
  for (const userId of [first, second]) await setPaused(userId, true);
  await story.round(watch);
  for (const userId of [first, second]) await setPaused(userId, false);
  for (let n = 0; n < 2; n++) await story.round(watch);
  expect(await alerts()).toEqual(before);
});
