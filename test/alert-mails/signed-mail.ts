// Alert mails modelled on real ones, signed with a generated key.
import type { DKIMSignOptions } from "mailauth";
import { dkimSign } from "mailauth/lib/dkim/sign.js";
import { createDkimKey } from "#simulators/mail/dkim-key.ts";

export type DkimKey = ReturnType<typeof createDkimKey>;

/** `DKIM_RECORDS` takes the records as {name: text}. */
export function makeDkimKey(domain = "idealista.com", selector = "test"): DkimKey {
  return createDkimKey(domain, selector);
}

export async function signMail(mail: string, key: DkimKey, signTime = new Date()): Promise<Buffer> {
  const { signatures, errors } = await dkimSign(mail, {
    signTime,
    signatureData: [{ signingDomain: key.domain, selector: key.selector, privateKey: key.privateKey }],
  } as unknown as DKIMSignOptions);
  if (errors.length > 0) throw new Error("could not sign the mail", { cause: errors });
  return Buffer.from(signatures + mail);
}

export interface AlertFacts {
  code: string;
  priceEur: number;
  /** If given, the mail is about a price drop. */
  formerPriceEur?: number;
  operation?: "sale" | "rent";
  isPrivate?: boolean;
  title?: string;
  /** In the portal's wording. */
  facts?: string;
  description?: string;
  /** The URL of the saved search. */
  searchUrl?: string;
  to?: string;
  sentAt?: Date;
}

/** Unsigned. Sign it with `signMail`. */
export function alertMail({
  code,
  priceEur,
  formerPriceEur,
  operation = "sale",
  isPrivate = false,
  title = "Piso en Calle de Alcalá, 100, Goya, Madrid",
  facts = "3 hab. 92 m² 2ª planta exterior con ascensor",
  description = "Vivienda luminosa y bien comunicada, con cocina amueblada y dos balcones a la calle...",
  searchUrl = "https://www.idealista.com/venta-viviendas/madrid-madrid/",
  to = "someone@example.com",
  sentAt = new Date(),
}: AlertFacts): string {
  const event = formerPriceEur === undefined ? "newAd" : "priceDrop";
  const campaign = `express_${event}_${operation}_${isPrivate ? "particular" : "professional"}`;
  const tracked = (url: string, link: string) =>
    `${url}${url.includes("?") ? "&" : "?"}utm_medium=email&utm_campaign=${campaign}&utm_source=alerts-id&utm_link=${link}&utm_recipient_id=recipient-${code}&utm_notification_id=00000000-0000-4000-8000-000000000000`;
  const advert = (link: string) => tracked(`https://www.idealista.com/inmueble/${code}/`, link);
  const euros = (amount: number) => String(amount).replaceAll(/\B(?=(?:\d{3})+$)/g, ".");
  const cut =
    formerPriceEur === undefined
      ? ""
      : `<p>El precio de este anuncio ha bajado de ${euros(formerPriceEur)}€ a ${euros(priceEur)}€</p>
<span style="text-decoration: line-through">${euros(formerPriceEur)}€</span> <span>↓${Math.round(100 - (100 * priceEur) / formerPriceEur)}%</span>`;
  const html = `<!doctype html><html><head><title>Alertas</title></head><body>
<!-- saludo y entradilla --><p>Hola, Someone,</p><!-- nº de anuncios --><p>1 anuncio recién publicado con tus criterios</p>
<!-- inicio inmueble --><table><tr><td><a href="${advert("propertyNewPhoto")}"><img src="https://img4.idealista.com/blur/500_375_mq/0/id.pro.es.image.master/${code}.jpg" title="${title}"></a></td></tr>
<tr><td><!-- dirección + link --><a href="${advert("propertyNewLink")}" title="${title}">${title}</a></td></tr>
<tr><td>${cut}<span>${euros(priceEur)} €${operation === "rent" ? "/mes" : ""}</span><!-- precio con logo --></td></tr>
<tr><td><mj-raw>   ${facts}   </mj-raw></td></tr><tr><td><!-- comentario -->${description}</td></tr>
<tr><td><!-- link contactar --><a href="${advert("propertyNewContact")}">Contactar</a></td></tr></table><!-- Subasta --><!-- fin inmueble -->
<a href="${tracked(searchUrl, "listadoXX")}">Ver todos los anuncios</a><!-- end of ad --><!-- end of alert -->
</body></html>`;
  return mailOf({
    from: "idealista <noresponder@idealista.com>",
    to,
    subject:
      formerPriceEur === undefined
        ? "¡Nuevo piso en tu búsqueda: Madrid!"
        : "¡Bajada de precio en tu búsqueda: Madrid!",
    type: "html",
    body: html,
    sentAt,
  });
}

export interface QuestionFacts {
  code?: string;
  link?: string;
  to?: string;
  sentAt?: Date;
}

/** Gmail's question whether mails may be forwarded to `to`. Sign it with a key of google.com. */
export function forwardingQuestion({
  code = "123456789",
  link = "https://mail-settings.google.com/mail/vf-%5BANGjdJ-test-0123456789%5D-test",
  to = "someone@example.com",
  sentAt = new Date(),
}: QuestionFacts = {}): string {
  return mailOf({
    from: "Gmail Team <forwarding-noreply@google.com>",
    to,
    subject: `(#${code}) Gmail Forwarding Confirmation - Receive Mail from someone@gmail.com`,
    type: "plain",
    body: `someone@gmail.com has requested to automatically forward mail to your email\r\naddress ${to}.\r\nConfirmation code: ${code}\r\n\r\nTo allow it, please click the link below to confirm the request:\r\n\r\n${link}\r\n`,
    sentAt,
  });
}

interface MailParts {
  from: string;
  to: string;
  subject: string;
  type: "html" | "plain";
  body: string;
  sentAt: Date;
}

function mailOf({ from, to, subject, type, body, sentAt }: MailParts): string {
  return [
    `From: ${from}`,
    `To: ${to}`,
    `Subject: =?UTF-8?B?${Buffer.from(subject).toString("base64")}?=`,
    `Date: ${sentAt.toUTCString().replace("GMT", "+0000")}`,
    `Message-ID: <${crypto.randomUUID()}@example.com>`,
    "MIME-Version: 1.0",
    `Content-Type: text/${type}; charset=UTF-8`,
    "Content-Transfer-Encoding: base64",
    "",
    Buffer.from(body).toString("base64").replaceAll(/.{76}/g, "$&\r\n"),
    "",
  ].join("\r\n");
}
