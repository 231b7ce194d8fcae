/**
 * What every source must do. Always run on the simulator, and on the real APIs by hand:
 *   IDEALISTA_API_KEY=… IDEALISTA_API_SECRET=… (and SEARCH_BY_URL_API_URL=… SEARCH_BY_URL_API_KEY=…)
 * Two requests each. What only a simulator can do is tested in faults.test.ts.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Listing } from "#core/listing/listing.ts";
import type { PageWindow, SourcePage } from "#core/ports/source.ts";
import { searchFor } from "#core/search/search.ts";
import { createHeldClock } from "#simulators/portal/market/clock.ts";
import { publishMatching } from "#simulators/portal/publish-matching.ts";
import {
  DEFAULT_BY_URL_KEY,
  DEFAULT_CREDENTIALS,
  type PortalSimulator,
  startPortalSimulator,
} from "#simulators/portal/start-portal-simulator.ts";
import { sampleListing } from "#test/fixtures/listing.ts";
import { createMemoryRequestBudget } from "#test/memory-request-budget.ts";
import { createIdealistaApi } from "./idealista-api/idealista-api.ts";
import { createSearchByUrl } from "./search-by-url/search-by-url.ts";

const CHAMBERI = "0-EU-ES-28-07-001-079-07";

interface Candidate {
  readonly title: string;
  readonly isReal: boolean;
  /** Homes for sale in Chamberí. */
  readPage(window: PageWindow): Promise<SourcePage>;
}

const clock = createHeldClock(Date.UTC(2026, 2, 3, 9));
let portal: PortalSimulator;
beforeAll(async () => {
  portal = await startPortalSimulator({ clock, size: 8000, newPerDay: 0, monthlyRequests: null });
});
afterAll(() => portal.close());

// biome-ignore lint/style/noProcessEnv: only tests read these keys, for runs by hand
const keys = process.env;

const candidates: Candidate[] = [
  {
    title: "idealista-api on the simulator",
    isReal: false,
    readPage: (window) => officialReader({ baseUrl: portal.url, ...DEFAULT_CREDENTIALS }, true)(window),
  },
  {
    title: "search-by-url on the simulator",
    isReal: false,
    readPage: (window) => byUrlReader({ baseUrl: portal.url, key: DEFAULT_BY_URL_KEY }, true)(window),
  },
  ...realCandidates(),
];

describe.each(candidates)("$title", ({ readPage, isReal }) => {
  let first: SourcePage;
  let second: SourcePage;
  beforeAll(async () => {
    first = await readPage({ number: 1, size: 10 });
    second = await readPage({ number: 2, size: 10 });
  }, 30_000);

  test("a page has the requested size, and the total is larger", () => {
    expect(first.listings.length + first.rejected.length).toBe(10);
    expect(first.total).toBeGreaterThan(20);
  });

  test("every listing of a page is parsed, and no filter is ignored", () => {
    expect(first.rejected).toEqual([]);
    expect(first.hasIgnoredFilters).toBe(false);
  });

  test("every listing matches the query", () => {
    for (const listing of [...first.listings, ...second.listings]) {
      expect(listing).toMatchObject({
        operation: "sale",
        kind: "homes",
        municipality: "Madrid",
        district: "Chamberí",
      });
      expect(listing.propertyCode).toMatch(/^\d+$/);
      expect(listing.priceEur).toBeGreaterThan(10_000);
      expect(listing.url).toBe(`https://www.idealista.com/inmueble/${listing.propertyCode}/`);
    }
  });

  test("the second page follows the first", () => {
    const codes = [...first.listings, ...second.listings].map((listing) => listing.propertyCode);
    // On the real portal a new listing may shift the pages in between.
    expect(new Set(codes).size).toBeGreaterThanOrEqual(isReal ? 18 : 20);
  });

  test.skipIf(isReal)("pages are ordered newest first", () => {
    const dates = [...first.listings, ...second.listings].map(
      ({ propertyCode }) => portal.market.find(propertyCode)?.publishedAt ?? Number.NaN,
    );
    expect(dates).toEqual(dates.toSorted((a, b) => b - a));
    expect(dates).not.toContain(Number.NaN);
  });

  test.skipIf(isReal)("a page past the end is empty, with the same total", async () => {
    const past = await readPage({ number: 1000, size: 10 });
    expect(past).toMatchObject({ listings: [], rejected: [], total: first.total });
  });

  test.skipIf(isReal)("a new listing comes first, and so does its new price", async () => {
    const url = "https://www.idealista.com/venta-viviendas/madrid/chamberi/";
    const outcome = publishMatching(portal.market, { url });
    if (!outcome.isPublished) throw new Error(outcome.reason);
    const { advert } = outcome;
    expect((await readPage({ number: 1, size: 10 })).listings[0]?.propertyCode).toBe(advert.code);
    const formerPriceEur = advert.priceEur;
    portal.market.changePrice(advert, formerPriceEur - 20_000);
    const [cut] = (await readPage({ number: 1, size: 10 })).listings;
    expect(cut).toMatchObject({ propertyCode: advert.code, priceEur: formerPriceEur - 20_000 });
    portal.market.withdraw(advert);
  });
});

