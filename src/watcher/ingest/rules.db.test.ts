import { expect, test } from "vitest";
import type { Rule } from "#core/rules/rule-kinds.ts";
import { readFigures } from "#server/monitoring/rows/figures.ts";
import { readSearchRules } from "#store/rules/search-rules.ts";
import { storyForTests } from "#test/watching/story.ts";
import { addPeople, alertsOf } from "#test/watching/world.ts";
import type { FoundEvent } from "../rows/found-events.ts";
import { offerSummaries } from "../rows/summary-offers.ts";
import { writeEvents } from "../rows/write-events.ts";
import { applyRules } from "./apply-rules.ts";

const RETIRO = "https://www.idealista.com/venta-viviendas/madrid/retiro/con-precio-hasta_900000/";
const WIDER = "https://www.idealista.com/venta-viviendas/madrid/retiro/con-precio-hasta_950000/";
const HOUR_MS = 3_600_000;
const story = storyForTests(300);

const setRules = (searchId: string, rules: readonly Rule[]) => story.sql`
  update public.searches set rules = ${story.sql.json(rules as never)} where id = ${searchId}`;
const leftOuts = async () =>
  (
    await story.sql`
      select listing_id as code, search_id as "searchId", returned_at is not null as "isReturned"
      from public.left_outs order by listing_id, search_id`
  ).map((row) => ({ ...row }));

test("RULE-02 ONE-04 a stored rule that cannot be read is counted and does not end the other rules of its search", async () => {
  const [person] = await addPeople(story.sql, [{ url: RETIRO }]);
  const blank = { on: "words", are: "present", words: [" "], act: "silent" };
  const agency = { on: "advertiser", is: "agency", act: "leave-out" };
  const [search] = await story.sql<{ id: string }[]>`
    update public.searches set rules = ${story.sql.json([blank, agency])} where user_id = ${person?.userId ?? ""} returning id`;
  const read = await readSearchRules(story.sql, [search?.id ?? ""]);
  expect([...read.values()].map(({ rules }) => rules.map(({ rule }) => rule))).toEqual([[agency]]);
  const figures = await readFigures(story.sql, new Date(story.clock.now()));
  expect(figures.unreadableRules).toBe(1);
});

test("FIND-04 RULE-02 a listing with a warning that rules leave out is recorded but not announced, unless it is kept", async () => {
  const [wary, calm] = await addPeople(story.sql, [{ url: RETIRO }, { url: RETIRO }]);
  await story.round();
  const rules = ["auction", "no-photo"].map((kind) => ({ on: "warning", kind, act: "leave-out" }));
  await story.sql`
    update public.searches set rules = ${story.sql.json(rules)} where user_id = ${wary?.userId ?? ""}`;
  const [feed] = await story.sql<{ key: string }[]>`select key from watch.feeds`;
  const filters = await story.sql<{ id: string }[]>`select id from public.filter_settings`;
  const event = (kind: "new" | "price-drop", listingId: string, warning: string, eventKey = "1") => ({
    kind,
    listingId,
    eventKey: kind === "new" ? "" : eventKey,
    payload: { listing: { propertyCode: listingId, warnings: [{ kind: warning }] } },
    details: {},
    filterIds: filters.map(({ id }) => id),
  });
  const by = { key: feed?.key ?? "", source: "official" as const };
  const now = new Date(story.clock.now());
  const write = async (...events: readonly FoundEvent[]) => {
    const { found, changed } = await applyRules(
      story.sql,
      {
        found: events.filter(({ kind }) => kind === "new"),
        changed: events.filter(({ kind }) => kind !== "new"),
      },
      new Map(),
    );
    await writeEvents(story.sql, by, { found, changed: [] }, now);
    await writeEvents(story.sql, by, { found: [], changed }, now);
  };
  await write(
    event("new", "1", "auction"),
    event("new", "2", "seasonal"),
    event("price-drop", "1", "auction"),
  );
  const told = async (person = wary) =>
    (await alertsOf(story.sql, ["new", "price-drop"]))
      .filter(({ userId }) => userId === person?.userId)
      .map(({ kind, listingId }) => `${kind} ${listingId}`);
  expect(await told()).toEqual(["new 2"]);
  expect((await told(calm)).toSorted()).toEqual(["new 1", "new 2", "price-drop 1"]);
  expect(
    await story.sql`select from public.listings where user_id = ${wary?.userId ?? ""} and listing_id in ('1', '2')`,
  ).toHaveLength(2);
  await story.sql`insert into public.marks (user_id, listing_id, mark) values (${wary?.userId ?? ""}, '1', 'kept')`;
  await write(event("price-drop", "1", "auction", "2"));
  expect(await told()).toEqual(["new 2", "price-drop 1"]);
});

test("RULE-02 MANY-02 rules belong to a search: another search of the same person still alerts", async () => {
  const byUrl = story.rounds({ only: "by-url" });
  const [person] = await addPeople(story.sql, [{ url: RETIRO, otherUrls: [WIDER] }]);
  const [other] = await story.sql`
    select id from public.searches where user_id = ${person?.userId ?? ""} and not is_first`;
  const first = person?.filterId ?? "";
  await setRules(first, [{ on: "advertiser", is: "agency", act: "leave-out" }]);
  await story.round(byUrl);
  const code = story.publish(RETIRO, { privateAdvertiser: false, photoCount: 5, priceEur: 600_000 });
  await story.round(byUrl);
  const [row] =
    await story.sql`select to_jsonb(search_ids) as search_ids from public.listings where listing_id = ${code}`;
  expect(row?.search_ids).toEqual([other?.id]);
  expect(await story.kindsOf(code)).toEqual(["new"]);
  expect(await leftOuts()).toEqual([{ code, searchId: first, isReturned: false }]);
});

