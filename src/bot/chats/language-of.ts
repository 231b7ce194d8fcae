import { DEFAULT_LANGUAGE, isLanguage, type Language } from "#core/languages.ts";

/** The language a chat is spoken to in: its own choice, else what Telegram says of the person, else English. */
export function languageOf(chosen: Language | undefined, telegramCode: string | undefined): Language {
  if (chosen !== undefined) return chosen;
  const [primary = ""] = (telegramCode ?? "").toLowerCase().split(/[-_]/);
  return isLanguage(primary) ? primary : DEFAULT_LANGUAGE;
}

/** Telegram's code of a language as it may be stored: "es", "pt-br", "zh-hans". */
export function readLanguageCode(value: unknown): string | undefined {
  return typeof value === "string" && /^[A-Za-z]{2,8}(?:[-_][A-Za-z0-9]{1,8}){0,3}$/.test(value)
    ? value
    : undefined;
}
