import fc from "fast-check";
import { expect, test } from "vitest";
import { encodePolyline } from "#core/geo/polyline.ts";
import { parseSearchUrl } from "#core/search/url/parse-search-url.ts";
import { drawn } from "#test/seeded.ts";
import type { CostFacts, PlannedFeed } from "./feed-cost.ts";
import { circleHolds } from "./grid-circles.ts";
import { type FeedPlan, type KeyedSearch, planFeeds } from "./plan-feeds.ts";
import { planSplits } from "./split-feeds.ts";

const SALE = "https://www.idealista.com/venta-viviendas";
const CITY = "official sale homes 0-EU-ES-28-07-001-079";

function searchAt(url: string): KeyedSearch {
  const parsed = parseSearchUrl(url);
  if (!parsed.ok) throw new Error(`${url}: ${parsed.reason}`);
  return { search: parsed.search, searchKey: parsed.searchKey };
}

function plan(urls: readonly string[], feeds: readonly PlannedFeed[] = []): FeedPlan {
  return planFeeds({ feeds, searches: urls.map(searchAt), hasOfficial: true, hasByUrl: true });
}

const keysOf = ({ added }: FeedPlan) => added.map(({ key }) => key).toSorted();

function drawingAt(latitude: number, longitude: number, size: number): string {
  const corners = [
    { latitude, longitude },
    { latitude: latitude + size, longitude },
    { latitude: latitude + size, longitude: longitude + size },
    { latitude, longitude },
  ];
  return `https://www.idealista.com/areas/venta-viviendas/?shape=${encodeURIComponent(`((${encodePolyline(corners)}))`)}`;
}

test("WATCH-06 searches in one place share a feed if answers can decide their other filters", () => {
  const urls = [
    "",
    "con-precio-hasta_300000/",
    "con-ascensor,de-dos-dormitorios/",
    "con-metros-cuadrados-mas-de_80/",
  ];
  expect(keysOf(plan(urls.map((words) => `${SALE}/madrid-madrid/${words}`)))).toEqual([CITY]);
});

test("a place inside another is served by the other's feed, in any order", () => {
  const urls = [`${SALE}/madrid/retiro/`, `${SALE}/madrid-madrid/`, `${SALE}/madrid/retiro/ibiza/`];
  expect(keysOf(plan(urls))).toEqual([CITY]);
  expect(keysOf(plan(urls.toReversed()))).toEqual([CITY]);
});

test("filters that only the API can apply need a feed of their own", () => {
  const urls = [
    `${SALE}/madrid-madrid/`,
    `${SALE}/madrid-madrid/con-terraza/`,
    `${SALE}/madrid/centro/con-terraza/`,
  ];
  expect(keysOf(plan(urls))).toEqual([CITY, CITY.replace("homes", "homes terrance=true")]);
});

const facts = (intervalSeconds: number, rates: Record<string, number> = {}): CostFacts => ({
  intervalOf: () => intervalSeconds,
  intervalForNew: () => intervalSeconds,
  advertsPerHourOf: (key) => rates[key],
});
const districts = [`${SALE}/madrid/retiro/`, `${SALE}/madrid/centro/`, `${SALE}/madrid/chamberi/`].map(
  searchAt,
);
const SOURCES = { hasOfficial: true, hasByUrl: true };
const DAYS = 86_400;

test("COVER-04 two districts share the city's feed if that is cheaper at their interval by a fifth", () => {
  const two = districts.slice(0, 2);
  const quick = planFeeds({ feeds: [], searches: two, ...SOURCES, costs: facts(600) });
  expect(keysOf(quick)).toEqual([CITY]);
  const slow = planFeeds({ feeds: [], searches: two, ...SOURCES, costs: facts(2 * DAYS) });
  expect(slow.added).toHaveLength(2);
  const third = planFeeds({
    feeds: slow.added,
    searches: districts.slice(2),
    ...SOURCES,
    costs: facts(2 * DAYS),
  });
  expect([third.added.length, third.replaced.size]).toEqual([1, 0]);
  const later = planFeeds({ feeds: slow.added, searches: [], ...SOURCES, costs: facts(600), isDaily: true });
  expect([...later.replaced]).toEqual(slow.added.map(({ key }) => [key, CITY]));
});

