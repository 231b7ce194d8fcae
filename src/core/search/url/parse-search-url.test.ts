import { expect, test } from "vitest";
import { FILTER_WORD_CASES } from "#test/fixtures/search-urls.ts";
import { encodePolyline } from "../../geo/polyline.ts";
import { reachOf } from "../../matching/search-limits.ts";
import { type Search, searchFor } from "../search.ts";
import { type NotASearch, type ParsedSearchUrl, parseSearchUrl } from "./parse-search-url.ts";
import { CATEGORIES } from "./portal-words.ts";

const SITE = "https://www.idealista.com/";
const MADRID = "0-EU-ES-28-07-001-079";
const RING = "ep}bFxcjc@ajAojCaPsoBriByJf`Buf@nj@qUb~@xg@|s@xh@|JpsAkH|pCsu@vXwqA?uiBnFy\\xJ";
const DRAWING = `((${RING}))`;

function understood(text: string): Extract<ParsedSearchUrl, { ok: true }> {
  const parsed = parseSearchUrl(text);
  if (!parsed.ok) throw new Error(`${text} was refused: ${parsed.reason}`);
  return parsed;
}

function reasonFor(text: string): NotASearch | "understood" {
  const parsed = parseSearchUrl(text);
  return parsed.ok ? "understood" : parsed.reason;
}

test.each(FILTER_WORD_CASES)("%s is parsed into the wishes of its words", (path, wishes) => {
  const { search } = understood(SITE + path);
  const plain = searchFor(search.operation, search.kind, search.where);
  expect(search).toEqual({ ...plain, ...wishes });
});

test.each(CATEGORIES)("%s is %s of %s", (word, operation, kind) => {
  const { search } = understood(`${SITE}${word}/madrid-madrid/`);
  expect(search).toEqual(searchFor(operation, kind, { type: "place", placeId: MADRID }));
});

test("a search with many filters fills each list in the vocabulary's order", () => {
  const { search } = understood(
    `${SITE}alquiler-viviendas/madrid/chamberi/trafalgar/con-ascensor,de-dos-dormitorios,precio-hasta_1500,estudios,garaje,metros-cuadrados-mas-de_40,aticos,pisos/`,
  );
  expect(search).toEqual({
    ...searchFor("rent", "homes", { type: "place", placeId: `${MADRID}-07-003` }),
    maxPriceEur: 1500,
    minAreaM2: 40,
    homeTypes: ["flat", "penthouse"],
    bedrooms: [0, 2],
    features: ["lift", "garage"],
  } satisfies Search);
});

test.each([
  ["a province", "madrid-provincia", "0-EU-ES-28"],
  ["a province without its suffix", "cantabria", "0-EU-ES-39"],
  ["a comarca", "madrid/zona-norte", "0-EU-ES-28-01"],
  ["a town", "alcobendas-madrid", "0-EU-ES-28-01-002-006"],
  ["a district", "madrid/barrio-de-salamanca", `${MADRID}-04`],
  ["a barrio", "barcelona/gracia/vila-de-gracia", "0-EU-ES-08-13-001-019-06-002"],
  ["a barrio under the name it had", "madrid/arganzuela/palos-de-moguer", `${MADRID}-02-006`],
])("%s is found by its path", (_, path, placeId) => {
  expect(understood(`${SITE}venta-viviendas/${path}/`).search.where).toEqual({ type: "place", placeId });
});

test.each([
  [
    "venta-viviendas/galdakao-vizcaya/",
    { type: "unlisted-place", path: ["galdakao-vizcaya"] },
    "official-api",
  ],
  [
    "venta-viviendas/javeaxabia/adsubia/",
    { type: "unlisted-place", path: ["javeaxabia", "adsubia"] },
    "search-by-url",
  ],
  [
    "multi/venta-viviendas/adb,ac0,acY,ac0/",
    { type: "zones", codes: ["ac0", "acY", "adb"] },
    "search-by-url",
  ],
  [
    "geo/alquiler-viviendas/metro-moncloa/",
    { type: "point-of-interest", slug: "metro-moncloa" },
    "search-by-url",
  ],
  [
    "buscar/venta-viviendas/con-piscina/alboraya/pagina-5.htm",
    { type: "text", text: "alboraya", path: [] },
    "search-by-url",
  ],
  [
    "buscar/venta-terrenos/javeaxabia-alicante/parcela_con_proyecto/",
    { type: "text", text: "parcela_con_proyecto", path: ["javeaxabia-alicante"] },
    "search-by-url",
  ],
])("%s keeps a place that only the portal knows as written", (path, where, reach) => {
  const { search } = understood(SITE + path);
  expect(search.where).toEqual(where);
  expect(reachOf(search)).toBe(reach);
});

