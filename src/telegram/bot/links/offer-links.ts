import type { InlineKeyboardButton } from "grammy/types";
import { escapeHtml } from "#core/escape-html.ts";
import { advertUrlIn } from "#core/listing/advert-url.ts";
import { similarSearch } from "#core/search/similar-search.ts";
import { describeLimits } from "#text/describe-search.ts";
import { homeLine } from "#text/home-words.ts";
import { formatPrice } from "#text/labels.ts";
import { wordsOf } from "#text/translator.ts";
import { askForConfirmation } from "../chats/ask-for-consent.ts";
import { hasAccount } from "../chats/confirmed-only.ts";
import { canStart, isOwnChat, questionsRow } from "../conversation/can-start.ts";
import {
  type ButtonRows,
  button,
  type Conversation,
  replyWithSite,
  type Shown,
  withSite,
} from "../conversation/conversation.ts";
import {
  type ListingLink,
  type ReceivedText,
  readLinks,
  type SearchLink,
  type SentText,
} from "../conversation/read-links.ts";
import { cut, linkedWords, sentenceOf } from "../conversation/search-words.ts";
import { siteTexts } from "../conversation/texts.ts";
import { askPreview } from "../rows/ask-preview.ts";
import { type ChatPerson, confirmedPeople } from "../rows/chat-people.ts";
import { type SightOf, sightsOf } from "../rows/watched-adverts.ts";
import { beginOffer } from "./begin-offer.ts";

/** Links of one message that are answered one by one. */
const MOST_OFFERS = 3;
const MOST_LIMITS = 3;
const LONGEST_TITLE = 120;
/** About what Telegram allows for the URL of a button. */
const LONGEST_QUERY = 1_800;

/** /watch: followed by a link, or as a reply to a message with one. */
export async function watch(
  conversation: Conversation,
  argument: string,
  received: ReceivedText,
): Promise<void> {
  const asked = argument === "" ? received.repliedTo : { text: argument, entities: textLinksOf(received) };
  const { links, refusal } = readLinks(asked ?? { text: "" });
  if (asked === undefined || (links.length === 0 && refusal === undefined)) {
    const { chat, t } = conversation;
    const rows = chat.kind === "private" ? [questionsRow(conversation)] : [];
    return conversation.reply(t("watch_usage"), rows);
  }
  await offerLinks(conversation, asked);
}

/** Only text_link entities: they contain their URL, while the offsets of others refer to the text with the command. */
function textLinksOf({ entities }: SentText): unknown {
  return Array.isArray(entities) ? entities.filter((entity) => entity?.type === "text_link") : undefined;
}

/** Describes each link and offers to watch it, or explains why none can be watched. */
export async function offerLinks(conversation: Conversation, sent: SentText): Promise<void> {
  const { links, refusal } = readLinks(sent);
  if (refusal !== undefined) {
    const words = siteTexts(conversation.language);
    const [title, text] = [words(`refusals.${refusal}.title`), words(`refusals.${refusal}.text`)];
    return conversation.reply(`<b>${escapeHtml(title)}</b>\n${escapeHtml(text)}`);
  }
  if (!(canStart(conversation) || (await hasAccount(conversation)))) return;
  for (const link of links.slice(0, MOST_OFFERS)) {
    if (link.is === "search") await offerSearch(conversation, link);
    else await offerListing(conversation, link);
  }
  if (links.length > MOST_OFFERS) {
    await conversation.reply(conversation.t("link_more", { count: MOST_OFFERS }));
  }
  await askIfUnconfirmed(conversation);
}

/** An account that the chat has not confirmed does not keep its owner from starting here. It may also be theirs. */
async function askIfUnconfirmed(conversation: Conversation): Promise<void> {
  const { parts, chat } = conversation;
  if ((await confirmedPeople(parts.sql, chat.id)).length === 0) await askForConfirmation(conversation);
}

export async function offerSearch(conversation: Conversation, link: Omit<SearchLink, "is">): Promise<void> {
  const { html, rows } = await searchOffer(conversation, link);
  await conversation.reply(html, rows);
}

/** The search in words with what it would find now, and the button that watches it. */
export async function searchOffer(
  conversation: Conversation,
  { search, url }: Omit<SearchLink, "is">,
): Promise<Shown> {
  const { parts, chat, language, t } = conversation;
  const limits = describeLimits(search, wordsOf("search", language), parts.canSearchByUrl);
  const blocking = limits.filter(({ isBlocking }) => isBlocking);
  const description = linkedWords(url, sentenceOf(search, language));
  const listed = (blocking.length > 0 ? blocking : limits)
    .slice(0, MOST_LIMITS)
    .map(({ text }) => `• ${escapeHtml(text)}`);
  if (blocking.length > 0) {
    return { html: [`⚠️ <b>${t("link_blocked")}</b>`, description, "", ...listed].join("\n"), rows: [] };
  }
  const matching = await matchesNow(conversation, url);
  const lines = [`🏮 <b>${t("link_question")}</b>`, description];
  if (matching !== undefined) lines.push(escapeHtml(matching));
  if (listed.length > 0) lines.push("", t("link_limits"), ...listed);
  const people = await confirmedPeople(parts.sql, chat.id);
  if (people.length === 0 && canStart(conversation)) return beginOffer(conversation, lines);
  if (people.length === 0) return signUpOffer(conversation, lines.join("\n"), url);
  if (people.length > 1) lines.push("", t("link_whose"));
  const decline = button(conversation.plain("no_thanks"), { act: "decline" });
  const watching = watchButtons(conversation, people, "watch_it");
  const rows = people.length === 1 ? [[...watching, decline]] : [...watching.map((one) => [one]), [decline]];
  return { html: lines.join("\n"), rows };
}

