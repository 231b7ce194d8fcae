// HTML mails written by tests, and what is read from them.
import { expect } from "vitest";
import { readAlertMail } from "#alert-mails/read/read-alert-mail.ts";

export const UTM =
  "utm_medium=email&utm_source=alerts-id&utm_recipient_id=reader-7&utm_notification_id=note-7";
export const SENDERS = {
  es: "idealista <noresponder@idealista.com>",
  it: "idealista <nonrispondere@idealista.it>",
  fotocasa: "Alertas fotocasa <enviosfotocasa@fotocasa.es>",
  habitaclia: "Alertas de habitaclia <alertas@email.habitaclia.com>",
  yaencontre: "yaencontre <no-reply@envios.yaencontre.com>",
};

export async function readHtml(
  html: string,
  {
    from = SENDERS.es,
    subject = "¡Nuevo piso en tu búsqueda: Mi zona!",
  }: { from?: string; subject?: string } = {},
) {
  const mail = [
    `From: ${from}`,
    `Subject: =?UTF-8?B?${Buffer.from(subject).toString("base64")}?=`,
    "MIME-Version: 1.0",
    "Content-Type: text/html; charset=UTF-8",
    "",
    html,
  ];
  return (await readAlertMail(Buffer.from(mail.join("\r\n")))).reading;
}

export async function eventsIn(html: string, options?: Parameters<typeof readHtml>[1]) {
  const reading = await readHtml(html, options);
  if (reading.type !== "alert" && reading.type !== "digest") throw new Error(JSON.stringify(reading));
  expect(reading.unread).toEqual([]);
  expect(JSON.stringify(reading)).not.toMatch(/utm_|reader-7|note-7/);
  return reading.events;
}

/** One Idealista advert with its comment marks. */
export function advertHtml(
  price: string,
  {
    code = "112233445",
    campaign = "express_newAd_sale_professional",
    title = "Piso en Calle Mayor, 3, Centro, Madrid",
    facts = "3 hab. 90 m²",
    comment = "",
  } = {},
) {
  const link = `https://www.idealista.com/inmueble/${code}/?utm_campaign=${campaign}&${UTM}`;
  return `<!-- inicio inmueble --><a href="${link}"><img title="${title}"></a><a href="${link}" title="${title}">${title}</a><table><tr><td>${price}</td></tr><tr><td>${facts}</td></tr></table><!-- comentario --><div>${comment}</div><!-- link contactar --><a href="${link}">Contactar</a><!-- fin inmueble -->`;
}
