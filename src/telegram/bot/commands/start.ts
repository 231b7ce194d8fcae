import { formatList } from "#text/labels.ts";
import { setStanding } from "../../rows/chats.ts";
import { noteAskedForId } from "../../rows/conversations.ts";
import { askForConfirmation, askForConsent, confirmationRow, refusalRow } from "../chats/ask-for-consent.ts";
import { canStart, groupRows, questionsRow } from "../conversation/can-start.ts";
import { type ButtonRows, type Conversation, replyWithSite } from "../conversation/conversation.ts";
import { roleIn } from "../conversation/role-in.ts";
import { peopleConnectedTo } from "../rows/chat-people.ts";
import { burnToken, connectByLink, type LinkAnswer, peopleToAskAbout } from "../rows/consent.ts";
import { connectOwnAccount } from "../rows/start-in-chat.ts";

/** /start: greets and shows the chat's id and the next step. With a token from the website it connects the chat instead. */
export async function start(conversation: Conversation, token: string): Promise<void> {
  await markReachable(conversation);
  if (token === "" && canStart(conversation)) {
    const { parts, chat } = conversation;
    await connectOwnAccount(parts.sql, { telegramId: chat.id, title: chat.title });
  }
  if (token === "") await introduce(conversation, [conversation.t("hello")]);
  else await connectByToken(conversation, token);
  await askForConsent(conversation);
}

/** /id: shows the chat's id. */
export async function id(conversation: Conversation): Promise<void> {
  await markReachable(conversation);
  await introduce(conversation, []);
  await askForConsent(conversation);
}

async function markReachable({ parts, chat }: Conversation): Promise<void> {
  await setStanding(parts.sql, chat.id, { state: "ok" });
}

async function introduce(conversation: Conversation, opening: readonly string[]): Promise<void> {
  const { parts, chat, t } = conversation;
  const role = await roleIn(conversation.api, chat, conversation.speaker);
  // If an administrator asked for the id, the account that enters it is connected without a question.
  if (role === "administrator") await noteAskedForId(parts.sql, chat.id);
  const people = await peopleConnectedTo(parts.sql, chat.id);
  const chatId = `${t(`chat_id_${placeOf(conversation)}`)}\n<code>${chat.id}</code>`;
  if (people.length > 0) {
    const accounts = people.map(({ account }) => account);
    const whose = t("alerts_of", { people: formatList(accounts, conversation.language) });
    const isOpen = canStart(conversation) && !people.some(({ access }) => access === "confirmed");
    const ways = isOpen ? [t("start_ways")] : [];
    await conversation.reply(
      [...opening, ...ways, chatId, `${whose} ${t("stop_hint")}`].join("\n\n"),
      isOpen ? [questionsRow(conversation)] : [],
    );
    return askForConfirmation(conversation);
  }
  // Who is greeted starts right here, and the id is only for those who prefer the website.
  if (canStart(conversation)) {
    const quietId = `${t("start_id")} <code>${chat.id}</code>`;
    const lines = [...opening, t("start_ways"), opening.length > 0 ? quietId : chatId];
    return replyWithSite(conversation, lines, { rows: [questionsRow(conversation)] });
  }
  // The consent question that follows is the next step.
  if ((await peopleToAskAbout(parts.sql, chat.id)).length > 0) {
    return conversation.reply([...opening, chatId].join("\n\n"));
  }
  const next = role === "administrator" ? t("next_step") : `${t("next_step")} ${t("administrator_is_asked")}`;
  const rows = groupRows(conversation);
  const ways = rows.length > 0 ? [t("connect_group_hint"), chatId, next] : [chatId, next];
  await replyWithSite(conversation, [...opening, ...ways], { rows });
}

function placeOf({ chat }: Conversation): "private" | "group" | "channel" {
  return chat.kind === "supergroup" ? "group" : chat.kind;
}

/** Connects the chat to the account that created the link on the website. */
async function connectByToken(conversation: Conversation, token: string): Promise<void> {
  const { parts, chat, t } = conversation;
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(token)) return replyWithSite(conversation, [t("link_unknown")]);
  const role = await roleIn(conversation.api, chat, conversation.speaker);
  if (role !== "administrator") {
    // All members of the group could read the token.
    await burnToken(parts.sql, token, chat.id);
    return conversation.reply(t("link_administrators_only"));
  }
  const answer = await connectByLink(parts.sql, {
    token,
    chatId: chat.id,
    kind: chat.kind,
    title: chat.title,
  });
  parts.logger.info({ outcome: answer.is, kind: chat.kind }, "a chat used a connect link");
  switch (answer.is) {
    case "connected":
    case "already-connected": {
      const key = answer.is === "connected" ? "link_connected" : "link_already_connected";
      const whose = `${t(key, { account: answer.account })} ${t("stop_hint")}`;
      const rows = rowsToConfirm(conversation, answer);
      if (!answer.hasFilter) return replyWithSite(conversation, [whose, t("link_one_step_left")], { rows });
      return conversation.reply(whose, rows);
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

function rowsToConfirm(
  conversation: Conversation,
  { is, isConfirmed, userId }: Extract<LinkAnswer, { readonly userId: string }>,
): ButtonRows {
  if (!isConfirmed) return [confirmationRow(conversation, userId)];
  if (conversation.chat.kind === "private" || is === "already-connected") return [];
  // A group that its administrator has just connected can still say that this is not the account it meant.
  return [refusalRow(conversation, userId)];
}