/** Homes for sale have no flatmates. */
const NOT_DRAWN = ["sharing"];

test("ONE-04 the simulated portal states every field of a listing in some advert", async () => {
  const listings: Listing[] = [];
  for (const { readPage } of candidates.filter(({ isReal }) => !isReal))
    for (const number of [1, 2, 3, 4]) listings.push(...(await readPage({ number, size: 50 })).listings);
  const isStated = (value: unknown) =>
    typeof value === "object" && value !== null ? Object.keys(value).length > 0 : Boolean(value);
  const fields = Object.keys(sampleListing()) as (keyof Listing)[];
  const unstated = fields.filter((name) => !listings.some((listing) => isStated(listing[name])));
  expect(unstated).toEqual(NOT_DRAWN);
});

function realCandidates(): Candidate[] {
  const found: Candidate[] = [];
  const { IDEALISTA_API_KEY: key, IDEALISTA_API_SECRET: secret } = keys;
  if (key && secret) {
    const baseUrl = keys.IDEALISTA_API_URL ?? "https://api.idealista.com";
    const readPage = officialReader({ baseUrl, key, secret }, false);
    found.push({ title: "idealista-api on the real API", isReal: true, readPage });
  }
  const { SEARCH_BY_URL_API_URL: byUrl, SEARCH_BY_URL_API_KEY: byUrlKey } = keys;
  if (byUrl && byUrlKey) {
    const readPage = byUrlReader({ baseUrl: byUrl, key: byUrlKey }, false);
    found.push({ title: "search-by-url on the real API", isReal: true, readPage });
  }
  return found;
}

function deps(isHeld: boolean) {
  const now = isHeld ? clock.now : Date.now;
  const budget = createMemoryRequestBudget({ now, monthlyRequests: null });
  return isHeld ? { now, budget, sleep: async (ms: number) => clock.advance(ms) } : { now, budget };
}

function officialReader(access: { baseUrl: string; key: string; secret: string }, isHeld: boolean) {
  const source = createIdealistaApi({ ...access, ...deps(isHeld) });
  return (window: PageWindow) => {
    advance(isHeld);
    const where = { placeId: CHAMBERI };
    return source.readPage({ operation: "sale", kind: "homes", where, filters: [] }, window);
  };
}

function byUrlReader(access: { baseUrl: string; key: string }, isHeld: boolean) {
  const source = createSearchByUrl({ ...access, ...deps(isHeld) });
  return (window: PageWindow) => {
    advance(isHeld);
    return source.readPage(searchFor("sale", "homes", { type: "place", placeId: CHAMBERI }), window);
  };
}

/** Each call creates its own source with its own budget, but the simulator sees one customer. */
function advance(isHeld: boolean): void {
  if (isHeld) clock.advance(2000);
}

test.skipIf(candidates.some(({ isReal }) => isReal))(
  "the real APIs are tested only if the environment has keys",
  () => {
    expect(candidates.length).toBe(2);
  },
);