test.each([
  ["the list form", `areas/alquiler-viviendas/?shape=${encodeURIComponent(DRAWING)}`],
  ["the map form", `areas/alquiler-viviendas/mapa-google?shape=${encodeURIComponent(DRAWING)}`],
  ["the raw form", `areas/alquiler-viviendas/?shape=${DRAWING}`],
  ["one more pair of parentheses", `areas/alquiler-viviendas/?shape=${encodeURIComponent(`(${DRAWING})`)}`],
  ["a page of it", `areas/alquiler-viviendas/pagina-2?shape=${encodeURIComponent(DRAWING)}`],
  ["a point's rectangle", `point/alquiler-viviendas/15/?shape=${encodeURIComponent(DRAWING)}`],
])("a drawing is the same search in %s", (_, path) => {
  const { search, searchKey } = understood(SITE + path);
  expect(search.where.type).toBe("drawn");
  expect(searchKey).toBe(
    understood(`${SITE}areas/alquiler-viviendas/?shape=${encodeURIComponent(DRAWING)}`).searchKey,
  );
});

test("WIZ-09 text around the link and extra parameters are removed and reported", () => {
  const parsed = understood(
    "Mira esto 👉 http://idealista.com/en/alquiler-viviendas/madrid-madrid/con-precio-hasta_900/pagina-3.htm?ordenado-por=precios-asc&utm_source=wa&x=1#map !",
  );
  expect(parsed.canonicalUrl).toBe(
    `${SITE}en/alquiler-viviendas/madrid-madrid/con-precio-hasta_900/?ordenado-por=fecha-publicacion-desc`,
  );
  expect(parsed.searchKey).toBe(
    `${SITE}alquiler-viviendas/madrid-madrid/con-precio-hasta_900/?ordenado-por=fecha-publicacion-desc`,
  );
  expect(parsed.portalLanguage).toBe("en");
  expect(parsed.repairs).toEqual([
    { code: "share-text" },
    { code: "https" },
    { code: "fragment" },
    { code: "added-www" },
    { code: "page-number" },
    { code: "sort-order" },
    { code: "tracking" },
    { code: "dropped-parameter", detail: "x" },
  ]);
});

test("WIZ-09 a canonical link is unchanged and needs no repairs", () => {
  const url = `${SITE}venta-viviendas/madrid-madrid/con-ascensor/?ordenado-por=fecha-publicacion-desc`;
  expect(understood(url)).toMatchObject({ canonicalUrl: url, repairs: [] });
});

test.each([
  ["spaces around", "  https://www.idealista.com/venta-viviendas/madrid-madrid/\n"],
  ["no scheme", "www.idealista.com/venta-viviendas/madrid-madrid/"],
  ["no scheme and no www", "idealista.com/venta-viviendas/madrid-madrid"],
  ["no scheme but slashes", "//www.idealista.com/venta-viviendas/madrid-madrid/"],
  ["capitals", "HTTPS://WWW.Idealista.COM/Venta-Viviendas/Madrid-Madrid/"],
  [
    "no closing slash before the query",
    "https://www.idealista.com/venta-viviendas/madrid-madrid?ordenado-por=precios-asc",
  ],
  ["angle brackets", "<https://www.idealista.com/venta-viviendas/madrid-madrid/>"],
  ["parentheses", "(https://www.idealista.com/venta-viviendas/madrid-madrid/)"],
  ["a closing full stop", "See https://www.idealista.com/venta-viviendas/madrid-madrid/."],
  [
    "text on the next line",
    "https://www.idealista.com/venta-viviendas/madrid-madrid/\nEnviado desde mi iPhone",
  ],
  ["another site's link before", "https://t.me/x https://www.idealista.com/venta-viviendas/madrid-madrid/"],
  [
    "a listing's link before",
    "https://www.idealista.com/inmueble/1/ https://www.idealista.com/venta-viviendas/madrid-madrid/",
  ],
  ["doubled slashes", "https://www.idealista.com//venta-viviendas//madrid-madrid//"],
  ["an invisible mark at the end", "https://www.idealista.com/venta-viviendas/madrid-madrid/\u200b"],
  [
    "an Android app link",
    "android-app://com.idealista.android/https/www.idealista.com/venta-viviendas/madrid-madrid/",
  ],
  ["an Android intent", "intent://www.idealista.com/venta-viviendas/madrid-madrid/#Intent;scheme=https;end"],
  ["full-width dots (U22)", "https://www。idealista。com/venta-viviendas/madrid-madrid/"],
  ["http (U01)", "http://www.idealista.com/venta-viviendas/madrid-madrid/"],
  [
    "a fragment with a host in it (U08)",
    "https://www.idealista.com/venta-viviendas/madrid-madrid/#@evil.com",
  ],
  [
    "markup in the query (U28)",
    "https://www.idealista.com/venta-viviendas/madrid-madrid/?q=<script>alert(1)</script>",
  ],
])("a link with %s is parsed", (_, text) => {
  expect(understood(text).searchKey).toBe(
    `${SITE}venta-viviendas/madrid-madrid/?ordenado-por=fecha-publicacion-desc`,
  );
});

