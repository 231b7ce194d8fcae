import { randomUUID } from "node:crypto";
import type { Chat, Message, Person, Press } from "../model.ts";
import { userOf } from "../model.ts";
import type { Button, InlineKeyboard } from "../reply-markup.ts";
import { setStanding } from "../set-standing.ts";
import { findEntities } from "../text/entity.ts";
import { addMessage, findMessage, tell, unixTime, type World } from "../world.ts";
import { ControlRefusal, unknown } from "./control-refusal.ts";
import { requireChatById, requirePerson } from "./create.ts";

export interface Saying {
  readonly personId: number;
  /** The private chat with the bot unless told. */
  readonly chatId?: number;
  readonly text: string;
  readonly replyTo?: number;
  /** As if sent on from somebody else's chat. */
  readonly isForwarded?: boolean;
}

/** A person sends a text. The bot is told of it where a bot in privacy mode would be. */
export function say(world: World, saying: Saying): Message {
  const person = requirePerson(world, saying.personId);
  const chat = requireChatById(world, saying.chatId ?? person.id);
  requireVoice(chat, person);
  if (saying.text.trim() === "") throw new ControlRefusal(400, "empty-text", "a message needs a text");
  if (saying.text.length > 4096) throw new ControlRefusal(400, "too-long", "a message holds 4096 characters");
  if (chat.kind === "private") chat.standing = "ok";
  const entities = findEntities({ text: saying.text, entities: [] });
  const repliedTo = saying.replyTo === undefined ? undefined : findMessage(chat, saying.replyTo)?.message;
  const message = addMessage(world, chat, {
    ...authorOf(chat, person),
    ...(saying.isForwarded ? { forward_origin: originOf(world, person) } : {}),
    ...(repliedTo === undefined ? {} : { reply_to_message: repliedTo }),
    text: saying.text,
    ...(entities.length === 0 ? {} : { entities }),
  });
  if (isHeard(world, chat, message)) {
    world.updates.push(chat.kind === "channel" ? "channel_post" : "message", message);
  }
  return message;
}

/** A person changes what they wrote. */
export function editSaying(
  world: World,
  {
    personId,
    chatId,
    messageId,
    text,
  }: { personId: number; chatId: number; messageId: number; text: string },
): Message {
  const person = requirePerson(world, personId);
  const chat = requireChatById(world, chatId);
  const stored = findMessage(chat, messageId);
  if (stored === undefined) throw unknown("message", messageId);
  const isOwn = chat.kind === "channel" || (stored.message.from as { id?: number }).id === person.id;
  if (!isOwn) throw new ControlRefusal(409, "not-theirs", "people edit their own messages");
  stored.edits.push(stored.message.text ?? "");
  stored.message = {
    ...stored.message,
    text,
    entities: findEntities({ text, entities: [] }),
    edit_date: unixTime(world),
  };
  if (isHeard(world, chat, stored.message)) {
    world.updates.push(chat.kind === "channel" ? "edited_channel_post" : "edited_message", stored.message);
  }
  tell(world, { type: "chat", chatId: chat.id });
  return stored.message;
}

/** Start pressed: a blocked bot is let in again first, as phones do it. */
export function pressStart(world: World, personId: number, payload = ""): Message {
  const person = requirePerson(world, personId);
  const chat = requireChatById(world, person.id);
  if (chat.standing === "blocked") setStanding(world, chat, { standing: "ok", by: person.id });
  return say(world, { personId, text: `/start ${readPayload(payload)}`.trim() });
}

/** A phone does not hand on a payload that is too long or holds other letters. */
export function readPayload(payload: string): string {
  return /^[A-Za-z0-9_-]{1,64}$/.test(payload) ? payload : "";
}

export interface Pressing {
  readonly personId: number;
  readonly chatId?: number;
  readonly messageId: number;
  /** Which button: by its data, its text, or its place. */
  readonly data?: string;
  readonly text?: string;
  readonly row?: number;
  readonly column?: number;
  /** Sends that data although no button holds it, as a forged client can. */
  readonly isForged?: boolean;
}

type Pressed =
  | { readonly press: Press; readonly url?: never }
  | { readonly url: string; readonly press?: never };

/** A person presses a button under a message; a link is only told, a callback goes to the bot. */
export function pressButton(world: World, pressing: Pressing): Pressed {
  const person = requirePerson(world, pressing.personId);
  const chat = requireChatById(world, pressing.chatId ?? person.id);
  const message = findMessage(chat, pressing.messageId)?.message;
  if (message === undefined) throw unknown("message", pressing.messageId);
  const button = pressing.isForged ? undefined : requireButton(message, pressing);
  if (button?.url !== undefined) return { url: button.url };
  const press: Press = {
    id: String(BigInt(`0x${randomUUID().replaceAll("-", "").slice(0, 15)}`)),
    personId: person.id,
    chatId: chat.id,
    messageId: message.message_id,
    pressedAt: world.clock.now(),
    answer: undefined,
  };
  world.presses.set(press.id, press);
  world.updates.push("callback_query", {
    id: press.id,
    from: userOf(person),
    message,
    chat_instance: String(BigInt(chat.id) * 7919n),
    data: button?.callback_data ?? pressing.data ?? "",
  });
  return { press };
}

function requireButton(message: Message, { data, text, row, column }: Pressing): Button {
  const rows = (message.reply_markup as InlineKeyboard | undefined)?.inline_keyboard ?? [];
  const button =
    row === undefined
      ? rows.flat().find((one) => (data === undefined ? one.text === text : one.callback_data === data))
      : rows[row]?.[column ?? 0];
  if (button === undefined) {
    throw new ControlRefusal(404, "unknown-button", "the message has no such button");
  }
  return button;
}

function requireVoice(chat: Chat, person: Person): void {
  if (chat.kind === "private") {
    if (chat.id !== person.id) throw new ControlRefusal(409, "not-theirs", "that is another person's chat");
    if (chat.standing === "blocked") throw new ControlRefusal(409, "blocked", "the bot is blocked here");
    if (chat.standing === "deactivated") throw new ControlRefusal(409, "deleted", "the account is deleted");
    return;
  }
  const status = chat.members.get(person.id) ?? "left";
  const speaks =
    chat.kind === "channel" ? ["creator", "administrator"] : ["creator", "administrator", "member"];
  if (!speaks.includes(status)) {
    throw new ControlRefusal(409, "not-a-member", `${person.firstName} cannot write there`);
  }
}

function authorOf(chat: Chat, person: Person): Record<string, unknown> {
  return chat.kind === "channel" ? { author_signature: person.firstName } : { from: userOf(person) };
}

function originOf(world: World, person: Person): Record<string, unknown> {
  return { type: "user", sender_user: userOf(person), date: unixTime(world) };
}

/** Privacy mode: in groups a bot hears commands to it, replies to it and what names it; administrators hear all. */
function isHeard(world: World, chat: Chat, message: Message): boolean {
  const isInside = ["ok", "admin", "muted", "photos-muted"].includes(chat.standing);
  if (!isInside) return false;
  if (chat.kind === "private" || chat.standing === "admin") return true;
  if (chat.kind === "channel") return false;
  const text = message.text ?? "";
  const repliedTo = message.reply_to_message as { from?: { id?: number } } | undefined;
  if (repliedTo?.from?.id === world.bot.id) return true;
  const addressee = /^\/[a-z0-9_]+(?:@([a-z0-9_]+))?/i.exec(text);
  const name = world.bot.username.toLowerCase();
  if (addressee !== null) return (addressee[1] ?? name).toLowerCase() === name;
  return text.toLowerCase().includes(`@${name}`);
}
