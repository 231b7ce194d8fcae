import { afterAll, beforeAll, expect, test } from "vitest";
import { createHeldClock } from "./market/clock.ts";
import { DEFAULT_BY_URL_KEY, type PortalSimulator, startPortalSimulator } from "./start-portal-simulator.ts";

const clock = createHeldClock(Date.UTC(2026, 2, 2, 10));
let portal: PortalSimulator;

beforeAll(async () => {
  portal = await startPortalSimulator({ clock, size: 8000, newPerDay: 0, monthlyRequests: null });
});
afterAll(() => portal.close());

interface Summary {
  code: string;
  priceEur: number;
}

interface Body {
  success: boolean;
  error: string;
  listings: [Summary, ...Summary[]];
  listing: Summary;
  data: {
    listings: {
      propertyCode: string;
      price: number;
      rooms: number;
      locationId: string;
      features: { hasTerrace: boolean };
    }[];
  };
}

async function byUrl(url: string, parameters: Record<string, string> = {}, key = DEFAULT_BY_URL_KEY) {
  clock.advance(1000);
  const query = new URLSearchParams({ url, ...parameters });
  const response = await fetch(`${portal.url}/property-search-by-url?${query}`, {
    headers: { "x-rapidapi-key": key },
  });
  return { status: response.status, body: (await response.json()) as Body };
}

async function control(method: string, path: string, body?: unknown) {
  const response = await fetch(`${portal.url}/control/${path}`, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Body };
}

const NEWEST = "?ordenado-por=fecha-publicacion-desc";
const SITE = "https://www.idealista.com";

test("a URL with filters selects the listings that match", async () => {
  const { status, body } = await byUrl(
    `${SITE}/venta-viviendas/madrid-madrid/con-precio-hasta_400000,de-dos-dormitorios,de-tres-dormitorios,ascensor,terraza/${NEWEST}`,
    { result_count: "50" },
  );
  expect(status).toBe(200);
  expect(body.success).toBe(true);
  expect(body.data.listings.length).toBeGreaterThan(5);
  for (const listing of body.data.listings) {
    expect(listing.price).toBeLessThanOrEqual(400_000);
    expect([2, 3]).toContain(listing.rooms);
    expect(listing.features.hasTerrace).toBe(true);
    expect(listing.locationId).toMatch(/^0-EU-ES-28-07-001-079-/);
  }
});

test("a wrong key is 401, more than 50 results are refused, a foreign URL is refused", async () => {
  const madrid = `${SITE}/venta-viviendas/madrid-madrid/`;
  expect((await byUrl(madrid, {}, "wrong")).status).toBe(401);
  expect(await byUrl(madrid, { result_count: "51" })).toMatchObject({
    status: 400,
    body: { success: false },
  });
  expect((await byUrl("https://example.org/venta-viviendas/madrid-madrid/")).status).toBe(400);
});

test("a drawn area selects the points inside it", async () => {
  const shape = "((ep}bFxcjc@ajAojCaPsoBriByJf`Buf@nj@qUb~@xg@|s@xh@|Jps@kH|pCsu@vXwqA?uiBnFy\\xJ))";
  const url = `${SITE}/areas/venta-viviendas/?shape=${encodeURIComponent(shape)}`;
  const published = await control("POST", "listings", { url });
  expect(published.status).toBe(201);
  const { body } = await byUrl(url);
  expect(body.data.listings.map((listing) => listing.propertyCode)).toContain(
    published.body.listings[0].code,
  );
});

test.each([
  "/alquiler-viviendas/madrid/chamberi/con-precio-hasta_900,precio-desde_850,estudios,mascotas,amueblado_amueblados/",
  "/venta-viviendas/madrid/chamberi/trafalgar/con-aticos,terraza,ultimas-plantas,tres-banos-o-mas/",
  "/venta-viviendas/galapagar-madrid/con-precio-hasta_300000,chalets,casas-de-pueblo/",
  "/alquiler-habitacion/madrid-madrid/con-precio-hasta_400,sexo_chica,fumadores_no/",
  "/en/venta-viviendas/madrid-provincia/con-metros-cuadrados-mas-de_200,solo-bajos,publicado_ultimas-48-horas/",
  "/venta-garajes/madrid/zona-norte/",
])("a listing published to match %s is the first result of that search", async (path) => {
  const url = `${SITE}${path}${NEWEST}`;
  const published = await control("POST", "listings", { url });
  expect(published).toMatchObject({ status: 201, body: { unknownTokens: [] } });
  const { body } = await byUrl(url);
  expect(body.data.listings[0]?.propertyCode).toBe(published.body.listings[0].code);
});

