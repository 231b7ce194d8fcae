import { escapeHtml } from "#core/escape-html.ts";
import { COMMAND_NAMES } from "../command-menu.ts";
import type { Conversation } from "../conversation.ts";

/** /help: every command with what it does, and how a group is told. */
export async function help({ parts, t, reply }: Conversation): Promise<void> {
  const commands = COMMAND_NAMES.map((name) => `/${name} · ${t(`command_${name}`)}`).join("\n");
  const link = `<a href="${escapeHtml(`${parts.linkUrl}/${parts.username}?startgroup=`)}">@${parts.username}</a>`;
  await reply([t("help_title"), commands, `${t("help_group")} ${link}`].join("\n\n"));
}
