import { escapeHtml } from "#core/escape-html.ts";
import type { Language } from "#core/languages.ts";
import { createTranslator, type Translate, type Values } from "#core/translator.ts";
import de from "#locales/de/bot.json" with { type: "json" };
import en from "#locales/en/bot.json" with { type: "json" };
import es from "#locales/es/bot.json" with { type: "json" };
import fr from "#locales/fr/bot.json" with { type: "json" };
import ru from "#locales/ru/bot.json" with { type: "json" };

type English = typeof en;

/** Words as they are: for buttons, menus and notes over a pressed button. */
export const plainTexts: (language: Language) => Translate<English> = createTranslator({
  en,
  es,
  ru,
  de,
  fr,
});

/** Words for a message: what is put into them cannot be taken for markup. */
export function htmlTexts(language: Language): Translate<English> {
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
