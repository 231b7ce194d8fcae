/**
 * How a link that is kept is spelt: one grammar for the parser, which writes such links, and for the database, which refuses
 * all others. The database's check is `SEARCH_LINK` word for word (supabase/tests/filter-url-grammar.db.test.ts says so):
 * who changes the one writes a migration for the other. Only what JavaScript and PostgreSQL read alike is used.
 */
import {
  CATEGORIES,
  FILTER_PREFIX,
  NEWEST_FIRST_QUERY as ORDER,
  PORTAL_HOST,
  PORTAL_LANGUAGES,
} from "./portal-words.ts";

export const MOST_PLACE_SEGMENTS = 4;

const NAME = "[a-z0-9]+(?:-[a-z0-9]+)*";
const WORD = "[a-z0-9][a-z0-9_.-]*";
const ZONE = "[0-9A-Za-z]{3}";
const PAGE = "pagina-[0-9]{1,6}(?:\\.htm)?";
const VIEWS = ["mapa", "mapa-google", "municipios"];

export const PLACE_SEGMENT = new RegExp(`^${NAME}$`);
export const FILTER_WORD = new RegExp(`^${WORD}$`);
export const ZONE_CODE = new RegExp(`^${ZONE}$`);
export const PAGE_SEGMENT = new RegExp(`^${PAGE}$`);

/** Words that say how results are shown; anywhere but at the end they mean nothing. */
export function isView(segment: string): boolean {
  return PAGE_SEGMENT.test(segment) || VIEWS.includes(segment);
}

/** Neither a filter nor a view, in any letters' case. */
const NOT_A_NAME = [FILTER_PREFIX, `(?:${[...VIEWS, PAGE].join("|")})(?:[/?]|$)`].join("|");
const PLACE = `(?!${NOT_A_NAME})${NAME}`;
const KIND = `(?:${CATEGORIES.map(([word]) => word).join("|")})`;
const WISHES = `(?:/${FILTER_PREFIX}${WORD}(?:,${WORD})*)?`;
const END = `/?(?:\\?${ORDER})?`;

/** A letter of free text as we escape it: no slash, no backslash, no control character, and whole letters only. */
const LETTER = [
  "[A-Za-z0-9_.~,-]",
  "%(?:2[0-9AB]|3[A-F]|40|5[BDE]|60|7[BCD])",
  "%C2%[AB][0-9A-F]",
  "%(?:C[3-9A-F]|D[0-9A-F])%[89AB][0-9A-F]",
  "%E0%[AB][0-9A-F]%[89AB][0-9A-F]",
  "%E[1-9A-CEF](?:%[89AB][0-9A-F]){2}",
  "%ED%[89][0-9A-F]%[89AB][0-9A-F]",
  "%F0%[9AB][0-9A-F](?:%[89AB][0-9A-F]){2}",
  "%F[1-3](?:%[89AB][0-9A-F]){3}",
  "%F4%8[0-9A-F](?:%[89AB][0-9A-F]){2}",
].join("|");
/** Blanks of any kind, which do not stand at the ends of a text. */
const BLANK = "%20|%C2%A0|%E1%9A%80|%E2%80%(?:8[0-9A]|A[89F])|%E2%81%9F|%E3%80%80|%EF%BB%BF";
const TEXT = `(?!${anyCase(NOT_A_NAME)}|\\.{1,2}/|${BLANK})(?:${LETTER})*(?!${BLANK})(?:${LETTER})`;

/** A whole number of an encoded polyline, and rings of at least three points. */
const NUMBER = "(?:[_a-z]|%60|%7[BCDE]){0,5}(?:[A-Z]|%3F|%40|%5[BCDE])";
const SHAPE = `shape=%28(?:%28(?:(?:${NUMBER}){2}){3,}%29)+%29`;

export const SEARCH_LINK = [
  `^https://${PORTAL_HOST.replaceAll(".", "\\.")}/`,
  `(?:(?:${PORTAL_LANGUAGES.join("|")})/)?`,
  "(?:",
  [
    `${KIND}(?:/${PLACE}){1,${MOST_PLACE_SEGMENTS}}${WISHES}${END}`,
    `multi/${KIND}/${ZONE}(?:,${ZONE})*${WISHES}${END}`,
    `geo/${KIND}/${PLACE}${WISHES}${END}`,
    `buscar/${KIND}${WISHES}(?:/${PLACE}){0,${MOST_PLACE_SEGMENTS}}/${TEXT}/(?:\\?${ORDER})?`,
    `areas/${KIND}${WISHES}/?\\?${SHAPE}(?:&${ORDER})?`,
  ].join("|"),
  ")$",
].join("");

/** A pattern that reads capitals as well; what stands in brackets or behind a backslash stays as it is. */
function anyCase(pattern: string): string {
  return pattern.replace(/\[[^\]]*\]|\\.|[a-z]/g, (part) =>
    /^[a-z]$/.test(part) ? `[${part.toUpperCase()}${part}]` : part,
  );
}
