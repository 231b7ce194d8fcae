// What the words of a card say in figures. Where two readings are possible there is none.
import type { Kind } from "#core/search/search.ts";

const AMOUNT = String.raw`\d{1,3}(?:[.,\s]\d{3})+(?:[.,]\d{1,2})?|\d+(?:[.,]\d{1,2})?`;
const PRICE = new RegExp(`(?<![\\d.,])(${AMOUNT})\\s*€(?!\\s*/\\s*m(?:[²2]|\\b(?!es)))`, "gi");
const PRICE_BEFORE = new RegExp(`€\\s*(${AMOUNT})(?![\\d.,])`, "g");
const PER_M2 = new RegExp(`(?:${AMOUNT})\\s*(?:€|eur)\\s*/\\s*m\\s*[²2]`, "gi");
const DROP = new RegExp(
  `(?:baja(?:do)?|dropped|reduced|sceso|desceu|baixou|passou|baissé)[^\\d€]{0,40}?(${AMOUNT})\\s*€[^\\d€]{1,12}(${AMOUNT})\\s*€`,
  "i",
);
/** "Ha bajado 100 €": by how much. */
const DROPPED_BY = new RegExp(`^\\W*ha baja(?:do)?\\s+(${AMOUNT})\\s*€\\W*$`, "i");
/** "Fianza 2.000 €": amounts that are no price. */
const OTHER_AMOUNTS = new RegExp(
  `(?:baja(?:do)?|bajada|rebaja(?:do)?|dropped|reduced|reduction|sceso|ribasso|desceu|fianza|depósito|deposit|cauzione|caução|comunidad|gastos|spese|condominio|condomínio|honorarios|garaje|parking|ibi|hipoteca|cuota)[^\\d€]{0,30}(?:${AMOUNT})\\s*€`,
  "gi",
);
const MAX_PRICE_EUR = 1e9;
/** A line of facts is short; an advertiser's own words are not to be read for prices. */
const MAX_FACT_LENGTH = 90;

/** Figures as the portals write them: dots, commas or spaces between thousands, cents after the other sign. */
export function amountOf(written: string): number | null {
  const match = /^(\d{1,3}(?:([.,\s])\d{3})(?:\2\d{3})*|\d+)(?:([.,])(\d{1,2}))?$/.exec(written.trim());
  if (!match) return null;
  const [, whole = "", separator, point, cents = "0"] = match;
  if (separator !== undefined && separator === point) return null;
  const amount = Number(whole.replaceAll(/[.,\s]/g, "")) + Number(cents) / 10 ** cents.length;
  return Number.isFinite(amount) ? amount : null;
}

export type Prices =
  | { readonly ok: true; readonly priceEur: number; readonly formerPriceEur: number | null }
  | { readonly ok: false; readonly why: string };

/** The one price of these lines, and what was struck through or is said to have been before. */
export function pricesOf(lines: readonly { text: string; isStruck: boolean }[]): Prices {
  const said = lines.filter(({ text }) => text.length <= MAX_FACT_LENGTH).map(pricesInLine);
  const amounts = said.flatMap(({ current, former }) => [...current, ...former]);
  if (amounts.includes(null)) return { ok: false, why: "a price that cannot be read" };
  const former = new Set(said.flatMap((line) => line.former));
  const current = new Set(said.flatMap((line) => line.current));
  // Who does not strike the old price through writes it beside the new one.
  if (current.size > 1) for (const amount of former) current.delete(amount);
  const [priceEur] = current;
  if (priceEur === undefined || priceEur === null) return { ok: false, why: "no price" };
  if (current.size > 1 || former.size > 1) return { ok: false, why: "more than one price" };
  if (priceEur <= 0 || priceEur > MAX_PRICE_EUR) return { ok: false, why: "an impossible price" };
  const droppedBy = said.map((line) => line.droppedBy).find((amount) => amount !== null);
  const formerPriceEur = [...former][0] ?? (droppedBy ? priceEur + droppedBy : null);
  if (formerPriceEur !== null && formerPriceEur <= priceEur) return { ok: false, why: "a cut that is none" };
  return { ok: true, priceEur, formerPriceEur };
}

interface LinePrices {
  readonly current: (number | null)[];
  readonly former: (number | null)[];
  readonly droppedBy: number | null;
}

