// What a folder of the bot answers: its commands and the presses of its buttons. The router alone knows all subjects.
import type { Context } from "grammy";
import type { ButtonPress } from "../../callback-data.ts";
import type { Conversation } from "./conversation.ts";
import type { ReceivedText } from "./read-links.ts";
import type { Role } from "./role-in.ts";

interface Needs {
  /** It concerns only the chat itself. Anything else reads or writes an account, which the chat must have confirmed. */
  readonly isForUnconfirmed?: true;
  /** The owner of a private chat may do it before there is an account. */
  readonly isForNewcomers?: true;
}

export interface CommandRow extends Needs {
  readonly run: (conversation: Conversation, argument: string, received: ReceivedText) => Promise<void>;
  /** In a group or channel it needs an administrator. The owner of a private chat is one. */
  readonly isForAdministrators?: true;
}

export type PressAct = ButtonPress["act"];

export interface PressRow<Act extends PressAct> extends Needs {
  /** Returns the text of the notification. Callback data can be forged, so nothing in it is trusted. */
  readonly run: (
    conversation: Conversation,
    ctx: Context,
    press: Extract<ButtonPress, { readonly act: Act }>,
    role: Role,
  ) => Promise<string>;
  /** Group members may do it, and not administrators alone. Readers of a channel may not. */
  readonly isForMembers?: true;
}

export type Commands = Readonly<Record<string, CommandRow>>;
export type Presses = { readonly [Act in PressAct]?: PressRow<Act> };
