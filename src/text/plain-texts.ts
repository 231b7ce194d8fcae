/** Reads texts without i18next, for what a page shows before the application is loaded. Supports only plurals and placeholders. */
import type { Language } from "#core/languages.ts";
import { formatNumber } from "./labels.ts";
import type { Values } from "./namespaces.ts";

export function plainTexts(texts: object, language: Language): (key: string, values?: Values) => string {
  const cardinals = new Intl.PluralRules(language);
  const ordinals = new Intl.PluralRules(language, { type: "ordinal" });
  const formOf = (count: number, isOrdinal: boolean) =>
    isOrdinal ? `_ordinal_${ordinals.select(count)}` : `_${cardinals.select(count)}`;
  const read = (name: string) => name.split(".").reduce<unknown>(memberOf, texts);
  return (key, values = {}) => {
    const { count, ordinal } = values;
    const isOrdinal = ordinal === true;
    const name = typeof count === "number" ? key + formOf(count, isOrdinal) : key;
    // Texts that could not be loaded are replaced by English ones, which have fewer plural forms.
    const text = read(name) ?? read(key + (isOrdinal ? "_ordinal_other" : "_other"));
    if (typeof text !== "string") throw new Error(`No text for ${name} in ${language}`);
    return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
      const value = values[name];
      return typeof value === "number" ? formatNumber(value, language) : String(value);
    });
  };
}

function memberOf(texts: unknown, name: string): unknown {
  return typeof texts === "object" && texts !== null ? Reflect.get(texts, name) : undefined;
}
