// Reads the price of a card. An ambiguous card has no price: a price is never guessed.

const AMOUNT = String.raw`\d{1,3}(?:[.,\s]\d{3})+(?:[.,]\d{1,2})?|\d+(?:[.,]\d{1,2})?`;
const PRICE = new RegExp(`(?<![\\d.,])(${AMOUNT})\\s*€|€\\s*(${AMOUNT})(?![\\d.,])`, "g");
/** "6.507 €/m²", which is never the price. */
const PER_M2 = new RegExp(`(?:${AMOUNT})\\s*€\\s*/?\\s*m\\s*[²2]|€\\s*(?:${AMOUNT})\\s*/\\s*m\\s*[²2]`, "gi");
/** "ha bajado de X€ a Y€", "has dropped from X€ to Y€", "è sceso da X € a Y €". */
const DROP = new RegExp(
  `(?:bajad[oa]|reducido|rebajad[oa]|dropped|reduced|sceso|diminuito|desceu|baixou|passou|baissé|gesunken)[^\\d€]{0,40}?(${AMOUNT})\\s*€[^\\d€]{1,12}(${AMOUNT})\\s*€`,
  "i",
);
/** "Ha bajado 100 €": the amount of the drop. */
const DROPPED_BY = new RegExp(`^\\W*ha baja(?:do)?\\s+(${AMOUNT})\\s*€\\W*$`, "i");
const PERCENT = /[↓▼⬇−-]?\s*(\d{1,2})(?:[.,]\d{1,2})?\s*%/g;
const MONTHLY = /€\s*(?:\/|al|por|per|a|pro)\s*(?:mes|mese|mês|month|mois|monat)\b/i;
const OTHER_PERIOD =
  /€\s*(?:\/|por|per|a)\s*(?:noche|night|notte|noite|nuit|semana|week|settimana|d[ií]a|day|giorno)\b/i;
/** What may accompany a price on its line. */
const BESIDE =
  /\b(?:a partire da|a partir de|desde|dal?|from|ab|precio|prezzo|preço|price|al|por|per|mes|mese|mês|month|mois|monat)\b/gi;
const MIN_PRICE_EUR = 10;
const MAX_PRICE_EUR = 1e9;
/** Longer lines are the advertiser's description, which is not searched for prices. */
const MAX_FACT_LENGTH = 90;
const MAX_SENTENCE_LENGTH = 250;

/** Parses an amount as the portals write it: dots, commas or spaces between thousands, and the other sign before cents. */
export function amountOf(written: string): number | null {
  const match = /^(\d{1,3}([.,\s])\d{3}(?:\2\d{3})*|\d+)(?:([.,])(\d{1,2}))?$/.exec(written.trim());
  if (!match) return null;
  const [, whole = "", separator, point, cents = "0"] = match;
  if (separator !== undefined && separator === point) return null;
  const amount = Number(whole.replaceAll(/[.,\s]/g, "")) + Number(cents) / 10 ** cents.length;
  return Number.isFinite(amount) ? amount : null;
}

export type Prices =
  | {
      readonly ok: true;
      readonly priceEur: number;
      readonly formerPriceEur: number | null;
      readonly isMonthly: boolean;
    }
  | { readonly ok: false; readonly why: string };

export interface PricedLine {
  readonly text: string;
  readonly isStruck: boolean;
}

/** `mayBeCut`: the higher of two prices may be the former one. */
export function pricesOf(lines: readonly PricedLine[], { mayBeCut }: { mayBeCut: boolean }): Prices {
  const read = lines.filter(({ text }) => text.length <= MAX_SENTENCE_LENGTH).map(readLine);
  if (read.some((line) => line.isOtherPeriod)) return no("a price that is not by the month");
  const plain = read.filter((line) => line.current.length > 0);
  const alone = plain.filter((line) => line.isAlone);
  // Text around an amount may mean something else, so such lines count only if no line is just a price.
  const used = alone.length > 0 ? alone : plain;
  const former = new Set(read.flatMap((line) => line.former));
  const current = new Set(used.flatMap((line) => line.current));
  if (former.has(null) || current.has(null)) return no("a price that cannot be read");
  const percents = read.flatMap((line) => line.percents);
  const prices = settle(amountsOf(current), amountsOf(former), {
    droppedBy: read.map((line) => line.droppedBy).find((amount) => amount !== null) ?? null,
    percents,
    mayBeCut: mayBeCut || percents.length > 0,
  });
  return prices.ok ? { ...prices, isMonthly: used.some((line) => line.isMonthly) } : prices;
}

