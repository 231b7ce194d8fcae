import { expect, test } from "vitest";
import { parsePrice, searchOfAnswers } from "./search-answers.ts";
import { parseSearchUrl } from "./url/parse-search-url.ts";

test("START-03 the answers give the canonical link of the portal, which reads back as the same search", () => {
  const { search, url } = searchOfAnswers({
    operation: "rent",
    where: { type: "place", placeId: "0-EU-ES-28-07-001-079-07" },
    maxPriceEur: 1_400,
    bedrooms: [4, 2, 3],
  });
  expect(url).toBe(
    "https://www.idealista.com/alquiler-viviendas/madrid/chamberi/con-precio-hasta_1400,de-dos-dormitorios,de-tres-dormitorios,de-cuatro-cinco-habitaciones-o-mas/?ordenado-por=fecha-publicacion-desc",
  );
  expect(parseSearchUrl(url)).toMatchObject({ ok: true, canonicalUrl: url, search });
});

test.each([
  ["1200", 1_200],
  ["1.200 €", 1_200],
  ["1,200", 1_200],
  ["250 000 EUR", 250_000],
  ["250.000 euros", 250_000],
  ["", null],
  ["0", null],
  ["99999999", 99_999_999],
  ["100000000", undefined],
  ["950,50", undefined],
  ["1.2.3", undefined],
  ["-5", undefined],
  ["€", undefined],
  ["1e3", undefined],
  ["cheap", undefined],
])("START-03 the price %s is read as %s", (typed, price) => {
  expect(parsePrice(typed)).toBe(price);
});

test("START-03 a text of 100 kB is no price", () => {
  expect(parsePrice("9".repeat(100_000))).toBeUndefined();
});
