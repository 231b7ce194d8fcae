/** The fault table: each source names every failure of a provider, and never takes it for "nothing new". */
import { inspect } from "node:util";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { RequestBudget } from "#core/ports/request-budget.ts";
import { type Source, SourceError, type SourceErrorReason, type SourcePage } from "#core/ports/source.ts";
import type { OfficialQuery } from "#core/search/official-request.ts";
import { searchFor } from "#core/search/search.ts";
import type { Api, FaultName } from "#simulators/portal/faults.ts";
import { createHeldClock } from "#simulators/portal/market/clock.ts";
import {
  DEFAULT_BY_URL_KEY,
  DEFAULT_CREDENTIALS,
  type PortalSimulator,
  startPortalSimulator,
} from "#simulators/portal/start-portal-simulator.ts";
import { createMemoryRequestBudget } from "#test/memory-request-budget.ts";
import { type NewestPage, readNewest } from "#watcher/check/read-newest.ts";
import { HTTP_LIMITS } from "./http-exchange.ts";
import { createIdealistaApi } from "./idealista-api/idealista-api.ts";
import { createSearchByUrl } from "./search-by-url/search-by-url.ts";

const CITY = "0-EU-ES-28-07-001-079";
const DAY_MS = 86_400_000;
const clock = createHeldClock(Date.UTC(2026, 2, 20, 9));
let portal: PortalSimulator;

beforeAll(async () => {
  portal = await startPortalSimulator({ clock, size: 3000, newPerDay: 0, monthlyRequests: null });
});
afterAll(() => portal.close());
beforeEach(() => {
  portal.faults.clear();
  portal.limitShape = "gateway-500";
  clock.advance(DAY_MS / 24);
});

const FEED: OfficialQuery = { operation: "sale", kind: "homes", where: { placeId: CITY }, filters: [] };
const SEARCH = searchFor("sale", "homes", { type: "place", placeId: CITY });

interface Overrides {
  key?: string;
  baseUrl?: string;
  budget?: RequestBudget;
  timeoutMs?: number;
}

function official(overrides: Overrides = {}): Source<OfficialQuery> {
  return createIdealistaApi({ ...DEFAULT_CREDENTIALS, ...common(overrides) });
}

function byUrl(overrides: Overrides = {}): Source<typeof SEARCH> {
  return createSearchByUrl({ key: DEFAULT_BY_URL_KEY, ...common(overrides) });
}

function common({ key, baseUrl, budget, timeoutMs }: Overrides) {
  return {
    baseUrl: baseUrl ?? portal.url,
    ...(key === undefined ? {} : { key }),
    now: clock.now,
    sleep: async (ms: number) => clock.advance(ms),
    budget: budget ?? createMemoryRequestBudget({ now: clock.now, monthlyRequests: null }),
    http: { ...HTTP_LIMITS, timeoutMs: timeoutMs ?? HTTP_LIMITS.timeoutMs },
  };
}

const sources = [
  {
    name: "idealista-api",
    api: "search" as Api,
    ask: (overrides?: Overrides) => official(overrides).readPage(FEED, { number: 1, size: 50 }),
  },
  {
    name: "search-by-url",
    api: "by-url" as Api,
    ask: (overrides?: Overrides) => byUrl(overrides).readPage(SEARCH, { number: 1, size: 50 }),
  },
];

async function failureOf(asking: Promise<SourcePage>): Promise<SourceError> {
  const outcome = await asking.then(
    () => "an answer",
    (error: unknown) => error,
  );
  expect(outcome).toBeInstanceOf(SourceError);
  return outcome as SourceError;
}

