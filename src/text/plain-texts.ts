/** Reads texts without i18next, for what a page shows before the application is loaded. Supports only plurals and placeholders. */
import type { Language } from "#core/languages.ts";
import type { Values } from "./namespaces.ts";

export function plainTexts(texts: object, language: Language): (key: string, values?: Values) => string {
  const rules = new Intl.PluralRules(language);
  return (key, values = {}) => {
    const { count } = values;
    const name = typeof count === "number" ? `${key}_${rules.select(count)}` : key;
    const text = name.split(".").reduce(memberOf, texts);
    if (typeof text !== "string") throw new Error(`No text for ${name} in ${language}`);
    return text.replace(/\{\{(\w+)\}\}/g, (_, value: string) => String(values[value]));
  };
}

function memberOf(texts: unknown, name: string): unknown {
  return typeof texts === "object" && texts !== null ? Reflect.get(texts, name) : undefined;
}
