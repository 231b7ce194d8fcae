import type { ChatKind } from "#core/alert/chat.ts";
import { DEFAULT_LANGUAGE, isLanguage, type Language } from "#core/languages.ts";

export interface BotChat {
  /** Digits, with a minus sign for groups and channels. */
  readonly id: string;
  readonly kind: ChatKind;
  readonly title: string;
}

const KINDS: readonly string[] = ["private", "group", "supergroup", "channel"] satisfies ChatKind[];
const TITLE_LIMIT = 300;

/** Returns undefined if the value is not a valid chat. Updates are validated, never trusted. */
export function chatOf(value: unknown): BotChat | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { id, type, title, first_name, last_name } = value as Record<string, unknown>;
  if (!(Number.isSafeInteger(id) && id !== 0 && KINDS.includes(String(type)))) return undefined;
  const name = [title ?? first_name, title === undefined ? last_name : undefined];
  return {
    id: String(id),
    kind: type as ChatKind,
    title: titleOf(name.filter((part) => typeof part === "string").join(" ")),
  };
}

/** The database refuses NUL and lone surrogates, and limits titles by code points. */
function titleOf(text: string): string {
  return [...text.toWellFormed().replaceAll("\u0000", "")].slice(0, TITLE_LIMIT).join("").trim();
}

/** The chat's stored language, else the user's language in Telegram, else English. */
export function languageOf(
  known: Language | null | undefined,
  telegramLanguage: Language | undefined,
): Language {
  return known ?? telegramLanguage ?? DEFAULT_LANGUAGE;
}

/** Reads a code such as "es-419" or "DE". Returns undefined if the language is not supported. */
export function readLanguageCode(value: unknown): Language | undefined {
  if (typeof value !== "string") return undefined;
  const [primary = ""] = value.toLowerCase().split(/[-_]/, 1);
  return isLanguage(primary) ? primary : undefined;
}

/** The forum topic of a message; undefined outside topics. */
export function topicOf(message: unknown): number | undefined {
  if (typeof message !== "object" || message === null) return undefined;
  const { is_topic_message: isTopic, message_thread_id: id } = message as Record<string, unknown>;
  return isTopic === true && Number.isSafeInteger(id) && Number(id) > 0 ? Number(id) : undefined;
}
