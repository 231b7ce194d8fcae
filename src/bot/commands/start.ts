import { peopleConnectedTo } from "#store/chats/chat-people.ts";
import { setStanding } from "#store/chats/chats.ts";
import { peopleToAskAbout } from "#store/chats/consent.ts";
import { noteAskedForId } from "#store/chats/conversations.ts";
import { putConfirmations, putQuestions } from "../chats/questions.ts";
import { roleIn } from "../chats/role-in.ts";
import { type Conversation, replyWithSite } from "../conversation.ts";
import { connectByToken } from "./connect-by-token.ts";

/** /start: hello, the chat's id, what comes next. With a token from the website it connects the chat instead. */
export async function start(conversation: Conversation, token: string): Promise<void> {
  await noteThatItSpeaks(conversation);
  if (token === "") await introduce(conversation, [conversation.t("hello")]);
  else await connectByToken(conversation, token);
  await putQuestions(conversation);
}

/** /id: the chat's id once more. */
export async function id(conversation: Conversation): Promise<void> {
  await noteThatItSpeaks(conversation);
  await introduce(conversation, []);
  await putQuestions(conversation);
}

async function noteThatItSpeaks({ parts, chat }: Conversation): Promise<void> {
  await setStanding(parts.sql, chat.id, { state: "ok" });
}

async function introduce(conversation: Conversation, opening: readonly string[]): Promise<void> {
  const { parts, chat, t } = conversation;
  const role = await roleIn(conversation.api, chat, conversation.speaker);
  // In a group only an administrator's word lets the id be typed without a question.
  if (role === "administrator") await noteAskedForId(parts.sql, chat.id);
  const people = await peopleConnectedTo(parts.sql, chat.id);
  const chatId = `${t(`chat_id_${placeOf(conversation)}`)}\n<code>${chat.id}</code>`;
  if (people.length > 0) {
    const whose = t("alerts_of", { people: people.map(({ email }) => email).join(", ") });
    await conversation.reply([...opening, chatId, `${whose} ${t("stop_hint")}`].join("\n\n"));
    return putConfirmations(conversation);
  }
  // The question that follows is the next step.
  if ((await peopleToAskAbout(parts.sql, chat.id)).length > 0) {
    return conversation.reply([...opening, chatId].join("\n\n"));
  }
  const next = role === "administrator" ? t("next_step") : `${t("next_step")} ${t("administrator_is_asked")}`;
  await replyWithSite(conversation, [...opening, chatId, next]);
}

function placeOf({ chat }: Conversation): "private" | "group" | "channel" {
  return chat.kind === "supergroup" ? "group" : chat.kind;
}