test.each<[NotASearch, string]>([
  ["empty", ""],
  ["empty", " \n\t\u200b "],
  ["not-a-url", "Chamberí, 2 dormitorios"],
  ["not-a-url", "javascript:alert(1)//www.idealista.com/venta-viviendas/madrid-madrid/"],
  ["not-a-url", "data:text/html,https://www.idealista.com/venta-viviendas/madrid-madrid/"],
  ["not-a-url", "file:///www.idealista.com/venta-viviendas/madrid-madrid/"],
  ["unsafe-url", "https://www.idealista.com@evil.com/venta-viviendas/madrid-madrid/"],
  ["unsafe-url", "https://user:pass@www.idealista.com/venta-viviendas/madrid-madrid/"],
  ["unsafe-url", "https://www.idealista.com:8443/venta-viviendas/madrid-madrid/"],
  ["unsafe-url", "https://www.idealista.com\\@evil.com/venta-viviendas/madrid-madrid/"],
  ["unsafe-url", "https://www%2eidealista%2ecom/venta-viviendas/madrid-madrid/"],
  ["unsafe-url", "https://www.idealista.com%00.evil.com/venta-viviendas/madrid-madrid/"],
  ["unsafe-url", "https://www.idealista.com./venta-viviendas/madrid-madrid/"],
  ["unsafe-url", "https://www.idealista.com/venta-viviendas/\u0000madrid-madrid/"],
  ["unsafe-url", "https://[::1]/venta-viviendas/madrid-madrid/"],
  ["unsafe-url", "https://[::ffff:127.0.0.1]/"],
  ["unsafe-url", "https:www.idealista.com/venta-viviendas/madrid-madrid/"],
  ["other-site", "https://evil.com/www.idealista.com/venta-viviendas/madrid-madrid/"],
  ["other-site", "https://www.idealista.com.evil.com/venta-viviendas/madrid-madrid/"],
  ["other-site", "https://evilidealista.com/venta-viviendas/madrid-madrid/"],
  ["other-site", "https://127.0.0.1/venta-viviendas/madrid-madrid/"],
  ["other-site", "https://2130706433/"],
  ["other-site", "https://0x7f.1/"],
  ["other-site", "http://169.254.169.254/latest/meta-data/"],
  ["other-site", "https://www.ide\u0430lista.com/venta-viviendas/madrid-madrid/"],
  ["other-site", "https://www.fotocasa.es/es/alquiler/viviendas/madrid-capital/todas-las-zonas/l"],
  ["other-country", "https://www.idealista.it/affitto-case/roma-roma/"],
  ["other-country", "idealista.pt/comprar-casas/lisboa/"],
  ["home-page", "https://www.idealista.com"],
  ["home-page", "https://www.idealista.com/en/"],
  ["one-listing", "https://www.idealista.com/inmueble/104046409/"],
  ["one-listing", "https://www.idealista.com/en/inmueble/104046409/foto/3/"],
  ["one-development", "https://www.idealista.com/obra-nueva/98765432/"],
  ["agency", "https://www.idealista.com/pro/una-agencia/venta-viviendas/madrid-madrid/"],
  ["zone-picker", "https://www.idealista.com/venta-oficinas/barcelona-barcelona/mapa"],
  ["municipality-list", "https://www.idealista.com/venta-viviendas/madrid-provincia/municipios"],
  ["map-position", "https://www.idealista.com/point/venta-viviendas/36.71643/-4.30017/17/mapa-google"],
  ["no-place", "https://www.idealista.com/venta-viviendas/"],
  ["no-place", "https://www.idealista.com/geo/venta-viviendas/con-piscina/"],
  ["not-a-search", "https://www.idealista.com/ayuda/articulos/"],
  ["not-a-search", "https://www.idealista.com/alquiler-vacacional/malaga-malaga/"],
  ["broken-shape", "https://www.idealista.com/areas/venta-viviendas/"],
  ["broken-shape", "https://www.idealista.com/areas/venta-viviendas/?shape=((old_shape))"],
  ["broken-shape", "https://www.idealista.com/areas/venta-viviendas/?shape=((oyybFvtcc@rH"],
  [
    "broken-shape",
    `https://www.idealista.com/areas/venta-viviendas/?shape=${encodeURIComponent("((_p~iF~ps|U_ulLnnqC_mqNvxq`@))")}`,
  ],
  ["broken-path", "https://www.idealista.com/venta-viviendas/%2e%2e/inmueble/"],
  ["broken-path", "https://www.idealista.com/venta-viviendas/madrid%0d%0aSet-Cookie/"],
  ["broken-path", "https://www.idealista.com/venta-viviendas/madrid%2Fcentro/"],
  ["broken-path", "https://www.idealista.com/venta-viviendas/%E0%A4%A/"],
  ["broken-path", "https://www.idealista.com/venta-viviendas/madrid-madrid/con-<b>/"],
  ["broken-path", "https://www.idealista.com/venta-viviendas/con-piscina/madrid-madrid/"],
  ["broken-path", "https://www.idealista.com/venta-viviendas/madrid-madrid/con-piscina/con-garaje/"],
  [
    "broken-path",
    "https://www.idealista.com/arrendar/com-preco-max_5/".replace("arrendar", "venta-viviendas"),
  ],
  ["broken-path", "https://www.idealista.com/multi/venta-viviendas/abcd/"],
  ["split-link", "https://www.idealista.com/venta-viviendas/madrid-madrid/con-precio-hasta_150\n000/"],
  ["split-link", "https://www.idealista.com/venta-viviendas/madrid-madrid/\r\ncon-precio-hasta_150000/"],
  ["too-long", `https://www.idealista.com/venta-viviendas/madrid-madrid/?x=${"a".repeat(3000)}`],
])("%s is the reason to refuse %j", (reason, text) => {
  expect(reasonFor(text)).toBe(reason);
});

