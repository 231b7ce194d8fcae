import { noteLanguage } from "../../rows/conversations.ts";
import { type ButtonRows, button, type Conversation } from "../conversation/conversation.ts";
import { type ChatPerson, peopleConnectedTo } from "../rows/chat-people.ts";
import { noteNamed, noteQuestions, peopleToAskAbout } from "../rows/consent.ts";

/** Asks a chat whether it accepts the alerts of the users who entered its id. */
export async function askForConsent(conversation: Conversation): Promise<void> {
  const { parts, chat, language } = conversation;
  const people = await peopleToAskAbout(parts.sql, chat.id);
  if (people.length === 0) return;
  await noteLanguage(parts.sql, chat.id, language);
  await noteQuestions(parts.sql, chat.id, people);
  await noteNamed(parts.sql, chat.id, people);
  for (const person of people) await askAbout(conversation, person);
}

/** Asks again about the accounts that the chat has not confirmed. */
export async function askForConfirmation(conversation: Conversation, heading?: string): Promise<void> {
  const { parts, chat, t } = conversation;
  const people = (await peopleConnectedTo(parts.sql, chat.id)).filter(
    ({ access }) => access === "unconfirmed",
  );
  if (people.length === 0) return;
  await noteNamed(parts.sql, chat.id, people);
  for (const { userId, account } of people) {
    const title = heading ?? `🏮 <b>${t("connected")}</b>`;
    const lines = [title, t("alerts_of", { people: account }), t("connectedAdvice")];
    await conversation.reply(lines.join("\n"), [confirmationRow(conversation, userId)]);
  }
}

export function confirmationRow(conversation: Conversation, userId: string): ButtonRows[number] {
  const thatsMe = button(conversation.plain("thatsMe"), { act: "me", userId });
  return [thatsMe, ...refusalRow(conversation, userId)];
}

/** For a chat that has confirmed the account already. */
export function refusalRow({ plain }: Conversation, userId: string): ButtonRows[number] {
  return [button(plain("notMe"), { act: "not-me", userId })];
}

async function askAbout(conversation: Conversation, { userId, account }: ChatPerson): Promise<void> {
  const { t, plain, chat } = conversation;
  const lines = [`🏮 <b>${t("question")}</b>`, t("questionBody", { account }), t("questionAdvice")];
  if (chat.kind !== "private") lines.push(t("question_administrators"));
  const answers = [button(plain("yes"), { act: "yes", userId }), button(plain("no"), { act: "no", userId })];
  await conversation.reply(lines.join("\n"), [answers]);
}
