/** A way to a person: takes news for one chat, and answers what became of it. */
import type { AlertNews } from "#core/alert/alert.ts";
import type { Unreachable } from "#core/alert/chat.ts";
import type { DistanceTo } from "#core/finds/distance.ts";
import type { HomeMark } from "#core/finds/find.ts";
import type { Language } from "#core/languages.ts";
import type { Warning } from "#core/warnings/warning.ts";

export interface Channel {
  /** `mayGoOn` is asked before every request that could put the message into the chat. */
  send(message: ChannelMessage, mayGoOn?: () => boolean): Promise<SendOutcome>;
  /** Writes a message that was sent anew; "sent" also where it says the same already. */
  edit(message: ChannelMessage, messageId: string, mayGoOn?: () => boolean): Promise<SendOutcome>;
  /** Whether the other side knows us again, after it refused us. */
  probe(): Promise<ProbeOutcome>;
}

export interface ChannelMessage {
  readonly chatId: string;
  /** Whose alert it is; a question is about this person. */
  readonly userId: string;
  readonly language: Language;
  /** One thing to tell, or several that waited, told as one summary. */
  readonly news: readonly SearchNews[];
  /** An earlier message of ours in the chat that this one belongs to. */
  readonly replyTo: string | null;
  /** The topic of the group it belongs to. */
  readonly topicId?: string | null;
  /** The chat hears nothing for some hours. */
  readonly isMuted?: boolean;
}

/** What is told, with the searches it is told for where the person has several. */
export type SearchNews = AlertNews & {
  readonly searches?: readonly NamedSearch[];
  readonly own?: OwnFacts;
  /** The same for every advert of a home. */
  readonly homeId?: string | null;
};

/** What a home is to the person it is told to. */
export interface OwnFacts {
  readonly distances: readonly DistanceTo[];
  /** Those the person wants to see. */
  readonly signs: readonly Warning[];
  readonly mark: HomeMark | null;
  readonly note: string | null;
}

export interface NamedSearch {
  readonly id: string;
  /** Null: it is called by its place. */
  readonly name: string | null;
  readonly filterUrl: string;
  /** In this chat, for some hours. */
  readonly isMuted?: boolean;
}

/** Why a chat cannot be written to, as its people are told. */
export type ChatTrouble = "blocked" | Unreachable;

export type SendOutcome =
  /** `includedCount`: how many of the news fitted, from the first on. `goneTopicId`: it stands outside of its topic, which is no more. */
  | {
      readonly type: "sent";
      readonly messageId: string | null;
      readonly includedCount: number;
      readonly goneTopicId?: string;
    }
  /** The chat takes nothing any more. */
  | { readonly type: "closed"; readonly trouble: ChatTrouble; readonly error: string }
  | { readonly type: "moved"; readonly toChatId: string; readonly error: string }
  /** Too many messages; unknown how long where nothing was said. */
  | { readonly type: "flood"; readonly retryAfterMs: number | null; readonly error: string }
  /** They do not know us: nothing can be sent to anyone. */
  | { readonly type: "refused-us"; readonly error: string }
  /** Not sent, and worth another try; the trouble lies with the one message or with the whole chat. */
  | { readonly type: "failed"; readonly scope: "alert" | "chat"; readonly error: string }
  /** No answer came: it may have arrived. */
  | { readonly type: "unknown"; readonly error: string }
  /** Another try would fail the same way. */
  | { readonly type: "hopeless"; readonly error: string };

export type ProbeOutcome = "known" | "refused" | "unknown";
