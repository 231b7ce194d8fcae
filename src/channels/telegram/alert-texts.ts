import { createTranslator, type Translate } from "#core/translator.ts";
import de from "#locales/de/alert.json" with { type: "json" };
import en from "#locales/en/alert.json" with { type: "json" };
import es from "#locales/es/alert.json" with { type: "json" };
import fr from "#locales/fr/alert.json" with { type: "json" };
import ru from "#locales/ru/alert.json" with { type: "json" };

export type AlertTexts = Translate<typeof en>;

export const alertTexts = createTranslator({ en, es, ru, de, fr });
