import de from "#text/locales/de/alert.json" with { type: "json" };
import en from "#text/locales/en/alert.json" with { type: "json" };
import es from "#text/locales/es/alert.json" with { type: "json" };
import fr from "#text/locales/fr/alert.json" with { type: "json" };
import ru from "#text/locales/ru/alert.json" with { type: "json" };
import { createTranslator, type Translate } from "#text/translator.ts";

export type AlertTexts = Translate<typeof en>;

export const alertTexts = createTranslator({ en, es, ru, de, fr });
