import { escapeHtml } from "#core/escape-html.ts";
import type { Language } from "#core/languages.ts";
import alertDe from "#text/locales/de/alert.json" with { type: "json" };
import botDe from "#text/locales/de/bot.json" with { type: "json" };
import alertEn from "#text/locales/en/alert.json" with { type: "json" };
import botEn from "#text/locales/en/bot.json" with { type: "json" };
import alertEs from "#text/locales/es/alert.json" with { type: "json" };
import botEs from "#text/locales/es/bot.json" with { type: "json" };
import alertFr from "#text/locales/fr/alert.json" with { type: "json" };
import botFr from "#text/locales/fr/bot.json" with { type: "json" };
import alertRu from "#text/locales/ru/alert.json" with { type: "json" };
import botRu from "#text/locales/ru/bot.json" with { type: "json" };
import { createTranslator, type Translate, type Values } from "#text/translator.ts";

export type BotTexts = Translate<typeof alertEn & typeof botEn>;

/** Words as they are: for buttons, menus and notes over a pressed button. Those of an alert are the bot's words too. */
export const plainTexts: (language: Language) => BotTexts = createTranslator({
  en: { ...alertEn, ...botEn },
  es: { ...alertEs, ...botEs },
  ru: { ...alertRu, ...botRu },
  de: { ...alertDe, ...botDe },
  fr: { ...alertFr, ...botFr },
});

/** Words for a message: what is put into them cannot be taken for markup. */
export function htmlTexts(language: Language): BotTexts {
  const plain = plainTexts(language);
  return (key, values = {}) => plain(key, escaped(values));
}

function escaped(values: Values): Values {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === "string" ? escapeHtml(value) : value,
    ]),
  );
}
