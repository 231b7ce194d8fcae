/** All texts of the locales with their keys. */
import { readdirSync, readFileSync } from "node:fs";
import { LANGUAGES, type Language } from "#core/languages.ts";

export interface PlacedText {
  readonly language: Language;
  /** "landing hero.lead", "search limits.free-text" */
  readonly key: string;
  readonly text: string;
}

const folder = new URL("../../src/text/locales/", import.meta.url);

export function everyText(): PlacedText[] {
  return LANGUAGES.flatMap((language) =>
    readdirSync(new URL(`${language}/`, folder)).flatMap((file) => {
      const texts: unknown = JSON.parse(readFileSync(new URL(`${language}/${file}`, folder), "utf8"));
      const namespace = file.replace(".json", "");
      return flattened(texts, "").map(([path, text]) => ({ language, key: `${namespace} ${path}`, text }));
    }),
  );
}

function flattened(value: unknown, path: string): [string, string][] {
  if (typeof value === "string") return [[path, value]];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => flattened(inner, path ? `${path}.${key}` : key));
}