test("COVER-04 a wide search takes over narrow feeds only if one feed is then cheaper than both", () => {
  const province = searchAt(`${SALE}/madrid-provincia/`);
  const towns = planFeeds({ feeds: [], searches: districts.slice(0, 1), ...SOURCES, costs: facts(DAYS) });
  const [retiro] = towns.added;
  const costs: CostFacts = {
    intervalOf: (key) => (key === retiro?.key ? DAYS / 4 : undefined),
    intervalForNew: () => 200 * DAYS,
    advertsPerHourOf: () => undefined,
  };
  const apart = planFeeds({ feeds: towns.added, searches: [province], ...SOURCES, costs });
  expect([apart.added.length, apart.replaced.size]).toEqual([1, 0]);
  const together = planFeeds({ feeds: towns.added, searches: [province], ...SOURCES, costs: facts(600) });
  expect([...together.replaced.keys()]).toEqual([retiro?.key]);
});

test("COVER-04 a merged feed is divided again when it is dearer by a fifth, and not while somebody asks for all of it", () => {
  const feed = plan([`${SALE}/madrid-madrid/`]).added[0];
  if (!feed) throw new Error("no feed");
  const splitAt = (seconds: number, searches = districts) => planSplits([{ feed, searches }], facts(seconds));
  expect(splitAt(600)).toEqual([]);
  const [split] = splitAt(2 * DAYS);
  expect(split?.parts).toHaveLength(3);
  expect([...(split?.feedKeyOf.keys() ?? [])]).toEqual(districts.map(({ searchKey }) => searchKey));
  expect(splitAt(2 * DAYS, [...districts, searchAt(`${SALE}/madrid-madrid/`)])).toEqual([]);
  // Divided and merged at one interval.
  for (const seconds of [600, 3_600, 6 * 3_600, DAYS, 2 * DAYS, 7 * DAYS]) {
    const parts = splitAt(seconds)[0]?.parts ?? [];
    const again = planFeeds({ feeds: parts, searches: [], ...SOURCES, costs: facts(seconds), isDaily: true });
    expect(again.replaced.size).toBe(0);
  }
});

test("drawn areas around one city share a circle; one in another city has its own", () => {
  const urls = [drawingAt(40.42, -3.7, 0.01), drawingAt(40.45, -3.66, 0.02), drawingAt(40.38, -3.72, 0.01)];
  expect(plan(urls).added).toHaveLength(1);
  expect(plan([...urls, drawingAt(41.39, 2.16, 0.01)]).added).toHaveLength(2);
});

test("without a source there is no feed; with search-by-url each search has its own", () => {
  const metro = searchAt("https://www.idealista.com/geo/venta-viviendas/metro-sol/");
  const madrid = searchAt(`${SALE}/madrid-madrid/`);
  const searches = [metro, madrid];
  const none = planFeeds({ feeds: [], searches, hasOfficial: false, hasByUrl: false });
  expect([...none.feedKeyOf.values()]).toEqual([null, null]);
  const official = planFeeds({ feeds: [], searches, hasOfficial: true, hasByUrl: false });
  expect([...official.feedKeyOf.values()]).toEqual([null, CITY]);
  const byUrl = planFeeds({ feeds: [], searches, hasOfficial: false, hasByUrl: true });
  expect(byUrl.added.map(({ source }) => source)).toEqual(["by-url", "by-url"]);
});

