// Unsigned mails written by tests, and what is read from them.
import { expect } from "vitest";
import type { MailReading } from "#alert-mails/read/mail-event.ts";
import { readAlertMail } from "#alert-mails/read/read-alert-mail.ts";

interface MailParts {
  from?: string;
  subject?: string;
  html?: string;
  text?: string;
  charset?: string;
}

const IDEALISTA = "idealista <noresponder@idealista.com>";

export function mailOf({
  from = IDEALISTA,
  subject = "¡Nuevo piso en tu búsqueda: Mi zona!",
  ...body
}: MailParts): Buffer {
  const type = body.html === undefined ? "plain" : "html";
  const encoded = `=?UTF-8?B?${Buffer.from(subject).toString("base64")}?=`;
  const head = [
    `From: ${from}`,
    "To: someone@example.com",
    `Subject: ${encoded}`,
    "Date: Wed, 5 Aug 2026 16:24:56 +0200",
    "MIME-Version: 1.0",
    `Content-Type: text/${type}; charset=${body.charset ?? "UTF-8"}`,
    "Content-Transfer-Encoding: base64",
  ];
  const content = Buffer.from(
    body.html ?? body.text ?? "",
    body.charset === "iso-8859-1" ? "latin1" : "utf8",
  );
  return Buffer.from(
    `${head.join("\r\n")}\r\n\r\n${content.toString("base64").replaceAll(/.{76}/g, "$&\r\n")}\r\n`,
  );
}

export const TRACKING =
  "utm_source=alerts-id&utm_recipient_id=somebody-in-particular&utm_notification_id=0000";

export function cardOf(
  code: string,
  body: string,
  {
    campaign = "express_newAd_sale_professional",
    path = "https://www.idealista.com/inmueble",
    title = "",
  } = {},
): string {
  const link = (name: string) => `${path}/${code}/?utm_campaign=${campaign}&${TRACKING}&utm_link=${name}`;
  return `<!-- inicio inmueble --><table><tr><td>
    <a href="${link("propertyNewPhoto")}"><img src="https://img4.idealista.com/blur/500_375_mq/0/x/${code}.jpg?a=b" title="${title}"></a>
    <!-- dirección + link --><a href="${link("propertyNewLink")}" title="${title}">${title}</a></td></tr>
    <tr><td>${body}</td></tr></table><!-- link contactar --><a href="${link("propertyNewContact")}">Contactar</a><!-- fin inmueble -->`;
}

export async function readMail(parts: MailParts): Promise<MailReading> {
  return (await readAlertMail(mailOf(parts))).reading;
}

export async function eventsOf(parts: MailParts) {
  const reading = await readMail(parts);
  if (reading.type !== "alert" && reading.type !== "digest") throw new Error(JSON.stringify(reading));
  expect(reading.unread).toEqual([]);
  return reading.events;
}
