import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Search } from "#core/search/search.ts";
import { parseSearchUrl } from "#core/search/url/parse-search-url.ts";
import { createHeldClock } from "#simulators/portal/market/clock.ts";
import {
  DEFAULT_BY_URL_KEY,
  type PortalSimulator,
  startPortalSimulator,
} from "#simulators/portal/start-portal-simulator.ts";
import { createMemoryRequestBudget } from "#test/memory-request-budget.ts";
import { createSearchByUrl } from "./search-by-url.ts";

const clock = createHeldClock(Date.UTC(2026, 2, 3, 9));
let portal: PortalSimulator;

beforeAll(async () => {
  portal = await startPortalSimulator({ clock, size: 3000, newPerDay: 0, monthlyRequests: null });
});
afterAll(() => portal.close());
beforeEach(() => clock.advance(5000));

function createSource() {
  return createSearchByUrl({
    key: DEFAULT_BY_URL_KEY,
    baseUrl: portal.url,
    now: clock.now,
    sleep: async (ms) => clock.advance(ms),
    budget: createMemoryRequestBudget({ now: clock.now, monthlyRequests: null }),
  });
}

function requireSearch(pasted: string): Search {
  const parsed = parseSearchUrl(pasted);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.search;
}

test("the URL is built from the search, newest first, without other pasted text", async () => {
  const pasted =
    "Mira esto http://idealista.com/en/venta-viviendas/madrid-madrid/con-ascensor,precio-hasta_500000/pagina-3.htm?ordenado-por=precios-asc&utm_source=x#frag";
  await createSource().readPage(requireSearch(pasted), { number: 2, size: 49 });
  expect(portal.ledger.latest(1)[0]?.parameters).toEqual({
    url: "https://www.idealista.com/venta-viviendas/madrid-madrid/con-precio-hasta_500000,ascensor/?ordenado-por=fecha-publicacion-desc",
    country: "es",
    language: "es",
    page: "2",
    result_count: "49",
  });
});

test("filters that the official API lacks work: pets, garden, middle floors", async () => {
  const search = requireSearch(
    "https://www.idealista.com/alquiler-viviendas/madrid-madrid/con-mascotas,plantas-intermedias/",
  );
  const { listings, total } = await createSource().readPage(search, { number: 1, size: 50 });
  expect(total).toBeGreaterThan(20);
  for (const { propertyCode } of listings) {
    expect(portal.market.find(propertyCode)?.petsAllowed).toBe(true);
  }
});

test("its listings have the place id and amenities that the official API lacks", async () => {
  const search = requireSearch("https://www.idealista.com/venta-viviendas/madrid/retiro/con-terraza/");
  const { listings } = await createSource().readPage(search, { number: 1, size: 50 });
  expect(listings.length).toBeGreaterThan(3);
  for (const listing of listings) {
    expect(listing.placeId).toMatch(/^0-EU-ES-28-07-001-079-03-\d{3}$/);
    expect(listing.amenities).toMatchObject({ terrace: true, "private-advertiser": expect.any(Boolean) });
  }
});

test("an answer that reports a failure is not taken for an empty page", async () => {
  const fetch = async () => Response.json({ success: false, message: "no luck" });
  const source = createSearchByUrl({
    key: "k",
    baseUrl: "https://api.example",
    budget: createMemoryRequestBudget({ now: clock.now, monthlyRequests: null }),
    http: { fetch, timeoutMs: 1000, maxBodyBytes: 10_000 },
  });
  const search = requireSearch("https://www.idealista.com/venta-viviendas/madrid-madrid/");
  await expect(source.readPage(search, { number: 1, size: 10 })).rejects.toMatchObject({
    reason: "not-understood",
  });
});
