import type { ChatKind } from "#core/alert/chat.ts";
import { DEFAULT_LANGUAGE, isLanguage, type Language } from "#core/languages.ts";

/** A chat as the bot knows it. */
export interface BotChat {
  /** A string of digits, perhaps with a minus. */
  readonly id: string;
  readonly kind: ChatKind;
  readonly title: string;
}

const KINDS: readonly string[] = ["private", "group", "supergroup", "channel"] satisfies ChatKind[];
const TITLE_LIMIT = 300;

/** Undefined for what is no chat: Telegram's shapes are taken at their word nowhere. */
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

/** The database takes neither NUL nor halves of characters, and counts whole ones. */
function titleOf(text: string): string {
  return [...text.toWellFormed().replaceAll("\u0000", "")].slice(0, TITLE_LIMIT).join("").trim();
}

/** What is known of a chat's language, else Telegram's language of the person, else English. */
export function languageOf(
  known: Language | null | undefined,
  telegramLanguage: Language | undefined,
): Language {
  return known ?? telegramLanguage ?? DEFAULT_LANGUAGE;
}

/** The language that Telegram's code ("es-419", "DE") names; undefined if it is none of ours. */
export function readLanguageCode(value: unknown): Language | undefined {
  if (typeof value !== "string") return undefined;
  const [primary = ""] = value.toLowerCase().split(/[-_]/, 1);
  return isLanguage(primary) ? primary : undefined;
}

/** The topic of a forum that a message stands in; undefined for the rest of the group. */
export function topicOf(message: unknown): number | undefined {
  if (typeof message !== "object" || message === null) return undefined;
  const { is_topic_message: isTopic, message_thread_id: id } = message as Record<string, unknown>;
  return isTopic === true && Number.isSafeInteger(id) && Number(id) > 0 ? Number(id) : undefined;
}
