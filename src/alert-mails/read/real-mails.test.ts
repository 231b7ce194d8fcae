import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readAlertMail } from "./read-alert-mail.ts";

const SAMPLES = new URL("../../../../shared/data/alert-mails/", import.meta.url);

describe.skipIf(!existsSync(SAMPLES))("MAIL-01 real mails, stored outside the repository", () => {
  const sample = (name: string) => readAlertMail(readFileSync(new URL(name, SAMPLES)));

  test("idealista, a private owner's new flat for rent", async () => {
    const { reading, sentAt, from } = await sample("idealista-es-new-rent-private-2026-08-05.eml");
    expect(from).toBe("noresponder@idealista.com");
    expect(sentAt).toEqual(new Date("2026-08-05T16:24:56+02:00"));
    expect(reading).toEqual({
      type: "alert",
      portal: "idealista.com",
      unread: [],
      events: [
        {
          event: "new",
          portal: "idealista.com",
          code: "112208779",
          listingId: "112208779",
          url: "https://www.idealista.com/inmueble/112208779/",
          operation: "rent",
          kind: "homes",
          typology: "flat",
          subTypology: null,
          isPrivate: true,
          isAuction: false,
          title: "Piso en Calle de Pallars, 294, El Poblenou, Barcelona",
          address: ["Calle de Pallars, 294", "El Poblenou", "Barcelona"],
          priceEur: 1_300,
          formerPriceEur: null,
          rooms: 2,
          areaM2: 67,
          floor: "en",
          hasLift: true,
          isExterior: true,
          photoUrl:
            "https://img4.idealista.com/blur/500_375_mq/0/id.pro.es.image.master/76/a9/5b/1462281795.jpg",
          photoCount: 1,
          description:
            "Piso reformado y amueblado de 2 habitaciones en Poblenou. Vivienda completamente reformada en 2025, funcional y toda exterior. Situada en la primera planta de una finca con ascens...",
          searchUrl: expect.stringMatching(
            /^https:\/\/www\.idealista\.com\/areas\/alquiler-viviendas\/con-precio-hasta_1500,metros-cuadrados-mas-de_60,de-dos-dormitorios,de-tres-dormitorios,de-cuatro-cinco-habitaciones-o-mas,alquiler-de-larga-temporada\/\?shape=%28%28m%7Cs%7BF[^&]+%29%29$/,
          ),
        },
      ],
    });
    expect(JSON.stringify(reading)).not.toMatch(/utm_|REDACTED|Usuario/);
  });

  test("habitaclia, four new and two cheaper", async () => {
    const { reading } = await sample("habitaclia-six_listings.eml");
    if (reading.type !== "digest") throw new Error(reading.type);
    expect(reading.unread).toEqual([]);
    expect(
      reading.events.map((event) => [
        event.event,
        event.listingId,
        event.operation,
        event.priceEur,
        event.formerPriceEur,
        event.areaM2,
        event.rooms,
        event.address,
      ]),
    ).toEqual([
      ["new", "habitaclia:41348000000162", "rent", 1_275, null, 75, 2, ["Barcelona"]],
      ["new", "habitaclia:4101004349047", "rent", 1_458, null, 110, 3, ["Barcelona"]],
      ["new", "habitaclia:52795000012648", "rent", 1_350, null, 95, 3, ["Carrer de Lepant", "Barcelona"]],
      ["new", "habitaclia:50824000006424", "rent", 1_350, null, 90, 3, ["Barcelona"]],
      [
        "cheaper",
        "habitaclia:52795000012419",
        "rent",
        1_500,
        1_600,
        60,
        2,
        ["Carrer de Mallorca", "Barcelona"],
      ],
      ["cheaper", "habitaclia:55551000003994", "rent", 1_500, 1_600, 55, 2, ["Barcelona"]],
    ]);
    expect(reading.events[0]).toMatchObject({
      url: "https://www.habitaclia.com/i41348000000162/",
      title: "Piso en Barcelona - L´Antiga Esquerra...",
      description: "Piso excelentemente situado pleno Eixample Izquierdo, en la calle Aragó-Comte...",
      photoUrl: "https://images.habimg.com/imgh/41348-162/_017ba65f-5a95-4977-a3e0-05f43c84878a.jpg",
    });
    expect(JSON.stringify(reading)).not.toMatch(/utm_|fastmail|28090374/);
  });

  test("fotocasa, one new flat for rent", async () => {
    const { reading } = await sample("fotocasa-new_listing.eml");
    expect(reading).toEqual({
      type: "alert",
      portal: "fotocasa",
      unread: [],
      events: [
        {
          event: "new",
          portal: "fotocasa",
          code: "190415349",
          listingId: "fotocasa:190415349",
          url: "https://www.fotocasa.es/es/alquiler/vivienda/badalona/centre/190415349/d",
          operation: "rent",
          kind: "homes",
          typology: "flat",
          subTypology: null,
          isPrivate: null,
          isAuction: false,
          title: "piso · Carrer de la Creu91, Badalona",
          address: ["Carrer de la Creu91", "Badalona"],
          priceEur: 1_400,
          formerPriceEur: null,
          rooms: 3,
          areaM2: 85,
          floor: null,
          hasLift: null,
          isExterior: null,
          photoUrl: null,
          photoCount: null,
          description: null,
          searchUrl: null,
        },
      ],
    });
  });

  test("cards and texts copied from other mails", async () => {
    const snippets = readFileSync(new URL("idealista-es-digest-and-drop.snippets.txt", SAMPLES), "utf8");
    const read = async (html: string, subject: string) => {
      const head = `From: noresponder@idealista.com\r\nSubject: ${subject}\r\nMIME-Version: 1.0\r\nContent-Type: text/html; charset=utf-8`;
      return (await readAlertMail(Buffer.from(`${head}\r\n\r\n${html}`))).reading;
    };
    const [, digest = "", single = ""] = snippets.split(/^\(a\).*$/m);
    expect(await read(digest.split("->")[0] ?? "", "Resumen diario de nuevos anuncios")).toMatchObject({
      type: "digest",
      events: [
        {
          code: "112081261",
          priceEur: 280_000,
          rooms: 3,
          areaM2: 140,
          subTypology: "terracedHouse",
          address: ["Urbanizacion Nuevo Portil, 14", "Nuevo Portil", "Cartaya"],
        },
      ],
    });
    expect(await read(single.split("(b) as text")[0] ?? "", "Nuevo chalet en tu busqueda")).toMatchObject({
      type: "alert",
      events: [
        {
          code: "112123016",
          priceEur: 265_000,
          rooms: 3,
          areaM2: 110,
          address: ["Islantilla Golf", "Islantilla"],
        },
      ],
    });
    const lines = (text: string) =>
      `<a href="https://www.idealista.com/inmueble/1234567/">${text.replaceAll(" / ", "</a><p>")}</p>`;
    const drop = /^Piso en Calle Federico.*$/m.exec(snippets)?.[0] ?? "";
    expect(await read(lines(drop), "Bajada de precio en tu busqueda")).toMatchObject({
      events: [
        {
          event: "cheaper",
          priceEur: 178_900,
          formerPriceEur: 184_900,
          areaM2: 52,
          rooms: 1,
          floor: "8",
          address: ["Calle Federico Martínez Varea, 15", "Los Vadillos", "Burgos"],
        },
      ],
    });
  });
});
