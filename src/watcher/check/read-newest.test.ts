import { afterEach, describe, expect, test } from "vitest";
import type { Listing } from "#core/listing/listing.ts";
import type { PageWindow, Source } from "#core/ports/source.ts";
import type { OfficialQuery } from "#core/search/official-request.ts";
import { createHeldClock } from "#simulators/portal/market/clock.ts";
import { createRandom } from "#simulators/portal/market/random.ts";
import {
  DEFAULT_CREDENTIALS,
  type PortalSimulator,
  startPortalSimulator,
} from "#simulators/portal/start-portal-simulator.ts";
import { createIdealistaApi } from "#sources/idealista-api/idealista-api.ts";
import { readElements } from "#sources/read-page-answer.ts";
import { createMemoryRequestBudget } from "#test/memory-request-budget.ts";
import { lastAnchorOf, placesOf } from "./anchors.ts";
import { type NewestPage, type ReadingEnd, readNewest } from "./read-newest.ts";

let portal: PortalSimulator | undefined;
afterEach(async () => {
  await portal?.close();
  portal = undefined;
});

const PROVINCE = "0-EU-ES-28";
const FEED: OfficialQuery = { operation: "sale", kind: "homes", where: { placeId: PROVINCE }, filters: [] };
const MINUTE_MS = 60_000;
const DAY_STARTS_AT = Date.UTC(2026, 2, 3);

describe("over a simulated day", () => {
  test("WATCH-02 each of 10,000 listings is read exactly once while the pages shift, with at most one extra request per check", {
    tags: "long",
  }, async () => {
    const clock = createHeldClock(DAY_STARTS_AT);
    portal = await startPortalSimulator({
      clock,
      size: 5_000,
      newPerDay: 21_600,
      monthlyRequests: null,
    });
    const { market, ledger } = portal;
    const source = createIdealistaApi({
      ...DEFAULT_CREDENTIALS,
      baseUrl: portal.url,
      now: clock.now,
      budget: createMemoryRequestBudget({ now: clock.now, monthlyRequests: null }),
      // The market moves with every wait and every request.
      sleep: async (ms) => clock.advance(ms + 400),
    });
    const onOffer = () => market.select("sale", "homes", PROVINCE);
    const stock = new Set(onOffer().map((advert) => advert.code));
    const seen = new Set(stock);
    const published = new Set<string>();
    const told: string[] = [];
    const checks = [{ startedAt: clock.now(), endedAt: clock.now() }];
    for (let check = 1; check <= 144; check += 1) {
      clock.advance(DAY_STARTS_AT + check * 10 * MINUTE_MS - clock.now());
      const startedAt = clock.now();
      const asked = ledger.count("search");
      const { fresh, end } = await read(source, FEED, seen);
      expect(end).toBe("caught-up");
      const sinceLastCheck = checks.at(-1)?.startedAt ?? 0;
      const arrived = onOffer().filter((advert) => advert.publishedAt >= sinceLastCheck);
      const pagesNeeded = Math.ceil(arrived.length / 50);
      expect(ledger.count("search") - asked).toBeLessThanOrEqual(pagesNeeded + 1);
      told.push(...fresh.map((listing) => listing.propertyCode));
      for (const advert of arrived) {
        published.add(advert.code);
      }
      checks.push({ startedAt, endedAt: clock.now() });
    }

    expect(told.length).toBeGreaterThan(10_000);
    expect(new Set(told).size).toBe(told.length);
    expect(told.filter((code) => stock.has(code))).toEqual([]);

    const alertedOnce = new Set(told);
    const lastCheck = checks.at(-1)?.startedAt ?? 0;
    const missed = onOffer().filter(
      (advert) => advert.publishedAt < lastCheck && !stock.has(advert.code) && !alertedOnce.has(advert.code),
    );
    expect(missed.map((advert) => advert.code)).toEqual([]);
    const withdrawn = market.journal.filter(({ type }) => type === "withdrawn");
    const leftSince = new Map(withdrawn.map(({ code, at }) => [code, at]));
    const lost = market.journal.filter(({ type, code, at }) => {
      const check = checks.find(({ startedAt }) => startedAt >= at);
      const couldBeRead = check !== undefined && (leftSince.get(code) ?? Infinity) > check.endedAt;
      return type !== "withdrawn" && couldBeRead && published.has(code) && !seen.has(code);
    });
    expect(lost).toEqual([]);
  });
});

