import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readAlertMail } from "./read-alert-mail.ts";

const SAMPLES = new URL("../../../../shared/data/alert-mails/", import.meta.url);

describe.skipIf(!existsSync(SAMPLES))("MAIL-01 real mails, beside the project", () => {
  const sample = (name: string) => readAlertMail(readFileSync(new URL(name, SAMPLES)));

  test("idealista, a private owner's new flat for rent", async () => {
    const { reading } = await sample("idealista-es-new-rent-private-2026-08-05.eml");
    expect(reading).toMatchObject({
      type: "alert",
      events: [
        {
          event: "new",
          listingId: "112208779",
          operation: "rent",
          isPrivate: true,
          title: "Piso en Calle de Pallars, 294, El Poblenou, Barcelona",
          address: ["Calle de Pallars, 294", "El Poblenou", "Barcelona"],
          priceEur: 1_300,
          rooms: 2,
          areaM2: 67,
          floor: "en",
          hasLift: true,
          isExterior: true,
          photoCount: 1,
        },
      ],
    });
  });

  test("habitaclia, four new and two cheaper", async () => {
    const { reading } = await sample("habitaclia-six_listings.eml");
    expect(
      reading.type === "digest" &&
        reading.events.map((event) => [
          event.event,
          event.code,
          event.priceEur,
          event.formerPriceEur,
          event.areaM2,
          event.rooms,
        ]),
    ).toEqual([
      ["new", "41348000000162", 1_275, null, 75, 2],
      ["new", "4101004349047", 1_458, null, 110, 3],
      ["new", "52795000012648", 1_350, null, 95, 3],
      ["new", "50824000006424", 1_350, null, 90, 3],
      ["cheaper", "52795000012419", 1_500, 1_600, 60, 2],
      ["cheaper", "55551000003994", 1_500, 1_600, 55, 2],
    ]);
  });

  test("fotocasa, one new flat for rent", async () => {
    const { reading } = await sample("fotocasa-new_listing.eml");
    expect(reading).toMatchObject({
      events: [
        {
          event: "new",
          listingId: "fotocasa:190415349",
          operation: "rent",
          priceEur: 1_400,
          rooms: 3,
          areaM2: 85,
        },
      ],
    });
  });
});
