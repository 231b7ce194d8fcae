import { describe, expect, test } from "vitest";
import { cardOf, eventsOf, mailOf, readMail, TRACKING } from "#test/alert-mails/written-mail.ts";
import { readAlertMail } from "./read-alert-mail.ts";

describe("MAIL-01 idealista", () => {
  test("a new home for sale, with all facts of the card", async () => {
    const search = `https://www.idealista.com/venta-viviendas/granada-granada/con-precio-hasta_300000/?ordenado-por=fecha-publicacion-desc&${TRACKING}&utm_link=listadoXX`;
    const html = `<p>Hola, Ana,</p>${cardOf(
      "112233445",
      `<span>265.000&nbsp;&euro;</span><span> 2.409&nbsp;&euro;/m&sup2;</span></td></tr><tr><td>  110 m&sup2;   3 hab.  2ª planta exterior con ascensor </td></tr><tr><td>
       Piso luminoso con vistas, gastos de comunidad 80 €, a cinco minutos del centro y del hospital, con plaza de garaje opcional por 20.000 €...`,
      { title: "Ático en Calle Elvira, 14, Centro, Granada" },
    )}<a href="${search}">Ver todos los anuncios</a><!-- end of ad -->`;
    const [event] = await eventsOf({ html });
    expect(event).toMatchObject({
      event: "new",
      portal: "idealista.com",
      code: "112233445",
      listingId: "112233445",
      url: "https://www.idealista.com/inmueble/112233445/",
      operation: "sale",
      isPrivate: false,
      typology: "flat",
      subTypology: "penthouse",
      address: ["Calle Elvira, 14", "Centro", "Granada"],
      priceEur: 265_000,
      formerPriceEur: null,
      rooms: 3,
      areaM2: 110,
      floor: "2",
      hasLift: true,
      isExterior: true,
      photoUrl: "https://img4.idealista.com/blur/500_375_mq/0/x/112233445.jpg",
      searchUrl:
        "https://www.idealista.com/venta-viviendas/granada-granada/con-precio-hasta_300000/?ordenado-por=fecha-publicacion-desc",
    });
  });

  test("MAIL-08 the result contains nothing that identifies the recipient", async () => {
    const html = cardOf("1234567", "<span>900 €/mes</span>", { title: "Piso en Calle X, Madrid" });
    expect(JSON.stringify(await readMail({ html }))).not.toMatch(/utm_|somebody-in-particular|0000/);
  });

  test.each([
    [
      "struck through",
      `<span style="text-decoration: line-through">230.000€ </span><span>↓2%</span> <b>225.000 €</b>`,
    ],
    [
      "stated in a sentence",
      "<p>El precio de este anuncio ha bajado de 230.000€ a 225.000€</p><p>225.000 €</p>",
    ],
    ["both", "<p>ha bajado de 230.000€ a 225.000€</p><s>230.000 €</s> ↓2%<p>225.000 €</p>"],
    ["in English", "<p>The price of this listing has dropped from 230,000€ to 225,000€</p><p>225,000 €</p>"],
    ["in Italian", "<p>Il prezzo è sceso da 230.000 € a 225.000 €</p>"],
  ])("a price drop, %s", async (_, body) => {
    const html = cardOf("1234567", body, {
      campaign: "express_priceDrop_sale_particular",
      title: "Piso en Calle X, Madrid",
    });
    expect((await eventsOf({ html }))[0]).toMatchObject({
      event: "cheaper",
      isPrivate: true,
      priceEur: 225_000,
      formerPriceEur: 230_000,
    });
  });

  test.each([
    [
      "en",
      "idealista <noresponder@idealista.com>",
      "https://www.idealista.com/en/inmueble",
      "Detached house in Calle Real, Mijas",
      "59,000 €",
      "3 bed. 140 m² with lift",
      {
        portal: "idealista.com",
        listingId: "99887766",
        priceEur: 59_000,
        rooms: 3,
        areaM2: 140,
        hasLift: true,
      },
    ],
    [
      "it",
      "idealista <nonrispondere@idealista.it>",
      "https://www.idealista.it/immobile",
      "Trilocale in via Roma, 3, Centro, Milano",
      "Da 1.250 €/mese",
      "3 locali 73 m² 1º piano con ascensore",
      {
        portal: "idealista.it",
        listingId: "idealista.it:99887766",
        priceEur: 1_250,
        areaM2: 73,
        floor: "1",
        hasLift: true,
      },
    ],
    [
      "pt",
      "idealista <naoresponder@idealista.pt>",
      "https://www.idealista.pt/imovel",
      "Apartamento T2 na Rua Augusta, Lisboa",
      "475.000 €",
      "T2 65 m² rés do chão sem elevador",
      {
        portal: "idealista.pt",
        listingId: "idealista.pt:99887766",
        priceEur: 475_000,
        rooms: 2,
        floor: "bj",
        hasLift: false,
      },
    ],
  ])("in %s, read by its comment marks", async (_, from, path, title, price, facts, expected) => {
    const campaign = price.includes("/") ? "express_newAd_rent_particular" : "express_newAd_sale_particular";
    const html = cardOf("99887766", `<p>${price}</p><p>${facts}</p>`, { campaign, path, title });
    expect((await eventsOf({ from, html }))[0]).toMatchObject(expected);
  });

  test("a daily digest has all its cards, each with its own price and not the price per m²", async () => {
    const card = (code: string, price: string) =>
      `<a href="https://www.idealista.com/inmueble/${code}/?utm_medium=email" title="Chalet adosado en Urbanización Y, 14, Cartaya"><span>
      <span>${price} &euro;</span> <span>2.000 &euro;/m&sup2;</span></span><mj-raw> 3 hab. 140,00 m&sup2; </mj-raw></a>`;
    const reading = await readMail({
      subject: "Resumen diario de nuevos anuncios",
      html: card("111111111", "280.000") + card("222222222", "290.000") + card("333333333", "1.300.000"),
    });
    expect(reading).toMatchObject({
      type: "digest",
      events: [
        { code: "111111111", priceEur: 280_000, areaM2: 140, rooms: 3, subTypology: "terracedHouse" },
        { code: "222222222", priceEur: 290_000 },
        { code: "333333333", priceEur: 1_300_000 },
      ],
    });
  });

  test("an auction is recognised", async () => {
    const html = `${cardOf("1234567", "<p>90.000 €</p>", { title: "Piso en Calle X, Madrid" })}
      <a href="https://www.idealista.com/venta-viviendas/madrid-madrid/?utm_link=excludeAuctionLink">sin subastas</a>`;
    expect((await eventsOf({ html }))[0]?.isAuction).toBe(true);
  });

  test.each([
    ["no price", "<p>Precio a consultar</p>"],
    ["only a price per m²", "<p>6.507 €/m²</p>"],
    ["two prices", "<p>120.000 €</p><p>130.000 €</p>"],
    ["a malformed price", "<p>1.20.000 €</p>"],
    ["a price drop to a higher price", "<s>100.000 €</s><p>120.000 €</p>"],
  ])("the price of a card with %s is not guessed", async (_, body) => {
    const html = cardOf("1234567", body, { title: "Piso en Calle X, Madrid" });
    expect(await readMail({ html })).toMatchObject({ type: "unreadable", portal: "idealista.com" });
  });

  test("a layout with prices above the adverts is refused, because each price would go to the wrong advert", async () => {
    const card = (code: string, price: string) =>
      `<p>${price} €</p><a href="https://www.idealista.com/inmueble/${code}/">Piso en Calle ${code}, Madrid</a>`;
    const html = card("1111111", "100.000") + card("2222222", "200.000") + card("3333333", "300.000");
    expect(await readMail({ html })).toMatchObject({ type: "unreadable" });
  });

  test.each([
    ["¡Nuevo chalet recomendado para ti!", cardOf("1234567", "<p>90.000 €</p>")],
    ["Uno de tus favoritos ya no está publicado", "<p>Ya no está</p>"],
    ["Bienvenida", '<a href="https://www.idealista.com/">idealista</a>'],
  ])("%s is not an alert", async (subject, html) => {
    expect((await readMail({ subject, html })).type).toBe("not-an-alert");
  });

  test.each([
    "reply@idealista.com",
    "news@diario.idealista.com",
    "noresponder@idealista.com.example.net",
    "noresponder@notidealista.com",
    "noresponder@idealista.community",
  ])("%s sends no alerts", async (from) => {
    const html = cardOf("1234567", "<p>90.000 €</p>", { title: "Piso en Calle X, Madrid" });
    expect(await readMail({ from, html })).toMatchObject({ type: "not-an-alert" });
  });

  test("links to other sites that contain the portal's name are not adverts", async () => {
    const html = `<a href="https://www.idealista.com.example.net/inmueble/1234567/">Piso en X</a><p>90.000 €</p>
      <a href="javascript:alert(1)">x</a><a href="https://example.net/?u=https://www.idealista.com/inmueble/7654321/">y</a>`;
    expect(await readMail({ html })).toMatchObject({
      type: "unreadable",
      why: "no advert where one should be",
    });
    expect((await readMail({ html, subject: "Hola" })).type).toBe("not-an-alert");
  });
});

