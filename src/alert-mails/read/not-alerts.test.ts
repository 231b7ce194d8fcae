import { describe, expect, test } from "vitest";
import { advertHtml, eventsIn, readHtml } from "#test/alert-mails/html-mail.ts";

describe("MAIL-01 mails that are not alerts", () => {
  test.each([
    ["Uno de tus favoritos ya no está publicado", "about favourites"],
    ["Cambio de precio en tus favoritos", "about favourites"],
    ["One of your favourites is no longer listed", "about favourites"],
    ["Uno dei tuoi preferiti non è più pubblicato", "about favourites"],
    ["¡Nuevo chalet recomendado para ti!", "a recommendation"],
    ["Resumen de los contactos que ha recibido", "about a contact"],
    ["Respuesta de Inmobiliaria Uno", "about a contact"],
    ["Chamada não respondida de um interessado nos teus anúncios", "about a contact"],
    ["Te damos la bienvenida a idealista: bienvenido", "a welcome"],
    ["Tu anuncio se ha publicado", "about an advert of their own"],
  ])("%s", async (subject, why) => {
    expect(await readHtml(advertHtml("475.000 €"), { subject })).toEqual({ type: "not-an-alert", why });
  });

  test("a promotion from the same sender", async () => {
    const luxury = advertHtml("2.475.000 €", { campaign: "fvp" });
    expect(await readHtml(luxury, { subject: "Casas exclusivas" })).toMatchObject({ type: "not-an-alert" });
    const other = advertHtml("475.000 €", { campaign: "newsletter_june" }).replaceAll("alerts-id", "mailing");
    expect(await readHtml(other, { subject: "Los más vistos" })).toMatchObject({ type: "not-an-alert" });
  });

  test("the name of a search in the subject is ignored", async () => {
    const subject = "¡Nuevo piso en tu búsqueda: Favoritos recomendados, contacto Ana!";
    expect(await eventsIn(advertHtml("475.000 €"), { subject })).toHaveLength(1);
  });

  test.each([
    ["Fwd: ¡Nuevo piso en tu búsqueda!", ""],
    ["Mira", "<p>De: idealista &lt;noresponder@idealista.com&gt;</p>"],
  ])("a mail forwarded by hand is recognised: %s", async (subject, quote) => {
    const reading = await readHtml(quote + advertHtml("475.000 €"), {
      from: "Ana <ana@example.com>",
      subject,
    });
    expect(reading).toMatchObject({
      type: "not-an-alert",
      why: expect.stringContaining("forwarded by hand"),
    });
  });
});

describe("MAIL-07 Gmail's forwarding question", () => {
  const from = "Gmail Team <forwarding-noreply@google.com>";
  const link = "https://mail-settings.google.com/mail/vf-%5BANGjdJ8-abc_123%5D-xyz";

  test.each([
    ["(#123456789) Gmail-Weiterleitungsbestätigung – E-Mails von a12345678@gmail.com empfangen", "<p>x</p>"],
    ["(Gmail) 转发确认", "<p>ana87654321@gmail.com</p><p>确认码: 123456789</p>"],
    ["Confirmation", "<p>ana87654321@gmail.com</p><p>Code de confirmation : 123456789</p>"],
  ])("%s", async (subject, body) => {
    const html = `${body}<a href="https://mail.google.com/mail/uf-cancel-abcdefghijk">x</a><a href="${link}">${link}</a>`;
    expect(await readHtml(html, { from, subject })).toEqual({
      type: "forwarding-question",
      code: "123456789",
      link,
    });
  });
});
