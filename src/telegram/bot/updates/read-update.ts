import type { IncomingUpdate, UpdateSource } from "#store/chats/inbox.ts";

/** Telegram's ids fit 32 bits, or its documents would say so. One beyond them would confirm all that is still to come. */
const HIGHEST_ID = 2 ** 31 - 1;
const CONTENT_LIMIT = 1024 * 1024;

/** Undefined for what cannot be kept: without a right id it can neither be told from others nor confirmed. */
export function readUpdate(value: unknown): IncomingUpdate | undefined {
  const updateId = isObject(value) ? value.update_id : undefined;
  if (!isUpdateId(updateId)) return undefined;
  const content = writeOut(value);
  if (content === undefined || content.length > CONTENT_LIMIT) return undefined;
  return { updateId, content, isUrgent: isUrgent(value), ...sourceOf(value) };
}

function isUpdateId(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) > 0 && Number(value) <= HIGHEST_ID;
}

/** As JSON writes it: what the database cannot hold as text stands there in escapes. */
function writeOut(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch (error) {
    // Nested so deep that it cannot be written again.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** The chat that something was said or pressed in, and who did. A group's move is the group's that it was. */
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

/** Who was thrown out or blocked, who moved, and who wants to hear no more is listened to at any time. */
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

/** A way out is a way out, also for who has said too much before. */
export function isStop(text: string): boolean {
  return /^\s*\/?stop(?:@\w+)?\s*$/i.test(text);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
