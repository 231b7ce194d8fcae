import { expect, test } from "vitest";
import { LANGUAGES } from "#core/languages.ts";
import { HOSTILE_URLS } from "#test/fixtures/hostile-urls.ts";
import { testWords } from "#web/lib/i18n/test-words.ts";
import { EXAMPLE_URL, understandUrl } from "./understand-url.ts";

const inEnglish = { words: testWords("search", "en"), canSearchByUrl: false };
const CLEAN =
  "https://www.idealista.com/alquiler-viviendas/madrid-madrid/?ordenado-por=fecha-publicacion-desc";
const ZONES =
  "https://www.idealista.com/multi/venta-viviendas/a1b,zz9/con-precio-desde_9,precio-hasta_5,lujo/";

test.each(HOSTILE_URLS)("WIZ-02 %s", (_, url, answer) => {
  const understanding = understandUrl(url, inEnglish);
  if (answer === "repaired") expect(understanding).toMatchObject({ state: "understood", url: CLEAN });
  else expect(understanding).toMatchObject({ state: "refused", reason: answer });
});

test("a text of spaces is empty", () => {
  expect(understandUrl(" \n ", inEnglish)).toEqual({ state: "empty" });
});

test("WIZ-10 the example of the page is understood and normalised in every language", () => {
  for (const language of LANGUAGES) {
    const understanding = understandUrl(EXAMPLE_URL, {
      words: testWords("search", language),
      canSearchByUrl: false,
    });
    expect(understanding).toMatchObject({
      isBlocked: false,
      limits: [],
      repairs: [{ code: "page-number" }],
      text: expect.stringContaining("Chamberí"),
    });
  }
});

test("WIZ-10 a search that needs a source by URL is blocked without one", () => {
  const blocked = understandUrl(ZONES, inEnglish);
  expect(blocked).toMatchObject({ state: "understood", isBlocked: true });
  expect(blocked.state === "understood" && blocked.limits.map(({ code }) => code)).toEqual([
    "zones-unknown",
    "impossible-range",
    "seldom-in-data",
  ]);
});

test("WIZ-10 with a source by URL the portal filters, and only filters that match nothing are reported", () => {
  const served = understandUrl(ZONES, { ...inEnglish, canSearchByUrl: true });
  expect(served).toMatchObject({ isBlocked: false });
  expect(served.state === "understood" && served.limits.map(({ code }) => code)).toEqual([
    "impossible-range",
  ]);
});

test.each([
  ["madrid/chambery/con-precio-hasta_900", "Chamberí, Madrid", "madrid/chamberi/con-precio-hasta_900"],
  ["alcovendas-madrid", "Alcobendas, Madrid", "alcobendas-madrid"],
  ["javea-xabia-alicante", "Jávea/Xàbia, Alicante", "javeaxabia-alicante"],
])("MANY-06 %s is flagged, and %s is offered with the repaired link", (place, name, repaired) => {
  const url = (path: string) => `https://www.idealista.com/en/alquiler-viviendas/${path}/`;
  const understanding = understandUrl(url(place), inEnglish);
  expect(understanding).toMatchObject({
    limits: expect.arrayContaining([expect.objectContaining({ code: "place-not-listed" })]),
    nearest: { name, url: `${url(repaired)}?ordenado-por=fecha-publicacion-desc` },
  });
  const after = understandUrl(url(repaired), inEnglish);
  expect(after).toMatchObject({ limits: [], nearest: undefined });
});

test("MANY-06 a place unlike any known one is flagged without a guess", () => {
  const narnia = understandUrl("https://www.idealista.com/venta-viviendas/narnia-madrid/", inEnglish);
  expect(narnia).toMatchObject({
    limits: [{ code: "place-not-listed" }],
    nearest: undefined,
    isBlocked: false,
  });
  const outside = "https://www.idealista.com/venta-viviendas/narnia/";
  expect(understandUrl(outside, inEnglish)).toMatchObject({
    limits: [{ code: "place-unknown" }],
    isBlocked: true,
  });
  // A source that reads the portal by URL can watch it, but the page still says what is unusual.
  expect(understandUrl(outside, { ...inEnglish, canSearchByUrl: true })).toMatchObject({
    limits: [{ code: "place-not-listed" }],
    isBlocked: false,
  });
});

test("LINK-01 WIZ-09 the link to save is newest first and keeps the portal's language", () => {
  const pasted =
    "Mira: http://idealista.com/en/alquiler-viviendas/madrid-madrid/pagina-4.htm?utm_source=app&ordenado-por=precios-asc";
  expect(understandUrl(pasted, inEnglish)).toMatchObject({
    url: CLEAN.replace(".com/", ".com/en/"),
    repairs: [
      { code: "share-text" },
      { code: "https" },
      { code: "added-www" },
      { code: "page-number" },
      { code: "tracking" },
      { code: "sort-order" },
    ],
  });
});
