import { escapeHtml } from "#core/escape-html.ts";
import type { Language } from "#core/languages.ts";
import { advertiserMessage } from "#text/advertiser-message.ts";
import { wordsOf } from "#text/translator.ts";
import type { Conversation } from "../conversation/conversation.ts";
import { readSentListing, type SentListing } from "../rows/sent-listings.ts";

/** Telegram's limit for a copy button. */
const COPYABLE = 256;
const LONGEST_HTML = 4_000;

/** "Message to the advertiser": in Spanish, as a block that one tap copies, with a translation for the user. */
export async function pressMessage(conversation: Conversation, propertyCode: string): Promise<string> {
  const { parts, chat, language, t, plain } = conversation;
  const sent = await readSentListing(parts.sql, { chatId: chat.id, listingId: propertyCode });
  if (sent === undefined) return plain("note_dead_button");
  // Leave the user's profile out in a group, where others read it.
  const profile = chat.kind === "private" ? sent : { who: null, job: null, movingFrom: null, about: null };
  const messageIn = (spoken: Language) =>
    advertiserMessage({ home: homeOf(sent, propertyCode), profile }, wordsOf("home", spoken));
  const spanish = messageIn("es");
  const own = language === "es" ? [] : [t("message_yours"), block(messageIn(language))];
  const hasProfile = [sent.who, sent.job, sent.movingFrom, sent.about].some((part) => part !== null);
  const hint = hasProfile || chat.kind !== "private" ? [] : [t("message_profile")];
  const end = sent.isGone ? [`🚪 ${t("message_gone")}`] : [];
  const opening = [...end, t("message_intro"), block(spanish)];
  const html = [...opening, ...own, ...hint].join("\n");
  const copy = { text: plain("copy"), copy_text: { text: spanish } };
  await conversation.reply(
    html.length <= LONGEST_HTML ? html : opening.join("\n"),
    spanish.length <= COPYABLE ? [[copy]] : [],
  );
  return plain("note_message_sent");
}

function homeOf({ listing }: SentListing, listingId: string) {
  return { ...listing, listingId };
}

function block(text: string): string {
  return `<pre>${escapeHtml(text)}</pre>`;
}
