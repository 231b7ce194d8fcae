import type { IncomingUpdate, UpdateSource } from "../rows/inbox.ts";

/** Telegram documents no larger ids. Confirming a larger one would confirm all updates still to come. */
const HIGHEST_ID = 2 ** 31 - 1;
const CONTENT_LIMIT = 1024 * 1024;

/** Returns undefined for an update without a valid id, which cannot be stored or confirmed, and for one that is too large. */
export function readUpdate(value: unknown): IncomingUpdate | undefined {
  const updateId = isObject(value) ? value.update_id : undefined;
  if (!isUpdateId(updateId)) return undefined;
  const content = toJson(value);
  if (content === undefined || content.length > CONTENT_LIMIT) return undefined;
  return { updateId, content, isUrgent: isUrgent(value), ...sourceOf(value) };
}

function isUpdateId(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) > 0 && Number(value) <= HIGHEST_ID;
}

/** JSON escapes the characters that the database cannot store as text. */
function toJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch (error) {
    // Nested too deeply for JSON.stringify.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** The chat and the sender of an update. The upgrade to a supergroup counts for the old chat. */
export function sourceOf(update: unknown): UpdateSource {
  const contents = isObject(update) ? Object.values(update).filter(isObject) : [];
  const formers = contents.map(({ migrate_from_chat_id: id }) => ({ id }));
  const chats = contents.flatMap(({ chat, message }) => [chat, isObject(message) ? message.chat : undefined]);
  const senderId = firstIdOf(contents.map(({ from }) => from));
  return { chatId: firstIdOf([...formers, ...chats]) ?? senderId ?? "0", senderId: senderId ?? "0" };
}

function firstIdOf(values: readonly unknown[]): string | undefined {
  const owner = values.find((value) => isObject(value) && Number.isSafeInteger(value.id));
  return isObject(owner) ? String(owner.id) : undefined;
}

/** Membership changes, upgrades to a supergroup and /stop are stored even from a chat over its limit. */
function isUrgent(update: unknown): boolean {
  if (!isObject(update)) return false;
  if (update.my_chat_member !== undefined) return true;
  const message = update.message ?? update.channel_post;
  if (!isObject(message)) return false;
  return (
    message.migrate_to_chat_id !== undefined ||
    message.migrate_from_chat_id !== undefined ||
    (typeof message.text === "string" && isStop(message.text))
  );
}

export function isStop(text: string): boolean {
  return /^\s*\/?stop(?:@\w+)?\s*$/i.test(text);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
