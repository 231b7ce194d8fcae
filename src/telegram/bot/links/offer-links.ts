import { escapeHtml } from "#core/escape-html.ts";
import { type ChatPerson, confirmedPeople } from "#store/chats/chat-people.ts";
import { type SightOf, sightsOf } from "#store/chats/watched-adverts.ts";
import { describeLimits } from "#text/describe-search.ts";
import { homeLine } from "#text/home-words.ts";
import { formatPrice } from "#text/labels.ts";
import { wordsOf } from "#text/translator.ts";
import { mayDo } from "../chats/confirmed-only.ts";
import { roleIn } from "../chats/role-in.ts";
import { button, type Conversation, type Keyboard, replyWithSite } from "../conversation.ts";
import { cut, sentenceOf } from "../searches/search-words.ts";
import { siteTexts } from "../texts.ts";
import { readLinks, type Said, type SentText, type WatchableLink } from "./read-links.ts";

/** So many are answered one by one; nobody shares more in one message. */
const MOST_OFFERS = 3;
const MOST_LIMITS = 3;
const LONGEST_TITLE = 120;
/** Telegram takes about so much for the address of a button. */
const LONGEST_QUERY = 1_800;

type SearchLink = Extract<WatchableLink, { is: "search" }>;
type ListingLink = Extract<WatchableLink, { is: "listing" }>;

/** /watch: with a link behind it, or as a reply to a message that has one. */
export async function watch(conversation: Conversation, argument: string, said: Said): Promise<void> {
  const { api, chat, speaker, t } = conversation;
  if ((await roleIn(api, chat, speaker)) !== "administrator")
    return conversation.reply(t("administrators_only"));
  const asked = argument === "" ? said.repliedTo : { text: argument, entities: linksBehindWords(said) };
  const { links, refusal } = readLinks(asked ?? { text: "" });
  if (asked === undefined || (links.length === 0 && refusal === undefined)) {
    return conversation.reply(t("watch_usage"));
  }
  await offerLinks(conversation, asked);
}

/** Their places are those of the whole text; what they lead to stands in themselves. */
function linksBehindWords({ entities }: SentText): unknown {
  return Array.isArray(entities) ? entities.filter((entity) => entity?.type === "text_link") : undefined;
}

/** Says what each link is understood as and offers to watch it; or why none can be. */
export async function offerLinks(conversation: Conversation, sent: SentText): Promise<void> {
  const { links, refusal } = readLinks(sent);
  if (refusal !== undefined) {
    const words = siteTexts(conversation.language);
    const [title, text] = [words(`refusals.${refusal}.title`), words(`refusals.${refusal}.text`)];
    return conversation.reply(`<b>${escapeHtml(title)}</b>\n${escapeHtml(text)}`);
  }
  if (!(await mayDo(conversation, "link"))) return;
  for (const link of links.slice(0, MOST_OFFERS)) {
    if (link.is === "search") await offerSearch(conversation, link);
    else await offerListing(conversation, link);
  }
  if (links.length > MOST_OFFERS) {
    await conversation.reply(conversation.t("link_more", { count: MOST_OFFERS }));
  }
}

async function offerSearch(conversation: Conversation, { search, url }: SearchLink): Promise<void> {
  const { parts, chat, language, t } = conversation;
  const limits = describeLimits(search, wordsOf("search", language), parts.canSearchByUrl);
  const blocking = limits.filter(({ isBlocking }) => isBlocking);
  const said = linkedWords(url, sentenceOf(search, language));
  const listed = (blocking.length > 0 ? blocking : limits)
    .slice(0, MOST_LIMITS)
    .map(({ text }) => `• ${escapeHtml(text)}`);
  if (blocking.length > 0) {
    return conversation.reply([`⚠️ <b>${t("link_blocked")}</b>`, said, "", ...listed].join("\n"));
  }
  const lines = [`🏮 <b>${t("link_question")}</b>`, said];
  if (listed.length > 0) lines.push("", t("link_limits"), ...listed);
  const people = await confirmedPeople(parts.sql, chat.id);
  if (people.length === 0) return leadToSignUp(conversation, lines.join("\n"), url);
  if (people.length > 1) lines.push("", t("link_whose"));
  await conversation.reply(lines.join("\n"), {
    inline_keyboard: offerRows(conversation, people, "watch_it"),
  });
}

/** The link waits on the website for whoever signs in there. */
async function leadToSignUp(conversation: Conversation, offer: string, url: string): Promise<void> {
  const query = `?link=${encodeURIComponent(url)}`;
  const isKept = query.length <= LONGEST_QUERY;
  const next = conversation.t(isKept ? "link_sign_up" : "link_sign_up_paste");
  await replyWithSite(conversation, [offer, next], isKept ? { query } : {});
}

async function offerListing(conversation: Conversation, link: ListingLink): Promise<void> {
  const { parts, chat, t } = conversation;
  const sights = await sightsOf(parts.sql, chat.id, link.propertyCode);
  const [first] = sights;
  if (first === undefined) {
    return replyWithSite(conversation, [t("nobody_connected"), t("next_step_status")]);
  }
  const said = linkedWords(link.url, listingWords(conversation, first));
  const seeing = sights.filter(({ isSeen }) => isSeen);
  if (seeing.length === 0) return conversation.reply([said, t("listing_unseen")].join("\n\n"));
  const people = seeing.filter(({ kept }) => kept === null);
  if (people.length === 0) return sayThatItIsKept(conversation, said, seeing);
  const lines = [`👀 <b>${t("listing_question")}</b>`, said, t("listing_promise")];
  if (people.length > 1) lines.push("", t("link_whose"));
  await conversation.reply(lines.join("\n"), {
    inline_keyboard: offerRows(conversation, people, "listing_watch"),
  });
}

/** What is kept is not offered again; what was asked for in this chat can be ended here. */
async function sayThatItIsKept(
  { t, plain, reply }: Conversation,
  said: string,
  people: readonly SightOf[],
): Promise<void> {
  const rows = people
    .filter(({ kept }) => kept === "here")
    .map(({ userId }) => [button(plain("listing_unwatch"), { act: "unwatch", userId })]);
  const lines = [`👀 <b>${t("listing_watched")}</b>`, said, t("listing_promise")];
  await reply(lines.join("\n"), rows.length === 1 ? { inline_keyboard: rows } : undefined);
}

export function listingWords({ language, t }: Conversation, { home, priceEur }: SightOf): string {
  const facts = [home === null ? t("listing_without_title") : homeLine(home, wordsOf("home", language))];
  if (priceEur !== null) facts.push(formatPrice(priceEur, language));
  return cut(facts.join(" · "), LONGEST_TITLE);
}

function offerRows(
  { plain }: Conversation,
  people: readonly ChatPerson[],
  words: "watch_it" | "listing_watch",
): Keyboard["inline_keyboard"] {
  const decline = button(plain("no_thanks"), { act: "decline" });
  const [one, ...others] = people;
  if (one !== undefined && others.length === 0) {
    return [[button(plain(words), { act: "watch", userId: one.userId }), decline]];
  }
  const rows = people.map(({ userId, email }) => [
    button(plain("watch_it_for", { email: cut(email, 40) }), { act: "watch", userId }),
  ]);
  return [...rows, [decline]];
}

/** The link itself is behind the words: from there it is read again when the button is pressed. */
export function linkedWords(url: string, words: string): string {
  return `<a href="${escapeHtml(url)}">${escapeHtml(words)}</a>`;
}