test("a link whose canonical form exceeds the limit is too long", () => {
  const corners = Array.from({ length: 450 }, (_, index) => ({
    latitude: 40.4 + 0.01 * Math.sin(index / 40),
    longitude: -3.7 + 0.02 * Math.cos(index / 40),
  }));
  const raw = `${SITE}areas/venta-viviendas/?shape=((${encodePolyline(corners)}))`;
  expect(raw.length).toBeLessThan(2048);
  expect(reasonFor(raw)).toBe("too-long");
});

test("unknown words are kept in the link, reported, and part of the search key", () => {
  const { search, canonicalUrl } = understood(
    `${SITE}venta-viviendas/madrid-madrid/con-tres-o-mas-habitaciones,ascensor,planta-baja/`,
  );
  expect(search.unknownTokens).toEqual(["planta-baja", "tres-o-mas-habitaciones"]);
  expect(search.features).toEqual(["lift"]);
  expect(canonicalUrl).toContain("/con-ascensor,planta-baja,tres-o-mas-habitaciones/");
});

test.each([
  ["a number that is none", "precio-hasta_barato", ["precio-hasta_barato"], null],
  ["a number too great", "precio-hasta_12345678901", ["precio-hasta_12345678901"], null],
  ["a price of nothing", "precio-hasta_0", ["precio-hasta_0"], null],
  ["a second answer", "precio-hasta_900,precio-hasta_800", ["precio-hasta_800"], 900],
  ["the same answer twice", "precio-hasta_900,precio-hasta_900", [], 900],
  ["leading zeros", "precio-hasta_000900", [], 900],
])("%s never becomes another price", (_, words, unknownTokens, maxPriceEur) => {
  const { search } = understood(`${SITE}venta-viviendas/madrid-madrid/con-${words}/`);
  expect(search).toMatchObject({ unknownTokens, maxPriceEur });
});

test("a word of another kind of property is unknown here", () => {
  expect(understood(`${SITE}venta-viviendas/madrid-madrid/con-naves/`).search.unknownTokens).toEqual([
    "naves",
  ]);
  expect(understood(`${SITE}venta-viviendas/madrid-madrid/con-3-dormitorios/`).search.unknownTokens).toEqual([
    "3-dormitorios",
  ]);
});
