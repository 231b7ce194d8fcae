import type { InlineKeyboard } from "./reply-markup.ts";
import type { Entity } from "./text/entity.ts";

export interface Person {
  readonly id: number;
  firstName: string;
  lastName: string | undefined;
  languageCode: string | undefined;
}

export type ChatKind = "private" | "group" | "supergroup" | "channel";

/**
 * The bot's standing in a chat.
 * private: stranger → (meets in a group) never-started → (Start) ok ⇄ blocked; any → deactivated.
 * others: left → (added) ok or admin ⇄ muted; ok, admin, muted → kicked or left; group → migrated.
 */
export type Standing =
  | "ok"
  | "admin"
  | "muted"
  | "stranger"
  | "never-started"
  | "blocked"
  | "deactivated"
  | "kicked"
  | "left"
  | "migrated";

export type MemberStatus = "creator" | "administrator" | "member" | "left" | "kicked";

export interface Chat {
  readonly id: number;
  readonly kind: ChatKind;
  title: string | undefined;
  standing: Standing;
  /** The members, without the bot. */
  readonly members: Map<number, MemberStatus>;
  /** What the bot may do as an administrator. */
  rights: Readonly<Record<string, boolean>>;
  migratedTo: number | undefined;
  readonly messages: StoredMessage[];
  /** The topics of a forum by thread id; empty if it is not a forum. */
  readonly topics: Map<number, "open" | "closed">;
}

export interface StoredMessage {
  /** The Bot API's Message object. */
  message: Message;
}

export interface Message {
  readonly message_id: number;
  readonly date: number;
  readonly chat: Readonly<Record<string, unknown>>;
  readonly from?: Readonly<Record<string, unknown>>;
  readonly edit_date?: number;
  readonly text?: string;
  readonly entities?: readonly Entity[];
  readonly caption?: string;
  readonly caption_entities?: readonly Entity[];
  readonly photo?: readonly PhotoSize[];
  readonly location?: Readonly<Record<string, number>>;
  readonly reply_markup?: InlineKeyboard;
  readonly reply_to_message?: Message;
  readonly [field: string]: unknown;
}

export interface PhotoSize {
  readonly file_id: string;
  readonly file_unique_id: string;
  readonly width: number;
  readonly height: number;
}

/** A button press. It can be answered once, for a limited time. */
export interface Press {
  readonly id: string;
  readonly chatId: number;
  readonly pressedAt: number;
  answer: { readonly text: string; readonly isAlert: boolean } | undefined;
}

/** https://core.telegram.org/bots/api#menubutton */
export type MenuButton =
  | { readonly type: "commands" | "default" }
  | { readonly type: "web_app"; readonly text: string; readonly web_app: { readonly url: string } };

export interface MenuCommand {
  readonly command: string;
  readonly description: string;
}

export function userOf(person: Person): Record<string, unknown> {
  return {
    id: person.id,
    is_bot: false,
    first_name: person.firstName,
    ...(person.lastName === undefined ? {} : { last_name: person.lastName }),
    ...(person.languageCode === undefined ? {} : { language_code: person.languageCode }),
  };
}

/** An inline query of a person, and the bot's answer to it. */
export interface InlineQuery {
  readonly id: string;
  readonly at: number;
  answer?: {
    readonly results: readonly Readonly<Record<string, unknown>>[];
    readonly cacheTime: number;
    readonly isPersonal: boolean;
  };
}

/** A message that the bot prepared for a person to send. */
export interface PreparedMessage {
  readonly personId: number;
  readonly content: Readonly<Record<string, unknown>>;
  readonly allowed: readonly ChatKind[];
  readonly expiresAt: number;
}