function pricesInLine({ text, isStruck }: { text: string; isStruck: boolean }): LinePrices {
  const drop = DROP.exec(text);
  if (drop) {
    return { former: [amountOf(drop[1] ?? "")], current: [amountOf(drop[2] ?? "")], droppedBy: null };
  }
  const droppedBy = DROPPED_BY.exec(text);
  if (droppedBy) return { current: [], former: [], droppedBy: amountOf(droppedBy[1] ?? "") };
  const amounts = amountsIn(text);
  return isStruck
    ? { current: [], former: amounts, droppedBy: null }
    : { current: amounts, former: [], droppedBy: null };
}

function amountsIn(text: string): (number | null)[] {
  const bare = text.replaceAll(PER_M2, " ").replaceAll(OTHER_AMOUNTS, " ");
  const after = [...bare.matchAll(PRICE)];
  const found = after.length > 0 ? after : [...bare.matchAll(PRICE_BEFORE)];
  return found.map((match) => amountOf(match[1] ?? ""));
}

export interface HomeFacts {
  readonly rooms: number | null;
  readonly areaM2: number | null;
  readonly floor: string | null;
  readonly hasLift: boolean | null;
  readonly isExterior: boolean | null;
}

const ROOMS =
  /(?<![\d.,])(\d{1,2})\s*(?:hab(?:s|itaci\p{L}+)?\b|dorm\p{L}*|bed(?:room)?s?\b|local[ei]\b|cam(?:\.|ere\b)|quartos?\b|ch(?:ambres?)?\b|zi\b|zimmer\b)/iu;
const PORTUGUESE_ROOMS = /\bT(\d{1,2})\b/;
const STUDIO = /\b(?:estudio|studio|monolocale|sin habitaci)/i;
const AREA = /(?<![\d.,])(\d{1,3}(?:[.,\s]\d{3})+(?:[.,]\d{1,2})?|\d+(?:[.,]\d{1,2})?)\s*m\s*[²2](?!\d)/i;
const FLOORS: readonly (readonly [RegExp, string])[] = [
  [/semi-?s[óo]tano|semi-?basement|seminterrato/i, "ss"],
  [/s[óo]tano|\bbasement|interrato|\bcave\b/i, "st"],
  [/entreplanta|entresuelo|mezzanin|piano rialzato|ammezzato|sobreloja/i, "en"],
  [/planta baja|\bbajo\b|ground floor|piano terra|r[ée]s[\s-]?do[\s-]?ch[ãa]o/i, "bj"],
];
const FLOOR_NUMBER =
  /(-?\d{1,2})\s*(?:ª|º|°|a|o|st|nd|rd|th)?\.?\s*(?:planta|piso\b|floor|piano|andar|étage|stock)/i;

export function factsInLines(lines: readonly string[]): HomeFacts {
  const facts = lines
    .filter((line) => line.length <= MAX_FACT_LENGTH)
    .map((line) => line.replaceAll(PER_M2, " "));
  const first = (pattern: RegExp) =>
    facts.map((line) => pattern.exec(line)?.[1]).find((value) => value !== undefined);
  const says = (pattern: RegExp) => facts.some((line) => pattern.test(line));
  // The line that states the size states the rest as well; a title may hold a number that looks like it.
  const factLine = facts.filter((line) => AREA.test(line));
  const rooms = factLine
    .concat(facts)
    .map((line) => ROOMS.exec(line)?.[1] ?? PORTUGUESE_ROOMS.exec(line)?.[1]);
  const area = first(AREA);
  return {
    rooms: Number(rooms.find((value) => value !== undefined) ?? Number.NaN) || (says(STUDIO) ? 0 : null),
    areaM2: area === undefined ? null : amountOf(area) || null,
    floor: floorOf(factLine.length > 0 ? factLine : facts),
    hasLift: says(/\b(?:sin|without|no|senza|sem|ohne)\s+(?:ascensor|lift|elevator|elevador)/i)
      ? false
      : says(/\b(?:con|with|com|has)\s+(?:ascensor|lift|elevator|elevador)/i) || null,
    isExterior: says(/\b(?:exterior|esterno)\b/i) ? true : says(/\b(?:interior|interno)\b/i) ? false : null,
  };
}

