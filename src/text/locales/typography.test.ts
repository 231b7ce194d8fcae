import { expect, test } from "vitest";
import { LANGUAGES, type Language } from "#core/languages.ts";
import { everyText } from "#test/texts/every-text.ts";

interface Rule {
  readonly name: string;
  readonly languages: readonly Language[];
  readonly fault: RegExp;
}

const ALL: readonly Language[] = LANGUAGES;
/** What precedes a unit: a digit or a placeholder. */
const AMOUNT = String.raw`(?:\d|\}\})`;
const UNITS = "€|m²|м²|km|км|min|мин|Min\\.|Std\\.|Sek\\.|Uhr|GB";
/** A single letter may be a word, so it needs a digit before it. */
const LETTERS = "h|ч|m|м|s";

const RULES: readonly Rule[] = [
  {
    name: "no line breaks before a unit",
    languages: ALL,
    fault: new RegExp(`${AMOUNT} (?:${UNITS})(?![\\p{L}\\p{N}])|\\d (?:${LETTERS})(?![\\p{L}\\p{N}²])`, "u"),
  },
  {
    name: "English writes 33% and €1,449",
    languages: ["en"],
    fault: /[\s\u00a0\u202f]%|\d[\s\u00a0\u202f]?€/u,
  },
  {
    name: "a percentage has an unbreakable space: 33 %",
    languages: ["es", "ru", "de", "fr"],
    fault: new RegExp(`(?:${AMOUNT}| |\u202f)%`, "u"),
  },
  {
    name: "the euro stands behind its amount, after an unbreakable space",
    languages: ["es", "ru", "de", "fr"],
    fault: new RegExp(`€[\\s\\u00a0\\u202f]?\\d|${AMOUNT}€`, "u"),
  },
  {
    name: "an unbreakable space before ; : ! ?",
    languages: ["fr"],
    fault: /[^\s\u00a0\u202f!?][;!?](?!\p{L})|[^\s\u00a0\u202f]:(?![/\d\p{L}])| [;:!?]/u,
  },
  { name: "the space before ; ! ? is narrow", languages: ["fr"], fault: /\u00a0[;!?]/u },
  {
    name: "unbreakable spaces within guillemets",
    languages: ["fr"],
    fault: /«(?![\u00a0\u202f])|(?<![\u00a0\u202f])»/u,
  },
  {
    name: "unbreakable spaces within z. B., d. h., u. a., and after Nr., Art., Abs.",
    languages: ["de"],
    fault: /(?<!\p{L})(?:z\. ?B\.|d\. ?h\.|u\. ?a\.|i\. ?d\.)|(?<!\p{L})(?:Nr|Art|Abs)\. (?=[\d{#])/u,
  },
  {
    name: "a dash is an em dash that does not begin a line",
    languages: ["ru"],
    fault: / [—–-] |[^\s\u00a0]—|—[^\s,]/u,
  },
  { name: "a hyphen is no dash", languages: ALL, fault: / - / },
  { name: "no line breaks after the E of E‑Mail", languages: ["de"], fault: /E-Mail/ },
  { name: "one space between words, none at an end", languages: ALL, fault: /\s{2}|^\s|\s$/u },
  { name: "quotation marks are the language's own", languages: ALL, fault: /"/ },
  { name: "an ellipsis is one character", languages: ALL, fault: /\.\.\./ },
  { name: "the apostrophe is straight, as in the specification", languages: ["en"], fault: /\p{L}’\p{L}/u },
  { name: "the apostrophe is curly", languages: ["fr"], fault: /'/ },
];

/** The specification has an ordinary space in "N min ago", and three dots in "Verifying your authentication...". */
const AS_SPECIFIED = /^common ago\.minutes_|^auth reset\.verifying$/;

test.each(RULES)("LANG-08 $name", ({ languages, fault }) => {
  const faults = everyText()
    .filter(
      ({ language, key }) => languages.includes(language) && !(language === "en" && AS_SPECIFIED.test(key)),
    )
    .filter(({ text }) => fault.test(text))
    .map(({ language, key, text }) => `${language} ${key}: ${text}`);
  expect(faults).toEqual([]);
});
