import { escapeHtml } from "#core/escape-html.ts";
import { legalAddress } from "#core/legal-address.ts";
import { isLink } from "../../html.ts";
import { button, type Conversation, type Shown } from "../conversation/conversation.ts";
import { hasTelegramAccount } from "../rows/start-in-chat.ts";

/** Offers to watch the described search, and says what pressing the button agrees to. */
export async function beginOffer(conversation: Conversation, lines: readonly string[]): Promise<Shown> {
  const { parts, chat, t, plain } = conversation;
  const isKnown = await hasTelegramAccount(parts.sql, chat.id);
  const terms = isKnown ? [t("begin_known")] : [agreement(conversation), t("begin_no_email")];
  return {
    html: [...lines, "", terms.join("\n\n")].join("\n"),
    rows: [[button(plain("watch_it"), { act: "begin" }), button(plain("no_thanks"), { act: "decline" })]],
  };
}

/** The statement of the sign-up form, with the same links. */
function agreement({ parts, plain, language }: Conversation): string {
  return plain("begin_agree", { button: plain("watch_it") }).replace(
    /<(terms|privacy)>(.*?)<\/\1>/g,
    (_, page: "terms" | "privacy", words: string) => {
      const url = legalAddress(parts.legalSiteUrl, page, language);
      return isLink(url) ? `<a href="${escapeHtml(url)}">${words}</a>` : `${words} (${escapeHtml(url)})`;
    },
  );
}
