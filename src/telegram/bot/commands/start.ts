import { peopleConnectedTo } from "#store/chats/chat-people.ts";
import { setStanding } from "#store/chats/chats.ts";
import { burnToken, connectByLink, peopleToAskAbout } from "#store/chats/consent.ts";
import { noteAskedForId } from "#store/chats/conversations.ts";
import { formatList } from "#text/labels.ts";
import { confirmationRow, putConfirmations, putQuestions } from "../chats/questions.ts";
import { roleIn } from "../chats/role-in.ts";
import { type Conversation, replyWithSite } from "../conversation.ts";

/** /start: hello, the chat's id, what comes next. With a token from the website it connects the chat instead. */
export async function start(conversation: Conversation, token: string): Promise<void> {
  await noteThatItIsReachable(conversation);
  if (token === "") await introduce(conversation, [conversation.t("hello")]);
  else await connectByToken(conversation, token);
  await putQuestions(conversation);
}

/** /id: the chat's id once more. */
export async function id(conversation: Conversation): Promise<void> {
  await noteThatItIsReachable(conversation);
  await introduce(conversation, []);
  await putQuestions(conversation);
}

async function noteThatItIsReachable({ parts, chat }: Conversation): Promise<void> {
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
    const emails = people.map(({ email }) => email);
    const whose = t("alerts_of", { people: formatList(emails, conversation.language) });
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

/** Connects the chat to whoever made the link on the website; each way this can fail has its own words. */
async function connectByToken(conversation: Conversation, token: string): Promise<void> {
  const { parts, chat, t } = conversation;
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(token)) return replyWithSite(conversation, [t("link_unknown")]);
  const role = await roleIn(conversation.api, chat, conversation.speaker);
  if (role !== "administrator") {
    // Everyone in the group has read the token by now.
    await burnToken(parts.sql, token, chat.id);
    return conversation.reply(t("link_administrators_only"));
  }
  const answer = await connectByLink(parts.sql, {
    token,
    chatId: chat.id,
    kind: chat.kind,
    title: chat.title,
  });
  parts.logger.info({ outcome: answer.is, kind: chat.kind }, "a chat came by a link");
  switch (answer.is) {
    case "connected":
    case "already-connected": {
      const key = answer.is === "connected" ? "link_connected" : "link_already_connected";
      const whose = `${t(key, { email: answer.email })} ${t("stop_hint")}`;
      const isSettled = answer.is === "already-connected" && answer.isConfirmed;
      const rows = isSettled ? [] : [confirmationRow(conversation, answer.userId)];
      if (!answer.hasFilter) return replyWithSite(conversation, [whose, t("link_one_step_left")], { rows });
      return conversation.reply(whose, rows.length === 0 ? undefined : { inline_keyboard: rows });
    }
    case "chat-full":
      return conversation.reply(t("link_chat_full"));
    case "person-full":
      return replyWithSite(conversation, [t("link_person_full")]);
    case "expired":
      return replyWithSite(conversation, [t("link_expired")]);
    case "used":
      return replyWithSite(conversation, [t("link_used")]);
    case "unknown":
      return replyWithSite(conversation, [t("link_unknown")]);
  }
}
