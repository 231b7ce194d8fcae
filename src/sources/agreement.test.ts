/**
 * Compares two ways to the same listings: the portal applying a URL's filters, and our matching on the broad answers of the
 * official API. The simulator has its own URL parser, so agreement is evidence.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Listing } from "#core/listing/listing.ts";
import { listingFactsOf } from "#core/matching/listing-facts.ts";
import { matches } from "#core/matching/match.ts";
import type { Source } from "#core/ports/source.ts";
import {
  featureFilter,
  type OfficialKind,
  type OfficialQuery,
  requestOnlyFilters,
} from "#core/search/official-request.ts";
import type { Search } from "#core/search/search.ts";
import { parseSearchUrl } from "#core/search/url/parse-search-url.ts";
import { createHeldClock } from "#simulators/portal/market/clock.ts";
import {
  DEFAULT_BY_URL_KEY,
  DEFAULT_CREDENTIALS,
  type PortalSimulator,
  startPortalSimulator,
} from "#simulators/portal/start-portal-simulator.ts";
import { createMemoryRequestBudget } from "#test/memory-request-budget.ts";
import { readNewest } from "#watcher/check/read-newest.ts";
import { createIdealistaApi } from "./idealista-api/idealista-api.ts";
import { createSearchByUrl } from "./search-by-url/search-by-url.ts";

const PROVINCE = "0-EU-ES-28";
const clock = createHeldClock(Date.UTC(2026, 2, 3, 9));
let portal: PortalSimulator;

beforeAll(async () => {
  portal = await startPortalSimulator({
    clock,
    size: 2000,
    newPerDay: 0,
    requestsPerSecond: 0,
    monthlyRequests: null,
  });
});
afterAll(() => portal.close());

test.each([
  [
    "/venta-viviendas/madrid-madrid/con-precio-hasta_400000,precio-desde_200000,metros-cuadrados-mas-de_60/",
    20,
  ],
  ["/venta-viviendas/madrid/chamberi/", 20],
  ["/venta-viviendas/madrid/barrio-de-salamanca/goya/", 2],
  ["/alquiler-viviendas/madrid-madrid/con-de-dos-dormitorios,de-tres-dormitorios,dos-banos,ascensor/", 10],
  ["/alquiler-viviendas/madrid-provincia/con-estudios,de-un-dormitorio,amueblado_amueblados/", 5],
  ["/venta-viviendas/madrid-madrid/con-aticos,terraza/", 1],
  ["/venta-viviendas/madrid-madrid/con-solo-pisos,exterior,buen-estado,garaje/", 10],
  ["/venta-viviendas/madrid-provincia/con-chalets,de-cuatro-cinco-habitaciones-o-mas/", 10],
  ["/venta-viviendas/madrid-provincia/con-chalets-independientes,chalets-pareados/", 10],
  ["/venta-viviendas/madrid-madrid/con-piscina,aireacondicionado,trastero,armarios-empotrados/", 1],
  ["/venta-viviendas/madrid-madrid/con-solo-bajos,para-reformar/", 5],
  ["/venta-viviendas/madrid-madrid/con-obra-nueva,tres-banos-o-mas/", 1],
  ["/venta-viviendas/madrid/zona-norte/", 5],
  ["/venta-viviendas/galapagar-madrid/", 1],
  ["/alquiler-habitacion/madrid-madrid/con-precio-hasta_600,sexo_chica,fumadores_no/", 5],
  ["/venta-garajes/madrid-madrid/con-precio-hasta_30000/", 10],
  ["/alquiler-oficinas/madrid-madrid/con-metros-cuadrados-mas-de_100/", 5],
  ["/venta-viviendas/madrid-madrid/con-ultimas-plantas,jardin,mascotas/", 0],
  ["/areas/venta-viviendas/con-precio-hasta_900000/?shape=%28%28_squFnowU%3FowHowH%3F%3FnwHnwH%3F%29%29", 20],
])(
  "%s has the same results on the portal and in our matching",
  async (path, atLeast) => {
    const parsed = parseSearchUrl(`https://www.idealista.com${path}`);
    if (!parsed.ok) throw new Error(parsed.reason);
    const { search } = parsed;
    const listed = new Set((await readAll(byUrl(), search)).map((listing) => listing.propertyCode));
    const { yes, maybe } = await decide(search);
    expect(listed.size).toBeGreaterThanOrEqual(atLeast);
    expect([...yes].filter((code) => !listed.has(code))).toEqual([]);
    expect([...listed].filter((code) => !yes.has(code) && !maybe.has(code))).toEqual([]);
  },
  30_000,
);

const feeds = new Map<string, Promise<Listing[]>>();

/** As in the product, one broad answer serves many searches. */
function readFeed(query: OfficialQuery): Promise<Listing[]> {
  const key = JSON.stringify(query);
  const reading = feeds.get(key) ?? readAll(official(), query);
  feeds.set(key, reading);
  return reading;
}

async function decide(search: Search): Promise<{ yes: Set<string>; maybe: Set<string> }> {
  const filters = requestOnlyFilters(search);
  const query = {
    operation: search.operation,
    kind: search.kind as OfficialKind,
    where: { placeId: PROVINCE },
    filters,
  };
  const yes = new Set<string>();
  const maybe = new Set<string>();
  // Features that the request filtered by need no check.
  const features = search.features.filter((feature) => !featureFilter(feature, search));
  const rest = { ...search, features, furnishing: search.kind === "homes" ? null : search.furnishing };
  for (const listing of await readFeed(query)) {
    const answer = matches(rest, listingFactsOf(listing));
    if (answer !== "no") {
      (answer === "yes" ? yes : maybe).add(listing.propertyCode);
    }
  }
  return { yes, maybe };
}

async function readAll<Query>(source: Source<Query>, query: Query): Promise<Listing[]> {
  const listings: Listing[] = [];
  for await (const page of readNewest(source, query, { connects: async () => false, maxPages: 100 })) {
    expect(page.rejected).toEqual([]);
    expect(page.hasIgnoredFilters).toBe(false);
    listings.push(...page.listings);
  }
  return listings;
}

function deps() {
  return {
    baseUrl: portal.url,
    now: clock.now,
    sleep: async (ms: number) => clock.advance(ms),
    budget: createMemoryRequestBudget({ now: clock.now, monthlyRequests: null }),
  };
}

function official() {
  return createIdealistaApi({ ...DEFAULT_CREDENTIALS, ...deps() });
}

function byUrl() {
  return createSearchByUrl({ key: DEFAULT_BY_URL_KEY, ...deps() });
}