const no = (why: string) => ({ ok: false, why }) as const;
const amountsOf = (amounts: ReadonlySet<number | null>) => [...amounts].filter((amount) => amount !== null);

interface CutEvidence {
  readonly droppedBy: number | null;
  readonly percents: readonly number[];
  readonly mayBeCut: boolean;
}

function settle(current: readonly number[], former: readonly number[], evidence: CutEvidence) {
  // A portal that does not strike the old price through writes both prices.
  const left = current.length > 1 ? current.filter((amount) => !former.includes(amount)) : current;
  const pair = former.length === 0 && left.length === 2 && evidence.mayBeCut ? pairOf(left, evidence) : null;
  const prices = pair ? [pair.low] : left;
  const [priceEur] = prices;
  if (priceEur === undefined) return no("no price");
  if (prices.length > 1 || former.length > 1) return no("more than one price");
  if (priceEur < MIN_PRICE_EUR || priceEur > MAX_PRICE_EUR) return no("an impossible price");
  const dropped = evidence.droppedBy === null ? null : priceEur + evidence.droppedBy;
  const formerPriceEur = pair?.high ?? former[0] ?? dropped;
  if (formerPriceEur !== null && (formerPriceEur <= priceEur || formerPriceEur > MAX_PRICE_EUR)) {
    return no("a cut that is none");
  }
  return { ok: true, priceEur, formerPriceEur } as const;
}

/** The former and the current price, if their difference agrees with the stated percentage. */
function pairOf(amounts: readonly number[], { percents }: CutEvidence) {
  const [low = 0, high = 0] = amounts.toSorted((a, b) => a - b);
  const share = 100 * (1 - low / high);
  return percents.every((percent) => Math.abs(share - percent) <= 1) ? { low, high } : null;
}

interface ReadLine {
  readonly current: readonly (number | null)[];
  readonly former: readonly (number | null)[];
  readonly droppedBy: number | null;
  readonly percents: readonly number[];
  /** The line is just a price. */
  readonly isAlone: boolean;
  readonly isMonthly: boolean;
  readonly isOtherPeriod: boolean;
}

const NOTHING: ReadLine = {
  current: [],
  former: [],
  droppedBy: null,
  percents: [],
  isAlone: false,
  isMonthly: false,
  isOtherPeriod: false,
};

function readLine({ text: written, isStruck }: PricedLine): ReadLine {
  const text = written.replaceAll(/\beur(?:os?)?\b/gi, "€").replaceAll(PER_M2, " ");
  const drop = DROP.exec(text);
  if (drop) {
    const isMonthly = MONTHLY.test(text);
    return {
      ...NOTHING,
      former: [amountOf(drop[1] ?? "")],
      current: [amountOf(drop[2] ?? "")],
      isAlone: true,
      isMonthly,
    };
  }
  if (text.length > MAX_FACT_LENGTH) return NOTHING;
  const droppedBy = DROPPED_BY.exec(text);
  if (droppedBy) return { ...NOTHING, droppedBy: amountOf(droppedBy[1] ?? "") };
  const found = [...text.matchAll(PRICE)].map((match) => match[1] ?? match[2] ?? "");
  const isAlone = found.length > 0 && isOnlyPrice(text);
  // "T2 500 €" is not 2.500 €.
  const amounts = found.map((amount) => (isAlone || !/\s/.test(amount) ? amountOf(amount) : null));
  return {
    current: isStruck ? [] : amounts,
    former: isStruck ? amounts : [],
    droppedBy: null,
    percents: isAlone || found.length === 0 ? percentsIn(text) : [],
    isAlone,
    isMonthly: MONTHLY.test(text),
    isOtherPeriod: found.length > 0 && OTHER_PERIOD.test(text),
  };
}

function isOnlyPrice(text: string): boolean {
  const rest = text.replaceAll(PRICE, " ").replaceAll(PERCENT, " ").replaceAll(BESIDE, " ");
  return !/[\p{L}\d]/u.test(rest);
}

/** Percentages such as "↓2%", with nothing but a price beside them. */
function percentsIn(text: string): number[] {
  if (!/[↓▼⬇]/.test(text)) return [];
  return [...text.matchAll(PERCENT)].map((match) => Number(match[1]));
}
