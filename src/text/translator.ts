/** Texts for programs that are not a browser, from the same files: {{placeholders}} and plural forms as i18next spells them. */
import type { Language } from "#core/languages.ts";

type Catalogue = Readonly<Record<string, string>>;

/** A key as code names it: plural forms go by the key without its ending. */
export type KeyOf<English> = keyof English extends infer K
  ? K extends `${infer Base}_${"one" | "other"}`
    ? Base
    : K
  : never;

export type Values = Readonly<Record<string, string | number>>;

/** `count` picks the plural form. */
export type Translate<English> = (key: KeyOf<English> & string, values?: Values) => string;

export function createTranslator<English extends Catalogue>(
  catalogues: Readonly<Record<Language, Catalogue>> & { readonly en: English },
): (language: Language) => Translate<English> {
  return (language) => {
    const texts = catalogues[language];
    return (key, values = {}) => {
      const text = texts[key] ?? texts[`${key}_${formOf(values.count, language)}`] ?? texts[`${key}_other`];
      if (text === undefined) throw new Error(`No text "${key}" in ${language}`);
      return text.replace(/\{\{(\w+)\}\}/g, (mark, name: string) => String(values[name] ?? mark));
    };
  };
}

const rules = new Map<Language, Intl.PluralRules>();

function formOf(count: string | number | undefined, language: Language): Intl.LDMLPluralRule {
  if (typeof count !== "number") return "other";
  const rule = rules.get(language) ?? new Intl.PluralRules(language);
  rules.set(language, rule);
  return rule.select(count);
}