describe("over a list that moves between two pages", () => {
  test("listings that arrivals push to the next page are returned only once", async () => {
    const list = codes(0, 300);
    const source = listSource(list, (request) => {
      if (request === 2) list.unshift(...codes(300, 310));
    });
    const { fresh, end } = await read(source, null, new Set(codes(0, 220)));
    expect(end).toBe("caught-up");
    expect(codesOf(fresh)).toEqual(codes(220, 300));
  });

  test("P13 a duplicate within a page is returned once", async () => {
    const { fresh } = await read(listSource(["3", "2", "3", "1"]), null, new Set());
    expect(codesOf(fresh).toSorted()).toEqual(["1", "2", "3"]);
  });

  test("a removal above the page boundary loses nothing and costs no request", async () => {
    const list = codes(0, 300);
    const source = listSource(list, (request) => {
      if (request === 2) list.splice(10, 1);
    });
    const { fresh, pages } = await read(source, null, new Set(codes(0, 220)));
    expect(codesOf(fresh)).toEqual(codes(220, 300));
    expect(pages.length).toBe(2);
  });

  test("many removals above the page boundary make the reading go back a page", async () => {
    const list = codes(0, 300);
    const source = listSource(list, (request) => {
      if (request === 2) list.splice(10, 5);
    });
    const { fresh, pages, end } = await read(source, null, new Set(codes(0, 220)));
    expect(codesOf(fresh).toSorted()).toEqual(codes(220, 300).toSorted());
    expect(end).toBe("caught-up");
    expect(pages.length).toBe(4);
  });

  test("a page that contains only listings of this reading does not end it", async () => {
    const list = codes(0, 300);
    const source = listSource(list, (request) => {
      if (request === 2) list.unshift(...codes(300, 350));
    });
    const { fresh } = await read(source, null, new Set(codes(0, 240)));
    expect(codesOf(fresh)).toEqual(expect.arrayContaining(codes(240, 300)));
  });

  test("random shifts neither repeat nor lose a listing", async () => {
    for (let seed = 1; seed <= 100; seed += 1) {
      const random = createRandom(seed);
      const list = codes(0, 400);
      let next = 400;
      const source = listSource(list, () => {
        list.splice(random.integer(0, 120), random.integer(0, 3));
        const arriving = codes(next, next + random.integer(0, 4));
        next += arriving.length;
        list.unshift(...arriving);
      });
      const seen = new Set(codes(0, 400 - random.integer(0, 240)));
      const { fresh } = await read(source, null, seen, { maxPages: 40 });
      expect(new Set(codesOf(fresh)).size).toBe(fresh.length);
      const missed = list.filter((code) => Number(code) < 400 && !seen.has(code));
      expect(missed, `seed ${seed}`).toEqual([]);
    }
  }, 30_000);
});

