import { escapeHtml } from "#core/escape-html.ts";
import { canStart } from "../conversation/can-start.ts";
import { type Conversation, replyWithSite } from "../conversation/conversation.ts";
import { stopChat } from "../rows/consent.ts";
import { MENU, MORE_COMMANDS, SELDOM_USED } from "./command-menu.ts";

/** /help: lists the commands and explains how to add the bot to a group. */
export async function help({ parts, chat, t, reply }: Conversation): Promise<void> {
  const more = chat.kind === "private" ? [...MORE_COMMANDS, ...SELDOM_USED] : MORE_COMMANDS;
  const commands = [MENU, more]
    .map((names) => names.map((name) => `/${name} · ${t(`command_${name}`)}`).join("\n"))
    .join("\n\n");
  const link = `<a href="${escapeHtml(`${parts.linkUrl}/${parts.username}?startgroup=`)}">@${parts.username}</a>`;
  await reply([t("help_title"), commands, t("searches_hint"), `${t("help_group")} ${link}`].join("\n\n"));
}

/** /web: opens the website. The link signs nobody in, so it may stand in any chat. */
export function web(conversation: Conversation): Promise<void> {
  return replyWithSite(conversation, [conversation.t("web_hint")]);
}

/** /stop: disconnects the chat from all accounts. Any member may do it, without confirmation. */
export async function stop(conversation: Conversation): Promise<void> {
  const { parts, chat, t } = conversation;
  const stopped = await stopChat(parts.sql, chat.id);
  parts.logger.info({ stopped, kind: chat.kind }, "a chat was disconnected from all accounts");
  if (stopped === 0) return conversation.reply(t("stop_nothing"));
  if (canStart(conversation)) return conversation.reply([t("stop_done"), t("stop_return_here")].join("\n\n"));
  await replyWithSite(conversation, [t("stop_done"), t("stop_return")]);
}
