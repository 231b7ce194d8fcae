import fc from "fast-check";
import { expect, test } from "vitest";
import { anySearch } from "#test/fixtures/any-search.ts";
import { drawn } from "#test/seeded.ts";
import { normaliseSearch } from "./normalise-search.ts";
import { parseSearchUrl } from "./url/parse-search-url.ts";
import { PORTAL_LANGUAGES } from "./url/portal-words.ts";

test("parsing a normalised search returns the same search", () => {
  fc.assert(
    fc.property(anySearch, fc.option(fc.constantFrom(...PORTAL_LANGUAGES)), (search, language) => {
      const { canonicalUrl, searchKey } = normaliseSearch(search, language);
      fc.pre(canonicalUrl.length <= 2048);
      expect(parseSearchUrl(canonicalUrl)).toEqual({
        ok: true,
        search,
        portalLanguage: language,
        canonicalUrl,
        searchKey,
        repairs: [],
      });
    }),
    drawn(1000),
  );
});

/** Fragments of links and other text. */
const scrap = fc.oneof(
  fc.constantFrom(
    "https://",
    "http://",
    "www.",
    "idealista.com",
    "/",
    "venta-viviendas",
    "alquiler-viviendas",
    "madrid-madrid",
    "madrid",
    "chamberi",
    "con-",
    ",",
    "precio-hasta_900",
    "ascensor",
    "?",
    "&",
    "shape=((",
    "))",
    "%28",
    "%",
    "areas",
    "buscar",
    "geo",
    "multi",
    "pagina-2.htm",
    "en",
    " ",
    "\n",
    "#",
    "@",
    "\\",
  ),
  fc.string({ maxLength: 6 }),
);
const pasted = fc.oneof(
  fc.string({ unit: "binary", maxLength: 300 }),
  fc.array(scrap, { maxLength: 25 }).map((scraps) => scraps.join("")),
  fc.array(scrap, { maxLength: 25 }).map((scraps) => `https://www.idealista.com/${scraps.join("")}`),
  fc
    .array(fc.constantFrom("madrid", "a", "con-ascensor,zz", "x_y", "%41", "mapa-google", "pagina-3"), {
      maxLength: 5,
    })
    .map((segments) => `www.idealista.com/buscar/venta-viviendas/${segments.join("/")}`),
);

test("any text gets an answer, and parsing the canonical link again changes nothing", () => {
  fc.assert(
    fc.property(pasted, (text) => {
      const parsed = parseSearchUrl(text);
      if (!parsed.ok) return;
      const again = parseSearchUrl(parsed.canonicalUrl);
      expect(again).toEqual({ ...parsed, repairs: [] });
      expect(parsed.canonicalUrl).toMatch(/^https:\/\/www\.idealista\.com\/[!-~]+$/);
    }),
    drawn(3000),
  );
});

test("no text of 2,048 characters takes long to parse", () => {
  const fillers = [
    "(",
    ")",
    "((",
    "))((",
    "%",
    "%28",
    "/",
    "-",
    "a-",
    ",",
    "con-",
    "@",
    "?",
    "&",
    "=",
    ".",
    "\u200b",
    "\n",
    " h",
    "https://",
    "_",
    "\\",
    "www.idealista.com/ ",
    "a",
    "~",
  ];
  const heads = [
    "",
    "https://www.idealista.com/",
    "https://www.idealista.com/venta-viviendas/",
    "https://www.idealista.com/areas/venta-viviendas/?shape=",
    "https://www.idealista.com/venta-viviendas/madrid-madrid/con-",
  ];
  const from = performance.now();
  let answered = 0;
  for (const head of heads) {
    for (const filler of fillers) {
      parseSearchUrl((head + filler.repeat(2048)).slice(0, 2048));
      answered++;
    }
  }
  expect(answered).toBe(heads.length * fillers.length);
  // Normally a millisecond each. Catastrophic backtracking would take minutes.
  expect(performance.now() - from).toBeLessThan(20_000);
});
