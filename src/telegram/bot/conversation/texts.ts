import { escapeHtml } from "#core/escape-html.ts";
import type { Language } from "#core/languages.ts";
import type { Translate, Values } from "#text/namespaces.ts";
import { translatorOf } from "#text/translator.ts";

export type BotTexts = Translate<"alert" | "bot">;

/** Unescaped texts, for buttons, menus and notifications. Includes the texts of alerts. */
export const botTexts: (language: Language) => BotTexts = translatorOf("bot", "alert");

/** Texts that the bot shares with the website. */
export const siteTexts: (language: Language) => Translate<"filter"> = translatorOf("filter");

/** Texts for HTML messages: inserted values are escaped. */
export function htmlTexts(language: Language): BotTexts {
  const plain = botTexts(language);
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
