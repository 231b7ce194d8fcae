import { escapeHtml } from "#core/escape-html.ts";
import type { Language } from "#core/languages.ts";
import type { Translate, Values } from "#text/namespaces.ts";
import { translatorOf } from "#text/translator.ts";

export type BotTexts = Translate<"alert" | "bot">;

/** Words as they are: for buttons, menus and notes over a pressed button. Those of an alert are the bot's words too. */
export const botTexts: (language: Language) => BotTexts = translatorOf("bot", "alert");

/** The website's words, for what the bot says just as it does. */
export const siteTexts: (language: Language) => Translate<"filter"> = translatorOf("filter");

/** Words for a message: what is put into them cannot be taken for markup. */
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
