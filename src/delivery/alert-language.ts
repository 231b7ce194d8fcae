import { DEFAULT_LANGUAGE, isLanguage, type Language } from "#core/languages.ts";

export interface LanguageWishes {
  readonly chatLanguage: string | null;
  readonly personLanguage: string | null;
  /** As Telegram spells it: "es", "pt-br". */
  readonly telegramLanguage: string | null;
}

/** The chat's own choice, else the person's, else what Telegram says of who spoke there last. */
export function alertLanguageOf({
  chatLanguage,
  personLanguage,
  telegramLanguage,
}: LanguageWishes): Language {
  const spoken = telegramLanguage?.split(/[-_]/)[0]?.toLowerCase() ?? null;
  const wishes = [chatLanguage, personLanguage, spoken];
  return wishes.find((wish) => wish !== null && isLanguage(wish)) ?? DEFAULT_LANGUAGE;
}
