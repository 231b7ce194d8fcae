import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { OfficialQuery } from "#core/search/official-request.ts";
import { createHeldClock } from "#simulators/portal/market/clock.ts";
import { type PortalSimulator, startPortalSimulator } from "#simulators/portal/start-portal-simulator.ts";
import { createMemoryRequestBudget } from "#test/memory-request-budget.ts";
import { createIdealistaApi } from "./idealista-api.ts";

const CITY = "0-EU-ES-28-07-001-079";
const clock = createHeldClock(Date.UTC(2026, 2, 3, 9));
const credentials = { key: "key with spaces & +", secret: "s:e/c=r%et" };
let portal: PortalSimulator;

beforeAll(async () => {
  portal = await startPortalSimulator({
    clock,
    credentials,
    size: 4000,
    newPerDay: 0,
    monthlyRequests: null,
  });
});
afterAll(() => portal.close());
beforeEach(() => {
  clock.advance(5000);
  portal.ledger.clear();
});

function createSource(budget = createMemoryRequestBudget({ now: clock.now, monthlyRequests: null })) {
  const sleeps: number[] = [];
  const source = createIdealistaApi({
    ...credentials,
    baseUrl: `${portal.url}/`,
    now: clock.now,
    budget,
    sleep: async (ms) => {
      sleeps.push(ms);
      clock.advance(ms);
    },
  });
  return { source, sleeps };
}

const feed = (changes: Partial<OfficialQuery> = {}): OfficialQuery => ({
  operation: "sale",
  kind: "homes",
  where: { placeId: CITY },
  filters: [],
  ...changes,
});
const PAGE = { number: 1, size: 50 };

test("one token serves many requests, concurrent or sequential", async () => {
  const { source } = createSource();
  await Promise.all(
    [source.readPage(feed(), PAGE), source.readPage(feed(), PAGE)].map((asked) => asked.catch(() => null)),
  );
  // The second one came too soon for the portal, and was refused.
  clock.advance(30_000);
  await source.readPage(feed(), PAGE);
  expect(portal.ledger.count("token")).toBe(1);
});

test("a rate limit of the token endpoint holds back every process that shares the budget, also at that endpoint", async () => {
  const budget = createMemoryRequestBudget({ now: clock.now, monthlyRequests: null });
  const [first, second] = [createSource(budget), createSource(budget)];
  for (const fault of ["rate-limited", "quota-spent"] as const) {
    clock.advance(30 * 86_400_000);
    portal.ledger.clear();
    portal.faults.set({ fault, on: ["token"], times: 1 });
    await expect(first.source.readPage(feed(), PAGE)).rejects.toMatchObject({ reason: fault });
    const askedAt = clock.now();
    const answer = await second.source.readPage(feed(), PAGE).catch((error: unknown) => error);
    expect(answer).toMatchObject({ name: "SourceError", reason: fault });
    expect(clock.now()).toBe(askedAt);
    expect(portal.ledger.count("token")).toBe(1);
  }
});

test("the token is renewed before it expires", async () => {
  const { source } = createSource();
  await source.readPage(feed(), PAGE);
  clock.advance(43_199_000 - 30_000);
  await source.readPage(feed(), PAGE);
  expect(portal.ledger.count("token")).toBe(2);
  expect(portal.ledger.latest(10).every(({ status }) => status === 200)).toBe(true);
});

test("a revoked token is renewed once and the request repeated", async () => {
  const { source } = createSource();
  await source.readPage(feed(), PAGE);
  portal.tokens.revokeAll();
  expect((await source.readPage(feed(), PAGE)).listings.length).toBe(50);
  expect(portal.ledger.count("token")).toBe(2);
});

test("requests are more than a second apart", async () => {
  const { source, sleeps } = createSource();
  await source.readPage(feed(), PAGE);
  await source.readPage(feed(), PAGE);
  expect(sleeps).toEqual([1100]);
  expect(
    portal.ledger
      .latest(10)
      .filter(({ api }) => api === "search")
      .map(({ status }) => status),
  ).toEqual([200, 200]);
});

test("a request has the documented parameters, newest first", async () => {
  const { source } = createSource();
  await source.readPage(
    feed({
      filters: [
        { parameter: "terrance", value: "true" },
        { parameter: "sinceDate", value: "Y" },
      ],
    }),
    { number: 2, size: 49 },
  );
  expect(portal.ledger.latest(1)[0]?.parameters).toEqual({
    country: "es",
    operation: "sale",
    propertyType: "homes",
    locationId: CITY,
    locale: "es",
    order: "publicationDate",
    sort: "desc",
    maxItems: "49",
    numPage: "2",
    terrance: "true",
    sinceDate: "Y",
  });
});

test("rooms are requested as bedrooms and returned as rooms, with their tenants", async () => {
  const { source } = createSource();
  const page = await source.readPage(feed({ operation: "rent", kind: "rooms" }), PAGE);
  expect(page.listings.length).toBe(50);
  expect(page.listings[0]).toMatchObject({
    kind: "rooms",
    typology: "room",
    sharing: { tenantGender: expect.any(String) },
  });
});

test("a circle is requested by centre and distance", async () => {
  const { source } = createSource();
  const where = { latitude: 40.4168, longitude: -3.7038, distanceM: 1200.2 };
  const page = await source.readPage(feed({ where }), PAGE);
  expect(page.listings.length).toBeGreaterThan(10);
  expect(portal.ledger.latest(1)[0]?.parameters).toMatchObject({
    center: "40.4168,-3.7038",
    distance: "1201",
  });
});

test("filters that the API applied are not reported as ignored", async () => {
  const { source } = createSource();
  const filters = [
    { parameter: "minPrice", value: "200000" },
    { parameter: "maxPrice", value: "900000" },
    { parameter: "swimmingPool", value: "true" },
    { parameter: "furnished", value: "furnished" },
    { parameter: "sinceDate", value: "M" },
  ];
  expect((await source.readPage(feed({ filters }), PAGE)).hasIgnoredFilters).toBe(false);
});

test("a filter that the API ignored is reported", async () => {
  const { source } = createSource();
  const page = await source.readPage(feed({ filters: [{ parameter: "terrace", value: "true" }] }), PAGE);
  expect(page.hasIgnoredFilters).toBe(true);
});

test("a place that the API does not know is reported as not found", async () => {
  const { source } = createSource();
  await expect(source.readPage(feed({ where: { placeId: `${CITY}-99` } }), PAGE)).rejects.toMatchObject({
    reason: "not-found",
    message: expect.stringContaining("the locationId doesn't exist"),
  });
});

test("an invalid request is reported as refused, with the accepted values", async () => {
  const { source } = createSource();
  const filters = [{ parameter: "sinceDate", value: "T" }];
  await expect(source.readPage(feed({ filters }), PAGE)).rejects.toMatchObject({
    reason: "refused-request",
    message: expect.stringContaining("Accepted values for sinceDate are: W, M, Y"),
  });
});

test("both limits of a range count as one filter", async () => {
  const { source } = createSource();
  const filters = ["minPrice", "maxPrice", "minSize"].map((parameter) => ({ parameter, value: "1" }));
  filters.push({ parameter: "elevator", value: "true" });
  expect((await source.readPage(feed({ filters }), PAGE)).hasIgnoredFilters).toBe(false);
});

test("no value can inject a parameter", async () => {
  const { source } = createSource();
  await expect(source.readPage(feed({ where: { placeId: "a&operation=rent" } }), PAGE)).rejects.toThrow();
  expect(portal.ledger.latest(1)[0]?.parameters).toMatchObject({
    locationId: "a&operation=rent",
    operation: "sale",
  });
});
