import { randomUUID } from "node:crypto";
import { setStanding } from "../bot-standing.ts";
import { type Chat, type Message, type Person, type Press, userOf } from "../model.ts";
import type { Button } from "../reply-markup.ts";
import { finishText } from "../text/entity.ts";
import { addMessage, findMessage, notify, unixTime, type World } from "../world.ts";
import { PhoneError, requireChatById, requirePerson } from "./create.ts";

export interface Saying {
  readonly personId: number;
  /** The private chat with the bot by default. */
  readonly chatId?: number | undefined;
  readonly text: string;
  readonly replyTo?: number;
  /** The forum topic. */
  readonly topicId?: number;
  /** Forwarded from another chat. */
  readonly isForwarded?: boolean;
  /** Other fields of the message, such as entities or a photo with a caption. */
  readonly more?: Partial<
    Pick<Message, "text" | "entities" | "caption" | "caption_entities" | "photo" | "location">
  >;
}

/** A person sends a text. In a group the bot receives it only as privacy mode allows. */
export function say(world: World, saying: Saying): Message {
  const { personId, chatId, text, replyTo, topicId, isForwarded } = saying;
  const person = requirePerson(world, personId);
  const chat = requireChatById(world, chatId ?? person.id);
  requireMaySpeak(chat, person);
  if (chat.kind === "private") chat.standing = "ok";
  const repliedTo = replyTo === undefined ? undefined : findMessage(chat, replyTo)?.message;
  const origin = { type: "user", sender_user: userOf(person), date: unixTime(world) };
  const message = addMessage(world, chat, {
    ...(chat.kind === "channel" ? { author_signature: person.firstName } : { from: userOf(person) }),
    ...(isForwarded ? { forward_origin: origin } : {}),
    ...(repliedTo === undefined ? {} : { reply_to_message: repliedTo }),
    ...(topicId === undefined ? {} : { message_thread_id: topicId, is_topic_message: true }),
    ...bodyOf(text),
    ...saying.more,
  });
  if (isVisibleToBot(world, chat, message)) {
    world.updates.push(chat.kind === "channel" ? "channel_post" : "message", message);
  }
  return message;
}

interface Editing {
  readonly personId: number;
  readonly chatId: number;
  readonly messageId: number;
  readonly text: string;
}

/** A person edits a message. */
export function editSaying(world: World, { personId, chatId, messageId, text }: Editing): void {
  const chat = requireChatById(world, chatId);
  const stored = findMessage(chat, messageId);
  if (stored?.message.from?.id !== personId) throw new PhoneError("people edit their own messages");
  stored.message = { ...stored.message, ...bodyOf(text), edit_date: unixTime(world) };
  if (isVisibleToBot(world, chat, stored.message)) world.updates.push("edited_message", stored.message);
  notify(world, { type: "chat", chatId });
}

function bodyOf(text: string): Pick<Message, "text" | "entities"> {
  const { entities } = finishText({ text, entities: [] });
  return { text, ...(entities.length === 0 ? {} : { entities }) };
}

/** A person presses Start. As on phones, this unblocks the bot first. */
export function pressStart(world: World, personId: number, payload = ""): Message {
  const chat = requireChatById(world, personId);
  if (chat.standing === "blocked") setStanding(world, chat, { standing: "ok", by: personId });
  return say(world, { personId, text: `/start ${readPayload(payload)}`.trim() });
}

/** Phones drop a payload that is too long or has other characters. */
export function readPayload(payload: string): string {
  return /^[A-Za-z0-9_-]{1,64}$/.test(payload) ? payload : "";
}

export interface Pressing {
  readonly personId: number;
  readonly chatId?: number | undefined;
  readonly messageId: number;
  /** The button, by its data, its text, or its position. */
  readonly data?: string | undefined;
  readonly text?: string | undefined;
  readonly row?: number | undefined;
  readonly column?: number | undefined;
  /** Sends data that no button has, as a modified client can. */
  readonly isForged?: boolean | undefined;
}

/** A person presses a button. A link button returns its URL, a callback goes to the bot. */
export function pressButton(
  world: World,
  pressing: Pressing,
): { readonly press?: Press; readonly url?: string } {
  const person = requirePerson(world, pressing.personId);
  const chat = requireChatById(world, pressing.chatId ?? person.id);
  const message = findMessage(chat, pressing.messageId)?.message;
  if (message === undefined) throw new PhoneError(`there is no message ${pressing.messageId}`);
  const button = pressing.isForged ? undefined : requireButton(message, pressing);
  if (button?.url !== undefined) return { url: button.url };
  const press: Press = {
    id: String(BigInt(`0x${randomUUID().replaceAll("-", "").slice(0, 15)}`)),
    chatId: chat.id,
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
  const rows = message.reply_markup?.inline_keyboard ?? [];
  const button =
    row === undefined
      ? rows.flat().find((one) => (data === undefined ? one.text === text : one.callback_data === data))
      : rows[row]?.[column ?? 0];
  if (button === undefined) throw new PhoneError("the message has no such button");
  return button;
}

function requireMaySpeak(chat: Chat, person: Person): void {
  const { kind, standing } = chat;
  if (kind === "private") {
    if (chat.id !== person.id) throw new PhoneError("that is another person's chat");
    if (standing === "blocked") throw new PhoneError("the bot is blocked here");
    if (standing === "deactivated") throw new PhoneError("the account is deleted");
    return;
  }
  const speakers = ["creator", "administrator", ...(kind === "channel" ? [] : ["member"])];
  if (!speakers.includes(chat.members.get(person.id) ?? "left")) {
    throw new PhoneError(`${person.firstName} cannot write there`);
  }
}

/** Privacy mode: in groups a bot receives commands, replies to it and mentions; as an administrator all messages. */
function isVisibleToBot(world: World, { kind, standing }: Chat, message: Message): boolean {
  if (!["ok", "admin", "muted"].includes(standing)) return false;
  if (kind === "private" || standing === "admin") return true;
  if (kind === "channel") return false;
  if (message.reply_to_message?.from?.id === world.bot.id) return true;
  const text = (message.text ?? "").toLowerCase();
  const name = world.bot.username.toLowerCase();
  const command = /^\/[a-z0-9_]+(?:@([a-z0-9_]+))?/.exec(text);
  return command === null ? text.includes(`@${name}`) : (command[1] ?? name) === name;
}
