import type { TelegramClock } from "./clock.ts";
import type { Faults } from "./faults.ts";
import type { FloodControl } from "./flood-control.ts";
import type { Ledger } from "./ledger.ts";
import type {
  Chat,
  InlineQuery,
  MenuButton,
  MenuCommand,
  Message,
  Person,
  PreparedMessage,
  Press,
  StoredMessage,
} from "./model.ts";
import type { Pictures } from "./pictures.ts";
import type { Refusal } from "./refusal.ts";
import type { UpdateQueue } from "./update-queue.ts";
import type { Webhook } from "./webhook.ts";

export interface WorldEvent {
  readonly type: "chat" | "answer" | "people";
  readonly chatId?: number;
  readonly pressId?: string;
}

/** The state of the simulated Telegram, shared by the Bot API, the phones and the control API. */
export interface World {
  readonly clock: TelegramClock;
  readonly bot: {
    readonly id: number;
    readonly username: string;
    readonly firstName: string;
    readonly token: string;
  };
  /** A revoked token gives 401 until it is restored. */
  isTokenRevoked: boolean;
  /** Whether the bot's owner turned inline mode on at @BotFather. */
  hasInlineMode: boolean;
  /** Whether the bot's owner turned topics in private chats on at @BotFather. */
  hasPrivateTopics: boolean;
  /** Whether the bot's owner enabled the main Mini App at @BotFather. */
  hasMainApp: boolean;
  /** Menu buttons by private chat; "" is the default of all. */
  readonly menuButtons: Map<string, MenuButton>;
  readonly inlineQueries: Map<string, InlineQuery>;
  readonly preparedMessages: Map<string, PreparedMessage>;
  readonly people: Map<number, Person>;
  readonly chats: Map<number, Chat>;
  readonly presses: Map<string, Press>;
  readonly pictures: Pictures;
  /** The contents of the bot's files, by file id. */
  readonly documents: Map<string, Uint8Array>;
  /** Command menus by scope and language; "" is the default language. */
  readonly menus: Map<string, readonly MenuCommand[]>;
  /** The bot's descriptions, by kind and language. */
  readonly descriptions: Map<string, string>;
  readonly updates: UpdateQueue;
  readonly webhook: Webhook;
  /** Accepts webhooks over plain HTTP and on any port, as Telegram's server does in local mode. */
  readonly isWebhookLocal: boolean;
  readonly polling: Polling;
  readonly faults: Faults;
  readonly flood: FloodControl;
  readonly ledger: Ledger;
  readonly listeners: Set<(event: WorldEvent) => void>;
  lastMessageId: number;
}

/** The request that waits for updates, and what is remembered of earlier ones. */
interface Polling {
  abort: ((refusal: Refusal) => void) | undefined;
  lastConflictAt: number;
  lastOffset: number | undefined;
  lastFinishedAt: number;
}

export function notify(world: World, event: WorldEvent): void {
  for (const listener of world.listeners) listener(event);
}

export function unixTime(world: World): number {
  return Math.floor(world.clock.now() / 1000);
}

export function botUser({ bot }: World): Record<string, unknown> {
  return { id: bot.id, is_bot: true, first_name: bot.firstName, username: bot.username };
}

export function chatObject(world: World, { id, kind, title }: Chat): Record<string, unknown> {
  const person = kind === "private" ? world.people.get(id) : undefined;
  if (person === undefined) return { id, title, type: kind };
  const { firstName, lastName } = person;
  return {
    id,
    first_name: firstName,
    ...(lastName === undefined ? {} : { last_name: lastName }),
    type: kind,
  };
}

export function addMessage(world: World, chat: Chat, content: Readonly<Record<string, unknown>>): Message {
  const message: Message = {
    message_id: nextMessageId(world, chat),
    ...(chat.kind === "channel" ? { sender_chat: chatObject(world, chat) } : {}),
    chat: chatObject(world, chat),
    date: unixTime(world),
    ...content,
  };
  chat.messages.push({ message });
  notify(world, { type: "chat", chatId: chat.id });
  return message;
}

/** Private chats and groups share one sequence of ids; supergroups and channels have another. */
function nextMessageId(world: World, chat: Chat): number {
  if (chat.kind !== "private" && chat.kind !== "group") {
    return (chat.messages.at(-1)?.message.message_id ?? 0) + 1;
  }
  world.lastMessageId += 1;
  return world.lastMessageId;
}

export function findMessage(chat: Chat, messageId: number | undefined): StoredMessage | undefined {
  return chat.messages.findLast(({ message }) => message.message_id === messageId);
}