/** How many listings match now. Undefined if nothing certain is known, or not soon. */
async function matchesNow({ parts, chat, language }: Conversation, url: string): Promise<string | undefined> {
  const { sql, previewMs } = parts;
  if (previewMs === 0) return undefined;
  const preview = await askPreview(sql, { chatId: chat.id, url, patienceMs: previewMs });
  if (!preview?.isKnown) return undefined;
  const { count, isAtLeast } = preview;
  const words = siteTexts(language);
  // Where not all was read, none seen says nothing.
  if (count === 0) return isAtLeast ? undefined : words("preview.none");
  return `${words(isAtLeast ? "preview.fitsAtLeast" : "preview.fits", { count })}.`;
}

/** Passes the link to the website, which keeps it until the user has signed in. */
function signUpOffer(conversation: Conversation, offer: string, url: string): Shown {
  const query = `?link=${encodeURIComponent(url)}`;
  const isKept = query.length <= LONGEST_QUERY;
  const next = conversation.t(isKept ? "link_sign_up" : "link_sign_up_paste");
  return withSite(conversation, [offer, next], isKept ? { query } : {});
}

async function offerListing(conversation: Conversation, link: ListingLink): Promise<void> {
  const { parts, chat, t, plain } = conversation;
  const sights = await sightsOf(parts.sql, chat.id, link.propertyCode);
  const [first] = sights;
  const page = advertUrlIn(link.url, conversation.language);
  if (first === undefined) {
    const like = `<b>${linkedWords(page, t("listing_like"))}</b>`;
    if (canStart(conversation)) return conversation.reply(like, [questionsRow(conversation)]);
    const { html, rows } = signUpOffer(conversation, like, link.url);
    return conversation.reply(html, rows);
  }
  const description = linkedWords(page, listingWords(conversation, first));
  const similar = similarRow(conversation, sights);
  const seeing = sights.filter(({ isSeen }) => isSeen);
  if (seeing.length === 0) return offerSimilarOnly(conversation, { link, description, similar });
  const people = seeing.filter(({ kept }) => kept === null);
  if (people.length === 0) return replyAlreadyWatched(conversation, description, { people: seeing, similar });
  const lines = [`👀 <b>${t("listing_question")}</b>`, description, t("listing_promise")];
  if (people.length > 1) lines.push("", t("link_whose"));
  const decline = button(plain("no_thanks"), { act: "decline" });
  const watching = watchButtons(conversation, people, "listing_watch").map((one) => [one]);
  await conversation.reply(lines.join("\n"), [...watching, ...similar, [decline]]);
}

/** Nothing sees the listing. A search for similar ones is offered, or the questions that lead to one. */
async function offerSimilarOnly(
  conversation: Conversation,
  { link, description, similar }: { link: ListingLink; description: string; similar: ButtonRows },
): Promise<void> {
  const { t } = conversation;
  if (similar.length > 0) {
    return conversation.reply([description, t("listing_unseen"), t("listing_like")].join("\n\n"), similar);
  }
  const text = [description, t("listing_unseen"), t("listing_questions")];
  if (isOwnChat(conversation)) return conversation.reply(text.join("\n\n"), [questionsRow(conversation)]);
  await replyWithSite(conversation, text, { query: `?link=${encodeURIComponent(link.url)}` });
}

/** One button, because it does not act for an account yet: the search it shows has its own buttons. */
function similarRow({ plain }: Conversation, sights: readonly SightOf[]): ButtonRows {
  const known = sights.find(({ similarTo }) => similarTo !== null && similarSearch(similarTo) !== undefined);
  return known === undefined
    ? []
    : [[button(plain("listing_similar"), { act: "similar", userId: known.userId })]];
}

/** A watched listing is not offered again. If it was requested in this chat, it can be unwatched here. */
async function replyAlreadyWatched(
  { t, plain, reply }: Conversation,
  description: string,
  { people, similar }: { people: readonly SightOf[]; similar: ButtonRows },
): Promise<void> {
  const rows = people
    .filter(({ kept }) => kept === "here")
    .map(({ userId }) => [button(plain("listing_unwatch"), { act: "unwatch", userId })]);
  const lines = [`👀 <b>${t("listing_watched")}</b>`, description, t("listing_promise")];
  await reply(lines.join("\n"), [...(rows.length === 1 ? rows : []), ...similar]);
}

export function listingWords({ language, t }: Conversation, { home, priceEur }: SightOf): string {
  const facts = [home === null ? t("listing_without_title") : homeLine(home, wordsOf("home", language))];
  if (priceEur !== null) facts.push(formatPrice(priceEur, language));
  return cut(facts.join(" · "), LONGEST_TITLE);
}

/** One button for each account; the account is named if there are several. */
function watchButtons(
  { plain }: Conversation,
  people: readonly ChatPerson[],
  words: "watch_it" | "listing_watch",
): InlineKeyboardButton[] {
  return people.map(({ userId, account }) =>
    button(people.length === 1 ? plain(words) : plain("watch_it_for", { account: cut(account, 40) }), {
      act: "watch",
      userId,
    }),
  );
}
