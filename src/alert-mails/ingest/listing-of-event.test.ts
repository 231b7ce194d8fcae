import { expect, test } from "vitest";
import { comparedZoneOf } from "#core/listing/market.ts";
import { mailEvent } from "#test/alert-mails/mail-events.ts";
import { chooseSearches } from "./choose-searches.ts";
import { decideEvent } from "./decide-event.ts";
import { listingOfEvent } from "./listing-of-event.ts";

const SITE = "https://www.idealista.com";

test.each([
  [
    ["Calle de Ibiza, 12", "Ibiza", "Madrid"],
    ["Calle de Ibiza, 12", "Ibiza", "Retiro", "Madrid", "Madrid"],
  ],
  [
    ["Ibiza", "Madrid"],
    [null, "Ibiza", "Retiro", "Madrid", "Madrid"],
  ],
  [
    ["Calle Mayor", "Madrid"],
    ["Calle Mayor", null, null, "Madrid", "Madrid"],
  ],
  [
    ["Calle Mayor", "Barrio Nuevo", "Madrid"],
    ["Calle Mayor", "Barrio Nuevo", null, "Madrid", "Madrid"],
  ],
  [
    ["Carrer de la Creu", "Badalona"],
    ["Carrer de la Creu", null, null, "Badalona", null],
  ],
  [
    ["Carrer X", "Centre", "Badalona"],
    ["Carrer X", "Centre", null, "Badalona", null],
  ],
  [["Via Roma"], ["Via Roma", null, null, null, null]],
  [[], [null, null, null, null, null]],
])("MAIL-06 the address %j is street, quarter, district, town and province", (address, names) => {
  const listing = listingOfEvent(mailEvent("1", { address }));
  const { neighborhood, district, municipality, province } = listing;
  expect([listing.address, neighborhood, district, municipality, province]).toEqual(names);
});

test("MAIL-06 adverts of the same quarter from a mail and from the API have the same zone", () => {
  const mailed = listingOfEvent(mailEvent("1"));
  const api = { ...mailed, address: "calle de Ibiza", latitude: 40.4, longitude: -3.7, bathrooms: 1 };
  expect(comparedZoneOf(mailed)).toBe(comparedZoneOf(api));
  expect(comparedZoneOf(mailed)).toContain("0-EU-ES-28-07-001-079-03");
});

test("MAIL-06 an advert belongs to the search that the mail links to, in any spelling, else to the first search", () => {
  const filters = [
    { filterUrl: `${SITE}/venta-viviendas/madrid/retiro/`, isPaused: false },
    { filterUrl: `${SITE}/venta-viviendas/madrid/centro/con-precio-hasta_300000,ascensor/`, isPaused: false },
  ];
  const spelled = `${SITE}/en/venta-viviendas/madrid/centro/con-ascensor,precio-hasta_300000/?ordenado-por=precios-asc`;
  const elsewhere = { ...listingOfEvent(mailEvent("1")), operation: "rent" } as const;
  expect(chooseSearches(filters, spelled, elsewhere)).toEqual([filters[1]]);
  for (const other of [
    null,
    `${SITE}/venta-viviendas/madrid/`,
    "https://www.idealista.it/vendita-case/",
    "?",
  ]) {
    expect(chooseSearches(filters, other, elsewhere)).toEqual([filters[0]]);
  }
  expect(chooseSearches([], spelled, elsewhere)).toEqual([]);
  // A search that certainly matches is chosen too.
  expect(chooseSearches(filters, spelled, listingOfEvent(mailEvent("1")))).toEqual(filters);
});

test("MAIL-06 a price drop without a former price is compared with the last known price, and ignored if that is not higher", () => {
  const sentAt = new Date("2026-11-15T12:00:00Z");
  const said = { event: "cheaper", priceEur: 900, formerPriceEur: null } as const;
  const decide = (priceEur: number | null) =>
    decideEvent(
      said,
      {
        listingId: "1",
        row: { priceEur, searchIds: [] },
        mailed: null,
        met: null,
        isHidden: false,
        isWanted: false,
        leftOutIds: [],
      },
      { sentAt, searchIds: [] },
    );
  expect(decide(1_000)).toEqual({ act: "cut", priceEur: 900, formerPriceEur: 1_000 });
  for (const known of [900, 800, null]) expect(decide(known)).toEqual({ act: "none" });
});
