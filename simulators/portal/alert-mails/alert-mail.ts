// Writes the portal's alert mail, with the links, comments and lines of a real one.
import { randomUUID } from "node:crypto";
import MimeNode from "nodemailer/lib/mime-node/index.js";
import type { OutgoingMail } from "../../mail/mail-sender.ts";
import type { Advert } from "../market/advert.ts";
import { titleOf } from "../official/answer.ts";

export type AlertEvent = "newAd" | "priceDrop";
export interface AlertOrder {
  readonly event: AlertEvent;
  readonly advert: Advert;
  readonly searchUrl: string;
  readonly to: string;
  /** Identifies the recipient in every link. */
  readonly recipientId: string;
  readonly sentAt: Date;
}

const SENDER = "noresponder@idealista.com";
const FLOORS: Readonly<Record<string, string>> = {
  bj: "bajo",
  en: "entreplanta",
  st: "sótano",
  ss: "semi-sótano",
};

export async function alertMail(order: AlertOrder): Promise<OutgoingMail> {
  const title = fullTitleOf(order.advert);
  const kind = (title.split(" ")[0] ?? "").toLowerCase();
  const what = order.event === "newAd" ? `Nuevo ${kind} en` : "Bajada de precio en";
  const mail = new MimeNode("multipart/mixed", { textEncoding: "Q" }).setHeader({
    from: `idealista <${SENDER}>`,
    to: order.to,
    subject: `¡${what} tu búsqueda: ${searchNameOf(order.searchUrl)}!`,
    date: order.sentAt.toUTCString().replace("GMT", "+0000"),
  });
  mail.createChild("text/html; charset=UTF-8").setContent(pageOf(order, title));
  return { from: SENDER, to: order.to, raw: await mail.build() };
}

function pageOf({ event, advert, searchUrl, recipientId, sentAt }: AlertOrder, title: string): string {
  const advertiser = advert.privateAdvertiser ? "particular" : "professional";
  const campaign = `express_${event}_${advert.operation}_${advertiser}`;
  const dateSent = sentAt.toISOString().slice(0, 19).replaceAll(/:/g, "");
  const notificationId = randomUUID();
  const tracked = (url: string, link: string) => {
    const sent = `utm_medium=email&utm_campaign=${campaign}&utm_campaigntype=retention&utm_project=adNotification&utm_source=alerts-id&utm_date_send=${dateSent}`;
    const to = `utm_link=${link}&utm_recipient_id=${encodeURIComponent(recipientId)}&utm_notification_id=${notificationId}`;
    return `${url}${url.includes("?") ? "&" : "?"}${sent}&${to}`;
  };
  const name = event === "newAd" ? "propertyNew" : "propertyLowPrice";
  const link = (part: string) =>
    tracked(`https://www.idealista.com/inmueble/${advert.code}/`, `${name}${part}`);
  const photo = `https://img4.idealista.com/blur/500_375_mq/0/id.pro.es.image.master/00/${advert.code}/1.jpg`;
  return `<!doctype html><html><head><title>Alertas</title></head><body>
<!-- preheader - description mail --><span style="display:none">${title} ${priceOf(advert)}</span>
<!-- saludo y entradilla --><div>Hola,</div>
<!-- nº de anuncios --><div>1 anuncio recién publicado con tus criterios</div>
<!-- inicio inmueble --><table><tr><td><a href="${link("Photo")}"><img src="${photo}" title="${title}" width="552"></a></td></tr>
<!-- Botón ver fotos --><tr><td><a href="${link("Photo")}"><mj-raw><span>Ver ${advert.photoCount} fotos</span></mj-raw></a></td></tr>
<!-- dirección + link --><tr><td><a href="${link("Link")}" title="${title}">${title}</a></td></tr>
<tr><td>${cutOf(advert, event)}<span><span style="font-weight: bold; font-size: 20px">${priceOf(advert)}</span></span></td><mj-raw><!-- precio con logo--> </mj-raw></tr>
<tr><td><mj-raw>   ${factsOf(advert)}    </mj-raw></td></tr>
<!-- comentario --><tr><td><div>${title}. Un anuncio del portal simulado, con la misma forma que los de verdad y sin nadie detrás, para ver el camino entero...</div></td></tr>
<!-- link contactar --><tr><td><a href="${link("Contact")}">Contactar</a></td></tr></table><!-- Subasta --> <!-- fin inmueble -->
<!-- link 01 después del anuncio --><a href="${tracked(searchUrl, "listadoXX")}">Ver todos los anuncios de ${searchNameOf(searchUrl)}</a><!-- end of ad --><!-- end of alert -->
<div>Desde <a href="${tracked("https://www.idealista.com/usuario/tus-alertas", "tusBusquedas")}">Tus búsquedas</a> puedes revisar tus criterios, elegir recibir resumen diario o seguir recibiendo avisos inmediatos.</div>
</body></html>`;
}

/** From narrow to wide: "Piso en Calle de Santa Clara, 12, Trafalgar, Madrid". */
function fullTitleOf(advert: Advert): string {
  const { street, spot } = advert;
  const place = [spot.neighborhood ?? spot.district, spot.municipality].filter((name) => name !== null);
  return `${titleOf(advert)}${street === null ? " en " : ", "}${[...new Set(place)].join(", ")}`;
}

function searchNameOf(searchUrl: string): string {
  const segments = URL.parse(searchUrl)
    ?.pathname.split("/")
    .filter((part) => part && !part.startsWith("con-"));
  return (segments ?? []).slice(-2).join(" ").replaceAll("-", " ");
}

const euros = (amount: number) => String(amount).replaceAll(/\B(?=(?:\d{3})+$)/g, ".");

function priceOf({ priceEur, operation }: Advert): string {
  return `${euros(priceEur)} €${operation === "rent" ? "/mes" : ""}`;
}

function cutOf({ priceEur, formerPriceEur }: Advert, event: AlertEvent): string {
  if (event === "newAd" || formerPriceEur === null) return "";
  const percent = Math.round(100 - (100 * priceEur) / formerPriceEur);
  return `<div>El precio de este anuncio ha bajado de ${euros(formerPriceEur)}€ a ${euros(priceEur)}€</div>
<span style="text-decoration: line-through">${euros(formerPriceEur)}€ </span><span>↓${percent}%</span> `;
}

function factsOf({ rooms, sizeM2, floor, isExterior, hasLift }: Advert): string {
  const level = floor === null ? "" : (FLOORS[floor] ?? `${floor}ª planta`);
  const side = isExterior === null ? "" : isExterior ? "exterior" : "interior";
  const lift = hasLift === null ? "" : `${hasLift ? "con" : "sin"} ascensor`;
  return [
    rooms === null ? "" : rooms === 0 ? "Sin habitación" : `${rooms} hab.`,
    sizeM2 === null ? "" : `${euros(sizeM2)} m²`,
    floor === null ? "" : `${level} ${side} ${lift}`,
  ]
    .filter((fact) => fact !== "")
    .join("    ");
}
