// Finds who answers a command or a press, and whether this chat and this person may do it. The only file that knows all subjects.
import type { Context } from "grammy";
import type { ButtonPress } from "../../callback-data.ts";
import { ACCOUNT_COMMANDS, ACCOUNT_PRESSES } from "../account/account-subject.ts";
import { CONSENT_PRESSES } from "../chats/answer-consent.ts";
import { hasAccount } from "../chats/confirmed-only.ts";
import { CHAT_COMMANDS, CHAT_PRESSES } from "../commands/chat-subject.ts";
import type { CommandName } from "../commands/command-menu.ts";
import { canStart } from "../conversation/can-start.ts";
import type { Conversation } from "../conversation/conversation.ts";
import type { ReceivedText } from "../conversation/read-links.ts";
import { type Role, roleIn } from "../conversation/role-in.ts";
import type { CommandRow, PressAct, PressRow } from "../conversation/subject.ts";
import { FINDS_COMMANDS, FINDS_PRESSES } from "../finds/finds-subject.ts";
import { LINKS_COMMANDS, LINKS_PRESSES } from "../links/links-subject.ts";
import { QUESTIONS_PRESSES } from "../questions/questions-subject.ts";
import { RULES_COMMANDS, RULES_PRESSES } from "../rules/rules-subject.ts";
import { SEARCHES_COMMANDS, SEARCHES_PRESSES } from "../searches/searches-subject.ts";
import { pressAccount } from "./press-account.ts";

const COMMANDS = {
  ...CHAT_COMMANDS,
  ...SEARCHES_COMMANDS,
  ...RULES_COMMANDS,
  ...LINKS_COMMANDS,
  ...FINDS_COMMANDS,
  ...ACCOUNT_COMMANDS,
} as const satisfies Readonly<Record<CommandName, CommandRow>>;

const PRESSES = {
  ...CHAT_PRESSES,
  ...CONSENT_PRESSES,
  ...SEARCHES_PRESSES,
  ...RULES_PRESSES,
  ...LINKS_PRESSES,
  ...FINDS_PRESSES,
  ...QUESTIONS_PRESSES,
  ...ACCOUNT_PRESSES,
  whose: {
    run: (conversation, ctx, press, role) => pressAccount(conversation, ctx, { ...press, role }),
    isForMembers: true,
  },
} as const satisfies { readonly [Act in PressAct]: PressRow<Act> };

/** Commands and presses that need a chat with a confirmed account. */
export type NeedingAct = NeedingOf<typeof COMMANDS> | NeedingOf<typeof PRESSES>;
type NeedingOf<Rows> = {
  [Name in keyof Rows]: Rows[Name] extends { readonly isForUnconfirmed: true } ? never : Name;
}[keyof Rows];

export async function runCommand(
  conversation: Conversation,
  { name, argument, received }: { name: CommandName; argument: string; received: ReceivedText },
): Promise<void> {
  const { api, chat, speaker, t } = conversation;
  const row: CommandRow = COMMANDS[name];
  if (!(await mayAct(conversation, row))) return;
  if (row.isForAdministrators && (await roleIn(api, chat, speaker)) !== "administrator") {
    return conversation.reply(t("administrators_only"));
  }
  await row.run(conversation, argument, received);
}

/** Carries out a button press and returns the text of the notification. */
export async function pressButton(
  conversation: Conversation,
  ctx: Context,
  press: ButtonPress,
): Promise<string> {
  const role = await roleIn(conversation.api, conversation.chat, conversation.speaker);
  // The row of an act takes the presses of this act.
  const row = PRESSES[press.act] as PressRow<never>;
  if (!isAllowed(row, role, conversation)) return conversation.plain("administrators_only");
  if (!(await mayAct(conversation, row))) return "";
  return row.run(conversation, ctx, press as never, role);
}

function isAllowed({ isForMembers }: PressRow<never>, role: Role, { chat }: Conversation): boolean {
  if (role === "administrator") return true;
  return role === "member" && isForMembers === true && chat.kind !== "channel";
}

async function mayAct(
  conversation: Conversation,
  { isForUnconfirmed, isForNewcomers }: CommandRow | PressRow<never>,
): Promise<boolean> {
  if (isForUnconfirmed || (isForNewcomers && canStart(conversation))) return true;
  return hasAccount(conversation);
}