function floorOf(lines: readonly string[]): string | null {
  for (const line of lines) {
    const number = FLOOR_NUMBER.exec(line)?.[1];
    if (number !== undefined) return String(Number(number));
    const named = FLOORS.find(([pattern]) => pattern.test(line));
    if (named) return named[1];
  }
  return null;
}

interface Sort {
  readonly kind: Kind;
  readonly typology: string | null;
  readonly subTypology: string | null;
}

const home = (typology: string | null, subTypology: string | null = null): Sort => ({
  kind: "homes",
  typology,
  subTypology,
});
const kindAlone = (kind: Kind, typology: string): Sort => ({ kind, typology, subTypology: null });
const SORTS: readonly (readonly [RegExp, Sort])[] = [
  [/^(?:ático|atico|penthouse|attico|cobertura)/i, home("flat", "penthouse")],
  [/^(?:d[úu]plex|duplex)/i, home("flat", "duplex")],
  [/^(?:estudio|studio|monolocale)/i, home("flat", "studio")],
  [
    /^(?:chalet|casa|house|villa|detached|independent)[\p{L}\s/-]* (?:independiente|independent|detached)\b/iu,
    home("chalet", "independantHouse"),
  ],
  [
    /^(?:chalet|casa|house|villetta)[\p{L}\s/-]*(?:pareado|semi-?detached|bifamiliare|geminada)/iu,
    home("chalet", "semidetachedHouse"),
  ],
  [
    /^(?:chalet|casa|house|villetta)[\p{L}\s/-]*(?:adosado|terraced|a schiera|em banda)/iu,
    home("chalet", "terracedHouse"),
  ],
  [/^(?:semi-?detached)/i, home("chalet", "semidetachedHouse")],
  [/^(?:terraced)/i, home("chalet", "terracedHouse")],
  [/^(?:detached|independent)/i, home("chalet", "independantHouse")],
  [
    /^(?:finca|casa rural|casa de pueblo|cortijo|mas[íi]a|country|casale|rustico|rústico|quinta)/i,
    home("countryHouse"),
  ],
  [/^(?:chalet|casa|villa|house|villetta|moradia|torre|palacete)/i, home("chalet")],
  [/^(?:habitación|habitacion|room|stanza|quarto)/i, kindAlone("rooms", "room")],
  [/^(?:garaje|plaza de garaje|garage|parking|box|garagem)/i, kindAlone("garages", "garage")],
  [/^(?:trastero|storage|cantina|arrecad)/i, kindAlone("storage-rooms", "storageRoom")],
  [/^(?:oficina|office|ufficio|escrit[óo]rio)/i, kindAlone("offices", "office")],
  [/^(?:local|nave|commercial|premises|negozio|capannone|loja|armaz)/i, kindAlone("premises", "premise")],
  [/^(?:terreno|solar|parcela|land|plot|lote)/i, kindAlone("land", "land")],
  [/^(?:edificio|building|palazzo|pr[ée]dio)/i, kindAlone("buildings", "building")],
  [
    /^(?:piso|loft|apartamento|flat|apartment|appartamento|bilocale|trilocale|quadrilocale|planta|bajo|entresuelo|vivienda|pis\b|apartament)/i,
    home("flat"),
  ],
];

/** By the first word of a title; a home of unknown sort where no word is known. */
export function sortOf(title: string | null): Sort {
  return SORTS.find(([pattern]) => pattern.test(title ?? ""))?.[1] ?? home(null);
}

/** "Piso en Calle X, 294, Barrio, Municipio" without its first words, a number with its street. */
export function addressOf(title: string | null): string[] {
  if (title === null) return [];
  const isCut = /(?:\.\.\.|…)$/.test(title);
  const place = title.replace(/\s*(?:\.\.\.|…)$/, "").replace(/^.{2,60}?\s(?:en|in|em|na|no|at)\s/i, "");
  const parts: string[] = [];
  for (const part of place.split(",").map((piece) => piece.trim())) {
    if (part === "") continue;
    const isNumber = /^(?:\d+[\p{L}]?|s\/?n|km\.? ?\d.*)$/iu.test(part);
    if (isNumber && parts.length > 0) parts[parts.length - 1] += `, ${part}`;
    else parts.push(part);
  }
  // What was cut may be half a name.
  return isCut && parts.length > 1 ? parts.slice(0, -1) : parts;
}
