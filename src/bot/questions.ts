import { formatCallbackData } from "#core/callback-data.ts";
import { type ChatPerson, noteQuestions, peopleToAskAbout } from "#store/chat-people.ts";
import type { Conversation, Keyboard } from "./conversation.ts";

/** Puts the open questions to a chat that has just shown that it listens. */
export async function putQuestions(conversation: Conversation): Promise<void> {
  const { parts, chat } = conversation;
  const people = await peopleToAskAbout(parts.sql, chat.id);
  if (people.length === 0) return;
  await noteQuestions(parts.sql, chat.id, people);
  for (const person of people) await putQuestion(conversation, person);
}

async function putQuestion(conversation: Conversation, { userId, email }: ChatPerson): Promise<void> {
  const { t, chat } = conversation;
  const lines = [`🏮 <b>${t("question")}</b>`, t("questionBody", { email }), t("questionAdvice")];
  if (chat.kind !== "private") lines.push(t("question_administrators"));
  await conversation.reply(lines.join("\n"), answersFor(conversation, userId));
}

function answersFor({ plain }: Conversation, userId: string): Keyboard {
  const yes = formatCallbackData({ act: "yes", userId });
  const no = formatCallbackData({ act: "no", userId });
  if (yes === undefined || no === undefined) throw new Error("an account id does not fit a button");
  return {
    inline_keyboard: [
      [
        { text: plain("yes"), callback_data: yes },
        { text: plain("no"), callback_data: no },
      ],
    ],
  };
}
