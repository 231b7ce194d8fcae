import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { LANGUAGES, type Language } from "#core/languages.ts";

const folder = new URL(".", import.meta.url);
const namespaces = readdirSync(new URL("en/", folder));
const translations = LANGUAGES.filter((language) => language !== "en");
const PLURAL_SUFFIX = /_(?:ordinal_)?(zero|one|two|few|many|other)$/;

/** Names, and words that the other language uses unchanged. */
const SAME_IN_ENGLISH = new Set([
  "minutes",
  "Sereno",
  "Embajadores, Madrid",
  "Goya, Madrid",
  "Malasaña, Madrid",
  "Chamberí, Madrid",
  "0 min",
  "10 min",
  "90 min",
  "Message",
  "Messages",
  "{{count}} photo",
  "{{count}} photos",
  "Contact",
  "Error",
  "Status",
  "Name",
  "Date",
  "Online",
  "Optional",
  "Introduction",
  "Telegram",
  "Chat {{id}}",
  "Studio",
  "Studio, Lavapiés",
  "Median",
  "Penthouse",
  "studio",
  "studios",
  "villas",
  "lofts",
  "hotel",
  "parking",
  "… parking",
  "in {{place}}",
  "ref. {{code}}",
]);

type Texts = ReadonlyMap<string, string>;

function textsOf(language: Language, namespace: string): Texts {
  const texts = new Map<string, string>();
  collect(JSON.parse(readFileSync(new URL(`${language}/${namespace}`, folder), "utf8")), "", texts);
  return texts;
}

function collect(value: unknown, path: string, into: Map<string, string>): void {
  if (typeof value === "object" && value !== null) {
    for (const [key, inner] of Object.entries(value)) collect(inner, path ? `${path}.${key}` : key, into);
  } else into.set(path, value as string);
}

const withoutForm = (keys: Iterable<string>) =>
  [...new Set([...keys].map((key) => key.replace(PLURAL_SUFFIX, "")))].sort();
const placeholdersIn = (text: string) =>
  [...text.matchAll(/\{\{\s*\w+[^}]*\}\}|<\/?\w+>/g)]
    .map(([mark]) => mark)
    // Only a language with other floor numbers also names the Spanish floor.
    .filter((mark) => mark !== "{{spanish}}")
    .sort();

test("LANG-01 every language has the same files", () => {
  for (const language of translations)
    expect(readdirSync(new URL(`${language}/`, folder))).toEqual(namespaces);
});

test.each(namespaces)("LANG-01 %s has the same keys in every language", (namespace) => {
  const expected = withoutForm(textsOf("en", namespace).keys());
  for (const language of translations) {
    expect({ language, keys: withoutForm(textsOf(language, namespace).keys()) }).toEqual({
      language,
      keys: expected,
    });
  }
});

test.each(namespaces)("LANG-01 all texts of %s are non-empty strings", (namespace) => {
  const bad = LANGUAGES.flatMap((language) =>
    [...textsOf(language, namespace)]
      .filter(([, text]) => typeof text !== "string" || text.trim() === "")
      .map(([key]) => `${language} ${key}`),
  );
  expect(bad).toEqual([]);
});

test.each(namespaces)("LANG-01 %s contains no untranslated English", (namespace) => {
  const english = textsOf("en", namespace);
  const leftOver = translations.flatMap((language) =>
    [...textsOf(language, namespace)]
      .filter(
        ([key, text]) =>
          key.split(".").at(-1) !== "id" && /\p{L}/u.test(text.replaceAll(/\{\{[^}]*\}\}/g, "")),
      )
      .filter(
        ([key, text]) => text === english.get(key) && !SAME_IN_ENGLISH.has(text.replaceAll("\u00a0", " ")),
      )
      .map(([key, text]) => `${language} ${key}: ${text}`),
  );
  expect(leftOver).toEqual([]);
});

test.each(namespaces)("LANG-01 the texts of %s keep their placeholders", (namespace) => {
  const english = textsOf("en", namespace);
  const placeholdersOf = (key: string) =>
    placeholdersIn(english.get(key) ?? english.get(key.replace(/_[a-z]+$/, "_other")) ?? "");
  const broken = translations.flatMap((language) =>
    [...textsOf(language, namespace)]
      .filter(([key, text]) => String(placeholdersIn(text)) !== String(placeholdersOf(key)))
      .map(([key, text]) => `${language} ${key}: ${text}`),
  );
  expect(broken).toEqual([]);
});

test.each(namespaces)("LANG-08 every plural of %s has all the forms of its language", (namespace) => {
  const plurals = [...textsOf("en", namespace).keys()]
    .filter((key) => key.endsWith("_other"))
    .map((key) => key.replace(/other$/, ""));
  for (const language of LANGUAGES) {
    const needed = plurals.flatMap((key) => formsOf(language, key).map((form) => `${key}${form}`));
    const found = [...textsOf(language, namespace).keys()].filter((key) =>
      plurals.includes(key.replace(/[a-z]+$/, "")),
    );
    expect({ language, keys: found.sort() }).toEqual({ language, keys: needed.sort() });
  }
});

function formsOf(language: Language, key: string): readonly string[] {
  const type = key.endsWith("_ordinal_") ? "ordinal" : "cardinal";
  return new Intl.PluralRules(language, { type }).resolvedOptions().pluralCategories;
}

test("LANG-01 no Russian sentence is written in Latin letters", () => {
  const latin = namespaces.flatMap((namespace) =>
    [...textsOf("ru", namespace)]
      .map(([key, text]) => [key, text.replaceAll(/\{\{[^}]*\}\}/g, "")] as const)
      .filter(([, text]) => /\p{Script=Latin}.* /u.test(text) && !/\p{Script=Cyrillic}/u.test(text))
      .filter(([, text]) => !SAME_IN_ENGLISH.has(text))
      .map(([key, text]) => `${key}: ${text}`),
  );
  expect(latin).toEqual([]);
});
