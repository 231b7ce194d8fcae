import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type NotASearch, parseSearchUrl } from "./parse-search-url.ts";

const SITE = "https://www.idealista.com/";
const ORDER = "ordenado-por=fecha-publicacion-desc";
const MADRID = `${SITE}venta-viviendas/madrid-madrid/`;
const DRAWING = encodeURIComponent("((ep}bFxcjc@ajAojCaPsoBriByJ))").replace(/[()~]/g, hexOf);

function hexOf(char: string): string {
  return `%${char.charCodeAt(0).toString(16).toUpperCase()}`;
}

function canonicalOf(text: string): string | undefined {
  const parsed = parseSearchUrl(text);
  return parsed.ok ? parsed.canonicalUrl : undefined;
}

test.each([
  [MADRID, `${MADRID}?${ORDER}`],
  [`https://idealista.com/venta-viviendas/madrid-madrid/?ordenado-por=precios-asc`, `${MADRID}?${ORDER}`],
  [
    `${SITE}areas/venta-viviendas/?shape=${DRAWING}&ordenado-por=x&b=1#map`,
    expect.stringMatching(new RegExp(`/areas/venta-viviendas/\\?shape=%28%28[^&]+%29%29&${ORDER}$`)),
  ],
  [`${MADRID}?${ORDER}`, `${MADRID}?${ORDER}`],
])("LINK-01 the canonical link of %s is ordered by date", (link, ordered) => {
  expect(canonicalOf(link)).toEqual(ordered);
});

test.each([
  "www.idealista.com/venta-viviendas/madrid-madrid/",
  "idealista.com/venta-viviendas/madrid-madrid/?ordenado-por=precios-asc&b=1",
  "//idealista.com/venta-viviendas/madrid-madrid/?b=1&ordenado-por=precios-asc",
])("LINK-01 %s, without a scheme, loses its order and is ordered by date", (link) => {
  expect(canonicalOf(link)).toBe(`${MADRID}?${ORDER}`);
});

test.each([
  ["https://www.idealista.com/inmueble/104046409/", "one-listing"],
  ["https://www.idealista.com/en/inmueble/104046409/?x=1", "one-listing"],
  ["www.idealista.com/inmueble/104046409/", "one-listing"],
  ["https://www.idealista.com/obra-nueva/98765432/", "one-development"],
  ["http://[x/idealista.com/a?ordenado-por=y", "unsafe-url"],
  ["https://evil.com/?u=https://www.idealista.com/", "other-site"],
  ["https://notidealista.com/a/", "other-site"],
  ["https://www.idealista.com.evil.com/", "other-site"],
  ["https://www.idealista.it/a/", "other-country"],
  ["not a link", "not-a-url"],
  ["", "empty"],
])("LINK-01 %j is refused as %s and never becomes a link", (link, reason) => {
  expect(parseSearchUrl(link)).toEqual({ ok: false, reason });
});

test("LINK-01 ordering a canonical link again changes nothing", () => {
  const once = canonicalOf("https://www.idealista.com/venta-viviendas/madrid-madrid?b=1") ?? "";
  expect(canonicalOf(once)).toBe(once);
});

test("searches that differ only in order, language, page and case have one key", () => {
  const keys = [
    "alquiler-viviendas/madrid/chamberi/con-precio-hasta_1500,ascensor,garaje/",
    "alquiler-viviendas/madrid/chamberi/con-garaje,ascensor,precio-hasta_1500/pagina-2.htm",
    "ru/alquiler-viviendas/madrid/chamberi/con-ascensor,precio-hasta_1500,garaje,garaje/?ordenado-por=area-desc",
    "alquiler-viviendas/Madrid/Chamberi/con-ascensor,precio-hasta_1500,garaje/mapa-google",
  ].map((path) => {
    const parsed = parseSearchUrl(SITE + path);
    return parsed.ok ? parsed.searchKey : parsed.reason;
  });
  expect(new Set(keys).size).toBe(1);
  expect(keys[0]).toMatch(/^https:/);
});

const REAL_URLS = "../shared/data/portal-urls.json";
/** The reasons for which some of the real URLs are refused. */
const REFUSALS: readonly (readonly [RegExp, NotASearch])[] = [
  [/idealista\.(it|pt)\//, "other-country"],
  [/\/pro\//, "agency"],
  [/\/point\/.*mapa-google$/, "map-position"],
  [/\/mapa$/, "zone-picker"],
  [/old_shape/, "broken-shape"],
];

test.skipIf(!existsSync(REAL_URLS))(
  "every real URL is parsed completely or refused for the right reason (skipped without the data)",
  () => {
    const cases = JSON.parse(readFileSync(REAL_URLS, "utf8")) as { url: string }[];
    expect(cases.length).toBeGreaterThan(150);
    for (const { url } of cases) {
      const expected = REFUSALS.find(([pattern]) => pattern.test(url))?.[1] ?? "understood";
      const parsed = parseSearchUrl(url);
      expect([url, parsed.ok ? "understood" : parsed.reason]).toEqual([url, expected]);
      if (!parsed.ok) continue;
      const { search, canonicalUrl, portalLanguage } = parsed;
      // Every word and segment of the URL also occurs in the canonical link.
      const words = (text: string) =>
        new Set(
          decodeURI(text.split("?")[0] ?? "")
            .split(/[/,]/)
            .map((word) => word.replace(/^con-/, "")),
        );
      const dropped = [...words(url)].filter((word) => !words(canonicalUrl).has(word));
      expect([url, dropped.filter((word) => !/^$|^pagina-\d+(\.htm)?$|^mapa-google$/.test(word))]).toEqual([
        url,
        [],
      ]);
      const known = url.includes("tres-o-mas-habitaciones") ? ["tres-o-mas-habitaciones"] : [];
      expect([url, search.unknownTokens]).toEqual([url, known]);
      expect(portalLanguage === null || url.includes(`/${portalLanguage}/`)).toBe(true);
    }
  },
);