describe.each(sources)("P13 $name", ({ api, ask }) => {
  test.each<[FaultName, SourceErrorReason]>([
    ["unauthorized", "refused-credentials"],
    ["forbidden", "refused-credentials"],
    ["rate-limited", "rate-limited"],
    ["quota-spent", "quota-spent"],
    ["server-error", "server-trouble"],
    ["bad-gateway", "server-trouble"],
    ["captcha", "not-understood"],
    ["gzip-bomb", "not-understood"],
    ["truncated", "not-understood"],
    ["wrong-json", "not-understood"],
    ["redirect", "not-understood"],
    ["down", "unreachable"],
  ])("%s is reported as %s", async (fault, reason) => {
    portal.faults.set({ fault, on: [api] });
    expect((await failureOf(ask())).reason).toBe(reason);
  });

  test("P13 a small answer that unpacks to a quarter of a gigabyte is aborted at the limit", async () => {
    portal.faults.set({ fault: "gzip-bomb", on: [api] });
    expect((await failureOf(ask())).message).toContain("larger than 5242880 bytes");
  });

  test("a timeout is reported as unreachable", async () => {
    portal.faults.set({ fault: "hang", on: [api] });
    const failure = await failureOf(ask({ timeoutMs: 40 }));
    expect(failure.reason).toBe("unreachable");
    expect(failure.message).toContain("no answer within 40 ms");
  });

  test("a slow answer within the timeout is accepted", async () => {
    portal.faults.set({ fault: "slow", ms: 20, on: [api] });
    expect((await ask()).listings.length).toBe(50);
  });

  test("a refused connection is reported as unreachable", async () => {
    expect((await failureOf(ask({ baseUrl: "http://127.0.0.1:1" }))).reason).toBe("unreachable");
  });

  test("a wrong key is reported as refused credentials", async () => {
    expect((await failureOf(ask({ key: "wrong" }))).reason).toBe("refused-credentials");
  });

  test.each<[FaultName, string, RegExp]>([
    ["price-as-string", "price", /number/],
    ["missing-id", "propertyCode", /number/],
  ])("%s rejects that listing with its field and keeps the other 49", async (fault, field, problem) => {
    portal.faults.set({ fault, on: [api] });
    const page = await ask();
    expect(page.listings.length).toBe(49);
    expect(page.rejected).toEqual([
      {
        field,
        problem: expect.stringMatching(problem),
      },
    ]);
  });

  test("a change that breaks every listing is reported as not understood, not as an empty page", async () => {
    portal.faults.set({ fault: "price-as-string", elements: "all", on: [api] });
    const failure = await failureOf(ask());
    expect(failure.reason).toBe("not-understood");
    expect(failure.message).toContain("none of 50 elements can be parsed");
  });

  test("both forms of a rate limit are read, and the first refusal pauses half a minute", async () => {
    for (const limitShape of ["gateway-500", "status-429"] as const) {
      portal.limitShape = limitShape;
      portal.faults.clear();
      portal.faults.set({ fault: "rate-limited", on: [api] });
      expect(await failureOf(ask())).toMatchObject({ reason: "rate-limited", retryAfterMs: 30_000 });
      portal.faults.clear();
      portal.faults.set({ fault: "quota-spent", on: [api] });
      const spent = await failureOf(ask());
      expect(spent.reason).toBe("quota-spent");
      expect(spent.retryAfterMs).toBeGreaterThan(3_600_000);
    }
  });

  test("a rate limit holds back all sources that share the budget", async () => {
    const budget = createMemoryRequestBudget({ now: clock.now, monthlyRequests: null });
    portal.faults.set({ fault: "quota-spent", on: [api], times: 1 });
    await failureOf(ask({ budget }));
    const asked = portal.ledger.count(api);
    expect(await failureOf(ask({ budget }))).toMatchObject({ reason: "quota-spent" });
    expect(portal.ledger.count(api)).toBe(asked);
  });

  test("P15 a spent monthly budget is reported as quota-spent without a request", async () => {
    const budget = createMemoryRequestBudget({ now: clock.now, monthlyRequests: 1 });
    await ask({ budget });
    const asked = portal.ledger.count(api);
    const failure = await failureOf(ask({ budget }));
    expect(failure.reason).toBe("quota-spent");
    expect(failure.retryAfterMs).toBe(Date.UTC(2026, 3, 1) - clock.now());
    expect(portal.ledger.count(api)).toBe(asked);
  });

  test("P20 no failure contains a key, secret or token in its message, cause or text", async () => {
    for (const fault of [
      "unauthorized",
      "forbidden",
      "quota-spent",
      "server-error",
      "down",
      "captcha",
    ] as const) {
      portal.faults.clear();
      portal.faults.set({ fault, on: [api, "token"] });
      const failure = await failureOf(ask());
      const text = `${failure.stack} ${JSON.stringify(failure)} ${inspect(failure, { depth: null, showHidden: true })}`;
      expect(text).not.toContain(DEFAULT_CREDENTIALS.key);
      expect(text).not.toContain(DEFAULT_CREDENTIALS.secret);
      expect(text).not.toContain(DEFAULT_BY_URL_KEY);
      expect(text).not.toMatch(/Bearer|Basic|eyJ/);
    }
  });

  test("a price that goes from A to B and back to A is the same known listing each time", async () => {
    const advert = portal.market.select("sale", "homes", CITY).at(-1);
    if (advert === undefined) throw new Error("an empty market");
    const [a, b] = [advert.priceEur, advert.priceEur - 10_000];
    const prices: number[] = [];
    for (const price of [a, b, a]) {
      portal.market.changePrice(advert, price);
      clock.advance(2000);
      const [listing] = (await ask()).listings;
      expect(listing?.propertyCode).toBe(advert.code);
      prices.push(listing?.priceEur ?? 0);
    }
    expect(prices).toEqual([a, b, a]);
  });

  test("our own abort is passed on, not reported as a failure of the provider", async () => {
    const controller = new AbortController();
    controller.abort(new Error("shutting down"));
    const source =
      api === "search"
        ? official().readPage(FEED, { number: 1, size: 1 }, controller.signal)
        : byUrl().readPage(SEARCH, { number: 1, size: 1 }, controller.signal);
    await expect(source).rejects.toThrow("shutting down");
  });
});

describe("P13 reading all pages", () => {
  const seenBefore = () => new Set(portal.market.select("sale", "homes", CITY).map((advert) => advert.code));

  async function readAll(seen: ReadonlySet<string>): Promise<NewestPage[]> {
    const connects = async (codes: readonly string[]) => codes.every((code) => seen.has(code));
    const pages: NewestPage[] = [];
    for await (const page of readNewest(official(), FEED, { connects, maxPages: 5 })) {
      pages.push(page);
    }
    return pages;
  }

  test("if all listings vanish for one answer, none is new when they return", async () => {
    const seen = seenBefore();
    portal.faults.set({ fault: "empty", times: 1 });
    expect(await readAll(seen)).toMatchObject([{ end: "nothing-listed", total: 0 }]);
    clock.advance(600_000);
    expect(await readAll(seen)).toMatchObject([{ end: "caught-up" }]);
  });

  test("a failure on a later page is thrown after the earlier pages were read", async () => {
    const connects = async () => false;
    const reading = readNewest(official(), FEED, { connects, maxPages: 5 });
    expect((await reading.next()).value).toMatchObject({ end: null });
    portal.faults.set({ fault: "server-error" });
    await expect(reading.next()).rejects.toMatchObject({ reason: "server-trouble" });
  });
});
