// Reads rooms, area and floor from the lines of a card, in the portals' languages.
import { amountOf } from "./card-prices.ts";

export interface MailedFacts {
  readonly rooms: number | null;
  readonly areaM2: number | null;
  readonly floor: string | null;
  readonly hasLift: boolean | null;
  readonly isExterior: boolean | null;
}

/** Longer lines are the advertiser's description. */
const MAX_FACT_LENGTH = 90;
const PER_M2 = /[\d.,]+\s*(?:€|eur)\s*\/\s*m\s*[²2]/gi;
/** Does not match "2 - 4 hab.", which describes a development. */
const ROOMS =
  /(?<![\d.,]|\d\s?[-–]\s?)(\d{1,2})\s*(?:habs?\b|habitaci\p{L}+|dorm\p{L}*|bed(?:room)?s?\b|rooms?\b|local[ei]\b|cam(?:\.|ere\b)|quartos?\b|ch\.|chambres?\b|zi\.|zimmer\b)/iu;
/** In Portugal the type of home contains the number of bedrooms: T2. */
const PORTUGUESE_ROOMS = /\bT(\d)(?:\+\d)?\b/;
const STUDIO = /\b(?:estudio|studio|monolocale|est[úu]dio|sin habitaci)/i;
/** Thousands need a separator, so that "T3 110 m²" is not 3.110 m². */
const AREA = /(?<![\d.,])(\d{1,3}(?:[.,]\d{3})+(?:[.,]\d{1,2})?|\d+(?:[.,]\d{1,2})?)\s*m\s*[²2](?!\d)/i;
const FLOORS: readonly (readonly [RegExp, string])[] = [
  [/semi-?\s?s[óo]tano|semi-?basement|seminterrato|semicave/i, "ss"],
  [/s[óo]tano|\bbasement|interrato|\bcave\b/i, "st"],
  [/entreplanta|entresuelo|mezzanin|piano rialzato|ammezzato|sobreloja|entresol/i, "en"],
  [
    /planta baja|\bbajos?\b|ground floor|piano terra|r[ée]s[\s-]?do[\s-]?ch[ãa]o|\br\/c\b|rez-de|erdgeschoss/i,
    "bj",
  ],
];
const FLOOR_NUMBER =
  /(?<![\d.,])(-?\d{1,2})\s*(?:ª|º|°|\.?[ao]|st|nd|rd|th|e|ème)?\.?\s*(?:planta|piso|floor|piano|andar|étage|stock)\b/i;
const NUMBER_AFTER_FLOOR = /\b(?:planta|floor|piano|andar)\s+(-?\d{1,2})(?:\s*[ªº°])?(?![\d.,]*\s*m)/i;

/** `titles` are used for facts that only titles contain. */
export function factsInLines(lines: readonly string[], titles: readonly string[]): MailedFacts {
  const facts = lines
    .filter((line) => line.length <= MAX_FACT_LENGTH)
    .map((line) => line.replaceAll(PER_M2, " "));
  // The line with the area contains the other facts too. Other lines may contain misleading numbers.
  const factLines = facts.filter((line) => AREA.test(line));
  const asked = factLines.length > 0 ? factLines : facts;
  const says = (pattern: RegExp) => asked.some((line) => pattern.test(line));
  const area = firstIn(factLines, AREA);
  const rooms =
    firstIn([...factLines, ...facts], ROOMS) ?? firstIn([...factLines, ...titles], PORTUGUESE_ROOMS);
  const isStudio = [...facts, ...titles].some((line) => STUDIO.test(line));
  return {
    rooms: rooms === undefined ? (isStudio ? 0 : null) : Number(rooms),
    areaM2: area === undefined ? null : amountOf(area) || null,
    floor: floorIn(asked),
    hasLift: says(/\b(?:sin|without|no|senza|sem|ohne|sans)\s+(?:ascensor|lift|elevator|elevador|aufzug)/i)
      ? false
      : says(/\b(?:con|with|com|has|mit|avec)\s+(?:ascensor|ascenseur|lift|elevator|elevador|aufzug)/i) ||
        null,
    isExterior: says(/\b(?:exterior|esterno)\b/i) ? true : says(/\b(?:interior|interno)\b/i) ? false : null,
  };
}

function firstIn(lines: readonly string[], pattern: RegExp): string | undefined {
  return lines.map((line) => pattern.exec(line)?.[1]).find((value) => value !== undefined);
}

function floorIn(lines: readonly string[]): string | null {
  for (const line of lines) {
    const number = FLOOR_NUMBER.exec(line)?.[1] ?? NUMBER_AFTER_FLOOR.exec(line)?.[1];
    if (number !== undefined) return String(Number(number));
    const named = FLOORS.find(([pattern]) => pattern.test(line));
    if (named) return named[1];
  }
  return null;
}