describe("how a reading ends", () => {
  test("one request is enough if nothing is new", async () => {
    const { pages, end } = await read(listSource(codes(0, 300)), null, new Set(codes(0, 300)));
    expect(pages.length).toBe(1);
    expect(end).toBe("caught-up");
    expect(pages[0]?.listings.length).toBe(50);
  });

  test("a list shorter than a page ends with that page", async () => {
    const { pages, end } = await read(listSource(codes(0, 12)), null, new Set());
    expect(pages.length).toBe(1);
    expect(end).toBe("end-of-list");
  });

  test("P13 an empty answer is not caught-up, and nothing is repeated after it", async () => {
    const list = codes(0, 100);
    const seen = new Set(list);
    const glitch = await read(listSource([]), null, seen);
    expect(glitch).toMatchObject({ end: "nothing-listed", fresh: [] });
    const after = await read(listSource(list), null, seen);
    expect(after).toMatchObject({ end: "caught-up", fresh: [] });
  });

  test("P14 the page limit is reported as a gap", async () => {
    const { fresh, pages, end } = await read(listSource(codes(0, 2000)), null, new Set(codes(0, 500)), {
      maxPages: 4,
    });
    expect(pages.length).toBe(4);
    expect(fresh.length).toBe(188);
    expect(end).toBe("gap");
  });

  test("P14 a thousand new listings at once are all read", async () => {
    const { fresh, pages, end } = await read(listSource(codes(0, 2000)), null, new Set(codes(0, 1000)), {
      maxPages: 30,
    });
    expect(codesOf(fresh)).toEqual(codes(1000, 2000));
    expect(end).toBe("caught-up");
    expect(pages.length).toBeLessThanOrEqual(23);
  });

  test("an empty later page breaks the reading off, and the next one reads as deep again", async () => {
    const list = codes(0, 300);
    const held = [...list];
    const source = listSource(list, (request) => {
      list.splice(0, list.length, ...(request === 2 ? [] : held));
    });
    const seen = new Set(codes(0, 180));
    const broken = await read(source, null, seen);
    expect(broken.end).toBe("broken-off");
    expect(broken.fresh.length).toBe(50);
    // A reading that broke off is not recorded.
    const next = await read(source, null, new Set(codes(0, 180)));
    expect(next.end).toBe("caught-up");
    expect(codesOf(next.fresh)).toEqual(codes(180, 300));
  });
});

test("each of the first pages overlaps the page before it, by one listing more each time", async () => {
  const windows: PageWindow[] = [];
  const source = listSource(codes(0, 2000));
  const noting: Source<null> = {
    ...source,
    readPage: (query, window) => {
      windows.push(window);
      return source.readPage(query, window);
    },
  };
  await read(noting, null, new Set(), { maxPages: 7 });
  expect(windows.map(({ number, size }) => (number - 1) * size)).toEqual([0, 49, 96, 141, 184, 230, 276]);
  expect(windows.map(({ number, size }) => number * size)).toEqual([50, 98, 144, 188, 230, 276, 322]);
});

test("listings are in the portal's order, seen and unseen together", async () => {
  const { pages } = await read(listSource(codes(0, 120)), null, new Set(["110", "60"]));
  expect(codesOf(pages.flatMap(({ listings }) => listings))).toEqual(codes(0, 120));
});

/** Codes from `from` to `to` (exclusive), newest (highest) first. */
function codes(from: number, to: number): string[] {
  return Array.from({ length: to - from }, (_, index) => String(to - 1 - index));
}

function codesOf(listings: readonly Listing[]): string[] {
  return listings.map((listing) => listing.propertyCode);
}

/** A source over a list that the test changes while it is read. */
function listSource(
  list: string[],
  beforeRequest: (request: number) => void = () => undefined,
): Source<null> {
  let requests = 0;
  return {
    name: "list",
    readPage: async (_, { number, size }: PageWindow) => {
      requests += 1;
      beforeRequest(requests);
      const page = list.slice((number - 1) * size, number * size);
      const element = { operation: "sale", price: 1, propertyType: "flat" };
      const { listings, rejected } = readElements(
        "list",
        page.map((propertyCode) => ({ ...element, propertyCode })),
        "homes",
      );
      return { listings, rejected, total: list.length, hasIgnoredFilters: false };
    },
  };
}

/** The newest have the highest codes. */
function connectsTo(seen: ReadonlySet<string>) {
  const order = [...seen].toSorted((one, other) => Number(other) - Number(one));
  return async (codes: readonly string[]) => lastAnchorOf(placesOf(codes, order)) !== -1;
}

async function read<Query>(
  source: Source<Query>,
  query: Query,
  seen: Set<string>,
  options: { maxPages?: number } = {},
): Promise<{ fresh: Listing[]; pages: NewestPage[]; end: ReadingEnd | null }> {
  const pages: NewestPage[] = [];
  const connects = connectsTo(seen);
  for await (const page of readNewest(source, query, { maxPages: options.maxPages ?? 20, connects })) {
    pages.push(page);
  }
  const fresh = pages
    .flatMap(({ listings }) => listings)
    .filter(({ propertyCode }) => !seen.has(propertyCode));
  for (const { propertyCode } of fresh) seen.add(propertyCode);
  return { fresh, pages, end: pages.at(-1)?.end ?? null };
}
