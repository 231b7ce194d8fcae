import type { ChatKind } from "#core/alert/chat.ts";

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
