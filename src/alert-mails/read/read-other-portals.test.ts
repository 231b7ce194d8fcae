import { describe, expect, test } from "vitest";
import { eventsOf } from "#test/alert-mails/written-mail.ts";

describe("MAIL-01 other portals", () => {
  test("fotocasa, from its text part", async () => {
    const link =
      "https://www.fotocasa.es/es/comprar/vivienda/badalona/centre/190415349/d?stc=em-realtime&amp;utm_medium=email";
    const text = `Hola\n\nREBAJADO ( ${link} )\n\n199.000 € ( ${link} )\n\npiso · Carrer de X 9, Badalona ( ${link} )\n\n3 habs · 85 m² · 1 baño ( ${link} )`;
    const from = "Alertas fotocasa <enviosfotocasa@fotocasa.es>";
    expect((await eventsOf({ from, subject: "Tienes 1 anuncio", text }))[0]).toMatchObject({
      event: "cheaper",
      listingId: "fotocasa:190415349",
      url: "https://www.fotocasa.es/es/comprar/vivienda/badalona/centre/190415349/d",
      operation: "sale",
      priceEur: 199_000,
      rooms: 3,
      areaM2: 85,
    });
  });

  test("habitaclia, in its charset, without the part of the path that identifies the recipient", async () => {
    const link =
      "https://www.habitaclia.com/i41348000000162/28090374/express/alertas/email/20260805-e_nuevo_example-com_img.htm";
    const html = `<a href="${link}"><span> 1.500 &euro; </span></a><a href="${link}"><p>Piso en Barcelona - Sants<br><font>Carrer de Galileu</font></p>
      <span><b>60m<sup>2</sup></b> | <b>2 hab.</b></span><p>Piso acogedor y muy bien situado, junto al mercado…</p></a><a href="${link}"><span>Ha bajado 100 &#8364;</span></a>
      <p>Te recomendamos</p><a href="https://www.habitaclia.com/i999999/x.htm">900 €</a>`;
    const events = await eventsOf({
      from: "Alertas de habitaclia <alertas@email.habitaclia.com>",
      subject: "1 novedad en Barcelona en alquiler vivienda",
      charset: "iso-8859-1",
      html,
    });
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({
      event: "cheaper",
      listingId: "habitaclia:41348000000162",
      url: "https://www.habitaclia.com/i41348000000162/",
      operation: "rent",
      priceEur: 1_500,
      formerPriceEur: 1_600,
      rooms: 2,
      areaM2: 60,
      address: ["Carrer de Galileu", "Sants", "Barcelona"],
    });
    expect(JSON.stringify(events)).not.toContain("example-com");
  });

  test("yaencontre", async () => {
    const link = "https://www.yaencontre.com/alquiler/piso/inmueble-51254-110223344?utm_source=alert";
    const html = `<a href="${link}">Piso en Calle Mayor, Madrid</a><a href="${link}">1.100 €</a><a href="${link}">3 hab. | 1 baños | 110 m²</a>`;
    expect(
      (
        await eventsOf({
          from: "Alertas yaencontre <no-reply@envios.yaencontre.com>",
          subject: "Novedades",
          html,
        })
      )[0],
    ).toMatchObject({
      listingId: "yaencontre:51254-110223344",
      url: "https://www.yaencontre.com/alquiler/piso/inmueble-51254-110223344",
      operation: "rent",
      priceEur: 1_100,
      rooms: 3,
      areaM2: 110,
    });
  });
});
