// The interface between the dispatcher and Telegram, so that tests can replace Telegram's answers.
import type { AlertNews } from "#core/alert/alert.ts";
import type { Unreachable } from "#core/alert/chat.ts";
import type { DistanceTo } from "#core/finds/distance.ts";
import type { HomeMark } from "#core/finds/find.ts";
import type { Language } from "#core/languages.ts";
import type { Warning } from "#core/warnings/warning.ts";
import type { SearchToName } from "#text/search-names.ts";

export interface Channel {
  /** `mayGoOn` is called before every request that could post the message. */
  send(message: ChannelMessage, mayGoOn?: () => boolean): Promise<SendOutcome>;
  /** Edits a sent message. The outcome is "sent" also if nothing had to change. */
  edit(message: ChannelMessage, messageId: string, mayGoOn?: () => boolean): Promise<SendOutcome>;
  /** Checks whether Telegram answers, and accepts the token. */
  probe(): Promise<ProbeOutcome>;
}

export interface ChannelMessage {
  readonly chatId: string;
  /** The user whose alert this is, or whom a question is about. */
  readonly userId: string;
  readonly language: Language;
  /** Several news are sent as one summary. */
  readonly news: readonly SearchNews[];
  /** The id of an earlier message about the same listing. */
  readonly replyTo: string | null;
  /** The forum topic it is sent to. */
  readonly topicId?: string | null;
  /** The chat is muted for some hours. */
  readonly isMuted?: boolean;
  /** Several alerts are one message by wish, and not after quiet hours. */
  readonly isAtOnce?: boolean;
  /** It is sent without a sound. */
  readonly isSilent?: boolean;
  /** How much of it is sent at first; whole by default. */
  readonly form?: MessageForm;
}

/** Without its picture, whose download may be what takes too long; or the shortest text with its links. */
export type MessageForm = "whole" | "no-picture" | "shortest";

/** News with the searches it matches, if the user has several. */
export type SearchNews = AlertNews & {
  readonly searches?: readonly NamedSearch[];
  /** The names of the people it is about: those who kept the home, or the account that a question is about. */
  readonly people?: readonly string[];
  readonly own?: OwnFacts;
  /** A notice, after which the next one waits until tomorrow. */
  readonly isLastOfDay?: boolean;
  /** The inline query that offers its card in other chats; null if that is not possible. */
  readonly shareQuery?: string | null;
  /** How it opens the Mini App: with a button that signs the reader in, or, in groups, by a link to the bot's main app. */
  readonly opensApp?: "button" | { readonly bot: string } | null;
  /** When it was mailed, because Telegram was away. */
  readonly mailedMs?: number | null;
  /** The same for all adverts of a home. */
  readonly homeId?: string | null;
  /** The home has ended since. Only in edits. */
  readonly ended?: { readonly foundMs: number; readonly goneMs: number } | null;
};

/** What is known about a home for this user. */
export interface OwnFacts {
  readonly distances: readonly DistanceTo[];
  /** Without the warnings that the user turned off. */
  readonly warnings: readonly Warning[];
  readonly mark: HomeMark | null;
  readonly note: string | null;
}

export interface NamedSearch {
  readonly id: string;
  /** Null if the search is named after its place. */
  readonly name: string | null;
  readonly filterUrl: string;
  /** All searches of the person, among which its name must tell it apart. */
  readonly among?: readonly SearchToName[];
  /** Muted in this chat, for some hours. */
  readonly isMuted?: boolean;
}

/** Why a chat cannot be written to. Shown to its users. */
export type ClosedChatReason = "blocked" | Unreachable;

export type SendOutcome =
  /** `includedCount`: how many of the news fitted. `goneTopicId`: the topic no longer exists, so it was sent outside of it. */
  | {
      readonly type: "sent";
      readonly messageId: string | null;
      readonly includedCount: number;
      readonly goneTopicId?: string;
    }
  /** The chat no longer accepts messages. */
  | { readonly type: "closed"; readonly reason: ClosedChatReason; readonly error: string }
  | { readonly type: "moved"; readonly toChatId: string; readonly error: string }
  /**
   * Rate-limited. `retryAfterMs` is null if Telegram did not say how long. `isAfterRefusal`: only after a fuller form was refused, so
   * the next try would meet both again.
   */
  | {
      readonly type: "flood";
      readonly retryAfterMs: number | null;
      readonly error: string;
      readonly isAfterRefusal?: boolean;
    }
  /** Telegram refuses the token: nothing can be sent to anyone. */
  | { readonly type: "refused-us"; readonly error: string }
  /** Not sent, to be retried. The scope says whether one message or the whole chat is affected. */
  | {
      readonly type: "failed";
      readonly scope: "alert" | "chat";
      readonly error: string;
      readonly isServerDown?: boolean;
    }
  /** No answer: the message may have arrived, unless it certainly was not sent. */
  | { readonly type: "unknown"; readonly error: string; readonly isUnsent?: boolean }
  /** A retry would fail in the same way. */
  | { readonly type: "hopeless"; readonly error: string };

export type ProbeOutcome = "known" | "refused" | "unknown";