describe("MAIL-07 the forwarding question", () => {
  test.each([
    [
      "(#123456789) Gmail Forwarding Confirmation - Receive Mail from a@gmail.com",
      "mail-settings.google.com",
    ],
    ["(#123456789) Confirmación de reenvío de Gmail: recibir correo de a@gmail.com", "mail.google.com"],
  ])("%s", async (subject, host) => {
    const link = `https://${host}/mail/vf-%5BANGjdJ8-abc_123%5D-xyz`;
    const text = `a@gmail.com has requested…\n\n${link}\n\nIf you click…`;
    expect(await readMail({ from: "Gmail Team <forwarding-noreply@google.com>", subject, text })).toEqual({
      type: "forwarding-question",
      code: "123456789",
      link,
    });
  });

  test("a link to another site is not passed on", async () => {
    const text =
      "https://mail.google.com.example.net/mail/vf-abcdefghijkl https://example.net/mail/vf-abcdefghijkl";
    expect(
      await readMail({ from: "forwarding-noreply@google.com", subject: "(#123456789) Gmail", text }),
    ).toMatchObject({ link: null });
  });
});

describe("MAIL-01 unexpected input", () => {
  test.each([
    ["nothing", Buffer.alloc(0)],
    ["noise", Buffer.from(Uint8Array.from({ length: 5_000 }, (_, n) => (n * 7919) % 256))],
    ["20 MB", Buffer.alloc(20 * 1024 * 1024, "a")],
    ["parts nested a thousand levels deep", Buffer.from(nested(1_000))],
    ["elements nested a hundred thousand levels deep", mailOf({ html: "<div>".repeat(100_000) })],
    ["half a mail", mailOf({ html: cardOf("1234567", "<p>90.000 €</p>") }).subarray(0, 700)],
    ["a charset that does not exist", mailOf({ html: "<p>x</p>", charset: "klingon-7" })],
    [
      "a long sequence of digits",
      mailOf({ html: `<a href="https://www.idealista.com/inmueble/1234567/">${"1".repeat(60_000)} €</a>` }),
    ],
    [
      "a long sequence of digit groups",
      mailOf({ html: `<a href="https://www.idealista.com/inmueble/1234567/">${"1.234,".repeat(9_000)}</a>` }),
    ],
  ])("%s gives a result without events", async (_, raw) => {
    const { reading } = await readAlertMail(raw);
    expect(["not-an-alert", "unreadable"]).toContain(reading.type);
  });
});

function nested(depth: number): string {
  let mail = "From: noresponder@idealista.com\r\nMIME-Version: 1.0\r\n";
  for (let level = 0; level < depth; level += 1) {
    mail += `Content-Type: multipart/mixed; boundary="b${level}"\r\n\r\n--b${level}\r\n`;
  }
  return mail;
}
