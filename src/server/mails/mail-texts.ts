import de from "#text/locales/de/mail.json" with { type: "json" };
import en from "#text/locales/en/mail.json" with { type: "json" };
import es from "#text/locales/es/mail.json" with { type: "json" };
import fr from "#text/locales/fr/mail.json" with { type: "json" };
import ru from "#text/locales/ru/mail.json" with { type: "json" };

export type MailTexts = typeof en;

export const mailTexts = { en, es, ru, de, fr } satisfies Record<string, MailTexts>;

export type MailLanguage = keyof typeof mailTexts;

export const mailLanguages: MailLanguage[] = ["en", "es", "ru", "de", "fr"];

export function isMailLanguage(value: unknown): value is MailLanguage {
  return mailLanguages.some((language) => language === value);
}

/** English pages stand at the root, the others under their language. */
export function prefixOf(language: MailLanguage): string {
  return language === "en" ? "" : `/${language}`;
}