test("RULE-02 RULE-03 a price cut runs the rules again: a home that passes only now is new, and one that does not stays left out", async () => {
  const byUrl = story.rounds({ only: "by-url" });
  const [person] = await addPeople(story.sql, [{ url: RETIRO }]);
  const searchId = person?.filterId ?? "";
  await story.round(byUrl);
  await setRules(searchId, [{ on: "words", are: "present", words: ["reforma"], act: "leave-out" }]);
  const home = { photoCount: 5, priceEur: 600_000, description: "Para entrar. Necesita REFORMA." };
  const [cut, kept] = [story.publish(RETIRO, home), story.publish(RETIRO, home)];
  await story.round(byUrl);
  expect(await alertsOf(story.sql, ["new"])).toEqual([]);
  // The text of the first advert has changed with the price.
  story.advert(cut).description = "Reformado.";
  await story.sql`update watch.portal_listings set words = null where listing_id = ${cut}`;
  for (const code of [cut, kept]) story.portal.market.changePrice(story.advert(code), 500_000);
  await story.round(byUrl);
  expect((await alertsOf(story.sql)).filter(({ listingId }) => listingId !== null)).toMatchObject([
    { kind: "new", listingId: cut, payload: { listing: { priceEur: 500_000 } } },
  ]);
  expect(await leftOuts()).toEqual(
    [
      { code: cut, searchId, isReturned: true },
      { code: kept, searchId, isReturned: false },
    ].toSorted((one, two) => one.code.localeCompare(two.code)),
  );
});

test("RULE-04 alerts of a folded search wait for a summary; cuts of kept homes, and other searches, do not", async () => {
  const byUrl = story.rounds({ only: "by-url" });
  const [person] = await addPeople(story.sql, [{ url: RETIRO }]);
  await story.round(byUrl);
  await story.sql`update public.searches set is_folded = true where id = ${person?.filterId ?? ""}`;
  const [code, kept] = [1, 2].map(() => story.publish(RETIRO, { photoCount: 5, priceEur: 600_000 }));
  const before = story.clock.now();
  await story.round(byUrl);
  const waits = await story.sql<{ code: string; kind: string; wait: number; isHeld: boolean }[]>`
    select listing_id as code, kind, extract(epoch from not_before - created_at)::float8 * 1000 as wait,
      held_at is not null as "isHeld"
    from watch.alerts where listing_id is not null order by position`;
  expect(waits.map((alert) => alert.code).toSorted()).toEqual([code, kept].toSorted());
  for (const { wait, isHeld } of waits) {
    expect(isHeld).toBe(true);
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(2 * HOUR_MS);
  }
  expect(new Set(waits.map(({ wait }) => wait)).size).toBe(1);
  expect(story.clock.now()).toBeGreaterThan(before);
  await story.sql`
    insert into public.marks (user_id, listing_id, mark) values (${person?.userId ?? ""}, ${kept ?? ""}, 'kept')`;
  for (const one of [code, kept]) story.portal.market.changePrice(story.advert(one ?? ""), 500_000);
  await story.round(byUrl);
  const cuts = await story.sql`
    select listing_id as code, held_at is not null as "isHeld" from watch.alerts where kind = 'price-drop' order by 2`;
  expect(cuts.map((row) => ({ ...row }))).toEqual([
    { code: kept, isHeld: false },
    { code, isHeld: true },
  ]);
  // A search that is not folded finds a waiting home: its alert is sent at once.
  const [other] = await story.sql`
    insert into public.searches (user_id, filter_url, receiver_ids)
    select user_id, ${WIDER}, receiver_ids from public.searches where id = ${person?.filterId ?? ""} returning id`;
  const [feed] = await story.sql<{ key: string }[]>`select key from watch.feeds order by key limit 1`;
  await story.round(byUrl);
  const late = story.publish(RETIRO, { photoCount: 5, priceEur: 600_000 });
  await story.round(byUrl);
  expect([other?.id, feed?.key]).not.toContain(undefined);
  const [found] = await story.sql`
    select held_at is not null as "isHeld", cardinality(search_ids) as searches from watch.alerts where listing_id = ${late}`;
  expect(found).toEqual({ isHeld: false, searches: 2 });
});

test("RULE-04 CALM-02 a search that found more than forty homes in a day is offered a summary once, and is not switched", async () => {
  const [broad, calm] = await addPeople(story.sql, [{ url: RETIRO }, { url: RETIRO }]);
  const now = new Date(story.clock.now());
  const find = (person: typeof broad, count: number) => story.sql`
    insert into public.listings (user_id, listing_id, details, search_ids, created_at)
    select ${person?.userId ?? ""}, 'x' || n, '{}', array[${person?.filterId ?? ""}]::uuid[], ${now}
    from generate_series(1, ${count}::int) as n`;
  // Listings x1 and x2 are the same home.
  await story.sql`
    insert into watch.portal_listings (listing_id, listing, card, price_eur, home_id, first_seen_at, last_seen_at)
    select id, '{}', '{}', 1, 'x1', ${now}, ${now} from unnest(array['x1', 'x2']) as id`;
  await find(broad, 42);
  await find(calm, 41);
  expect([await offerSummaries(story.sql, now), await offerSummaries(story.sql, now)]).toEqual([1, 0]);
  expect(await alertsOf(story.sql, ["summary-offer"])).toMatchObject([
    { userId: broad?.userId, payload: { searchId: broad?.filterId, found: 41 } },
  ]);
  expect(await story.sql`select from public.searches where is_folded`).toHaveLength(0);
});
