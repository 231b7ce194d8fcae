import { expect, test } from "vitest";
import { ENCODED_LINK, LINK, PASTED_FORMS } from "#test/fixtures/pasted-links.ts";
import { furtherSearchUrls, parseListingUrl, parseSearchUrl } from "./parse-search-url.ts";
import { redirectTargetOf } from "./redirect-target.ts";

const OTHER = "https://www.idealista.com/venta-viviendas/getafe-madrid/";
const NEWEST = "?ordenado-por=fecha-publicacion-desc";
test.each(PASTED_FORMS)("LAST-08 %s is understood", (pasted) => {
  const parsed = parseSearchUrl(pasted);
  expect(parsed.ok && parsed.canonicalUrl.replace(/\.com\/(?:es|zh|pt)\//, ".com/")).toBe(LINK + NEWEST);
});

test("LAST-08 a listing's code is found in the same forms", () => {
  const listing = "https://www.idealista.com/zh-hans/inmueble/12345678/";
  for (const pasted of [listing, `*${listing}*`, `[piso](${listing})`]) {
    expect(parseListingUrl(pasted)).toBe("12345678");
  }
  expect(parseListingUrl(`https://www.google.com/url?q=${encodeURIComponent(listing)}`)).toBe("12345678");
});

test("LAST-08 of several links the first search wins, and the others are offered once each", () => {
  const text = `Hola, mira: https://www.fotocasa.es/x\n${LINK}\ny también *${OTHER}* o [otra vez](${OTHER})`;
  const parsed = parseSearchUrl(text);
  expect(parsed.ok && parsed.canonicalUrl).toBe(LINK + NEWEST);
  expect(furtherSearchUrls(text)).toEqual([OTHER + NEWEST]);
  expect(furtherSearchUrls(LINK)).toEqual([]);
});

test("LAST-08 a redirect to another site, without a target or without an end is no search", () => {
  const evil = encodeURIComponent("https://www.idealista.com.evil.example/venta-viviendas/madrid/");
  let nested = LINK;
  for (let depth = 0; depth < 6; depth += 1)
    nested = `https://www.google.com/url?q=${encodeURIComponent(nested)}`;
  const pasted = [
    ...[`https://www.google.com/url?q=${evil}`, "https://www.google.com/url?x=1", nested],
    ...[
      `https://google.com.evil.example/url?q=${ENCODED_LINK}`,
      `https://evil.example/url?q=${ENCODED_LINK}`,
    ],
    ...["https://www.google.com/url?q=javascript:alert(1)", "https://www.google.com/url?q=%E0%A4%A"],
    "https://evil-com.translate.goog/venta-viviendas/madrid/",
  ];
  for (const link of pasted) expect([link, parseSearchUrl(link).ok]).toEqual([link, false]);
});

test("a link that is no redirect stays as written", () => {
  for (const link of [
    LINK,
    "https://[::1]/x",
    "not a link",
    "https://www.idealista.com@evil.example/url?q=1",
  ]) {
    expect(redirectTargetOf(link)).toBe(link);
  }
});