test("whatever is drawn first, a listing is published for a search that only some kinds of homes can match", async () => {
  const url = `${SITE}/venta-viviendas/madrid-provincia/con-solo-bajos/`;
  for (let listing = 0; listing < 40; listing += 1) {
    expect(await control("POST", "listings", { url })).toMatchObject({ status: 201 });
  }
});

test("the reasons why a listing cannot be published are distinguished", async () => {
  const publish = async (path: string) =>
    (await control("POST", "listings", { url: `${SITE}${path}` })).body.error;
  expect(await publish("/venta-viviendas/madrid-madrid/con-precio-hasta_100,precio-desde_200/")).toBe(
    "contradictory",
  );
  expect(await publish("/venta-viviendas/madrid-madrid/con-chalets,ultimas-plantas/")).toBe("contradictory");
  expect(await publish("/venta-viviendas/nowhere-nowhere/")).toBe("place-unknown");
  expect(await publish("/venta-terrenos/madrid-madrid/")).toBe("category-without-stock");
  expect(await publish("/inmueble/123/")).toBe("not-a-search");
});

test("a request with an unknown or mistyped field is refused, naming the field", async () => {
  const url = `${SITE}/venta-viviendas/madrid-madrid/`;
  for (const [body, field] of [
    [{}, "url"],
    [{ url, fields: { priceEur: "cheap" } }, "priceEur"],
    [{ url, fields: { code: "1" } }, "code"],
    [{ url, operation: "lease" }, "operation"],
  ] as const) {
    const answer = await control("POST", "listings", body);
    expect(answer).toMatchObject({ status: 400, body: { error: "bad-order" } });
    expect(JSON.stringify(answer.body)).toContain(field);
  }
});

test("fields are applied to the listing, also in a place without other listings", async () => {
  const fields = { priceEur: 123_456, rooms: 7 };
  const url = `${SITE}/venta-viviendas/sevilla-provincia/`;
  const answer = await control("POST", "listings", { url, fields });
  expect(answer.status).toBe(201);
  expect(answer.body.listings).toMatchObject([{ ...fields, place: "Sevilla", locationId: "0-EU-ES-41" }]);
  expect((await byUrl(url)).body.data.listings).toHaveLength(1);
});

test("the price of a listing can be cut, and the listing withdrawn, restored and re-advertised", async () => {
  const url = `${SITE}/venta-viviendas/madrid/centro/`;
  const { code, priceEur } = (await control("POST", "listings", { url })).body.listings[0];
  const cut = await control("POST", `listings/${code}/price`, { cutPercent: 10 });
  expect(cut.body.listing).toMatchObject({ formerPriceEur: priceEur });
  expect(cut.body.listing.priceEur).toBeLessThan(priceEur);
  expect((await control("POST", `listings/${code}/withdraw`)).status).toBe(200);
  expect((await control("POST", `listings/${code}/withdraw`)).body.error).toBe("unknown-listing");
  expect((await control("POST", `listings/${code}/restore`)).body.listing.code).toBe(code);
  const again = await control("POST", `listings/${code}/readvertise`);
  expect(again.status).toBe(201);
  expect(again.body.listing.code).not.toBe(code);
  expect((await control("GET", "listings?limit=2")).body.listings.map((listing) => listing.code)).toEqual([
    again.body.listing.code,
    code,
  ]);
});

test("faults are set, happen as often as requested, and are cleared", async () => {
  const madrid = `${SITE}/venta-viviendas/madrid-madrid/`;
  await control("POST", "faults", { fault: "server-error", times: 1 });
  expect((await byUrl(madrid)).status).toBe(500);
  expect((await byUrl(madrid)).status).toBe(200);
  await control("POST", "faults", { fault: "forbidden" });
  expect((await byUrl(madrid)).status).toBe(403);
  await control("DELETE", "faults");
  expect((await byUrl(madrid)).status).toBe(200);
  expect(await control("POST", "faults", { fault: "earthquake" })).toMatchObject({ status: 400 });
});