const place = fc.constantFrom(
  ...[
    "madrid-madrid",
    "madrid/retiro",
    "madrid/centro",
    "madrid/chamberi",
    "madrid/retiro/ibiza",
    "madrid/centro/sol",
  ],
  ...["getafe-madrid", "alcorcon-madrid", "mostoles-madrid", "barcelona-barcelona", "barcelona/eixample"],
);
const words = fc.constantFrom("", "con-terraza/", "con-piscina/", "con-precio-hasta_300000/");
const placed = fc.tuple(place, words).map(([where, filters]) => `${SALE}/${where}/${filters}`);
const drawings = fc
  .tuple(fc.double({ min: 40.2, max: 40.6, noNaN: true }), fc.double({ min: -3.9, max: -3.5, noNaN: true }))
  .map(([latitude, longitude]) => drawingAt(latitude, longitude, 0.02));

interface Served {
  key: string;
  readonly search: KeyedSearch;
}

function planInParts(batches: readonly (readonly string[])[]): { feeds: PlannedFeed[]; served: Served[] } {
  let feeds: PlannedFeed[] = [];
  const served: Served[] = [];
  for (const batch of batches) {
    const { added, replaced, feedKeyOf } = plan(batch, feeds);
    feeds = [...feeds.filter(({ key }) => !replaced.has(key)), ...added];
    for (const one of served) one.key = replaced.get(one.key) ?? one.key;
    served.push(
      ...batch.map(searchAt).map((search) => ({ search, key: feedKeyOf.get(search.searchKey) ?? "" })),
    );
  }
  return { feeds, served };
}

function holdsAll(feed: PlannedFeed | undefined, search: KeyedSearch): boolean {
  const [alone] = plan([search.searchKey]).added;
  if (feed?.source !== "official" || alone?.source !== "official") return false;
  const outer = feed.query.where;
  const inner = alone.query.where;
  if ("placeId" in outer) return "placeId" in inner && inner.placeId.startsWith(outer.placeId);
  return !("placeId" in inner) && circleHolds(outer, inner);
}

test("in any order and grouping, each search ends up in a live feed that covers it", () => {
  const batches = fc.array(fc.array(fc.oneof(placed, drawings), { maxLength: 6 }), { maxLength: 6 });
  fc.assert(
    fc.property(batches, (parts) => {
      const { feeds, served } = planInParts(parts);
      const byKey = new Map(feeds.map((feed) => [feed.key, feed]));
      expect(byKey.size).toBe(feeds.length);
      for (const { key, search } of served) {
        expect({ key, search: search.searchKey, isHeld: holdsAll(byKey.get(key), search) }).toMatchObject({
          isHeld: true,
        });
      }
    }),
    drawn(150),
  );
});

test("DOOR-03 a piggyback search neither adds nor widens a feed; it is served only if an existing feed covers it", () => {
  const sources = { hasOfficial: true, hasByUrl: true };
  const districts = ["retiro", "centro", "chamberi"].map((name) => searchAt(`${SALE}/madrid/${name}/`));
  const metro = searchAt("https://www.idealista.com/geo/venta-viviendas/metro-sol/");
  const alone = planFeeds({ feeds: [], searches: [], piggyback: [...districts, metro], ...sources });
  expect(alone).toMatchObject({ added: [], feedKeyOf: new Map(), replaced: new Map() });
  expect(alone.unserved.size).toBe(4);
  const [retiro, centro] = districts;
  const served = planFeeds({
    feeds: [],
    searches: [searchAt(`${SALE}/madrid/retiro/ibiza/`), metro],
    piggyback: [...districts, metro, searchAt(`${SALE}/madrid/retiro/ibiza/con-ascensor/`)],
    ...sources,
  });
  expect(served.added).toHaveLength(2);
  expect([...served.unserved]).toEqual(districts.map(({ searchKey }) => searchKey));
  const city = planFeeds({
    feeds: [],
    searches: [searchAt(`${SALE}/madrid-madrid/`)],
    piggyback: districts,
    ...sources,
  });
  expect([retiro, centro].map((one) => city.feedKeyOf.get(one?.searchKey ?? ""))).toEqual([CITY, CITY]);
  const none = planFeeds({ feeds: [], searches: [], piggyback: [metro], hasOfficial: true, hasByUrl: false });
  expect([...none.feedKeyOf.values(), none.unserved.size]).toEqual([null, 0]);
});
