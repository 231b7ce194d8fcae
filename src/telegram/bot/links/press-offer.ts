import type { Context } from "grammy";
import { advertUrlIn } from "#core/listing/advert-url.ts";
import { normaliseSearch } from "#core/search/normalise-search.ts";
import { similarSearch } from "#core/search/similar-search.ts";
import { button, type Conversation } from "../conversation/conversation.ts";
import { showButtons, showText } from "../conversation/edit-message.ts";
import {
  type ListingLink,
  readLinks,
  type SearchLink,
  type WatchableLink,
} from "../conversation/read-links.ts";
import { linkedWords, searchNameInChat, sentenceOf } from "../conversation/search-words.ts";
import { type AddedSearch, addSavedSearch, searchesOf } from "../rows/saved-searches.ts";
import { sightsOf, unwatchListing, watchListing } from "../rows/watched-adverts.ts";
import { listingWords, offerSearch } from "./offer-links.ts";

/** Watches the link in the bot's message above the button, for this user if the chat is connected to them. */
export async function pressWatch(conversation: Conversation, ctx: Context, userId: string): Promise<string> {
  const link = linkInMessage(conversation, ctx);
  if (link === undefined) return conversation.plain("note_send_again");
  return link.is === "search"
    ? watchSearch(conversation, ctx, { link, userId })
    : watchAdvert(conversation, ctx, { link, userId });
}

async function watchSearch(
  conversation: Conversation,
  ctx: Context,
  { link, userId }: { link: SearchLink; userId: string },
): Promise<string> {
  const { parts, chat, plain } = conversation;
  const added = await addSavedSearch(parts.sql, { userId, chatId: chat.id, url: link.url });
  parts.logger.info({ outcome: added.outcome, kind: chat.kind }, "a search was requested in a chat");
  switch (added.outcome) {
    case "added":
    case "same":
      return showWatched(conversation, ctx, { link, added });
    case "too-many-searches":
      return plain("too_many_searches");
    case "not-connected":
      await showButtons(ctx, []);
      return plain("note_dead_button");
  }
}

/** Shows that the search is watched, and returns the text of the notification. */
export async function showWatched(
  { parts, chat, language, t, plain }: Conversation,
  ctx: Context,
  { link, added }: { link: SearchLink; added: Extract<AddedSearch, { searchId: string }> },
): Promise<string> {
  const saved = (await searchesOf(parts.sql, chat)).find(({ searchId }) => searchId === added.searchId);
  // Deleted since.
  const gone = { searchId: added.searchId, name: added.name, filterUrl: link.url, among: [] };
  const name = searchNameInChat(saved ?? gone, language);
  const words = t(added.outcome === "added" ? "search_added" : "search_same", { name });
  const lines = [`✅ <b>${words}</b>`, linkedWords(link.url, sentenceOf(link.search, language))];
  if (added.outcome === "added") lines.push("", t("search_added_next"));
  await showText(ctx, lines.join("\n"), [
    [button(plain("search_rename"), { act: "rename-search", searchId: added.searchId })],
    [button(plain("all_searches"), { act: "list-searches" })],
  ]);
  return plain(added.outcome === "added" ? "note_search_added" : "note_search_same");
}

async function watchAdvert(
  conversation: Conversation,
  ctx: Context,
  { link, userId }: { link: ListingLink; userId: string },
): Promise<string> {
  const { parts, chat, t, plain } = conversation;
  const asked = { userId, chatId: chat.id, listingId: link.propertyCode };
  const outcome = await watchListing(parts.sql, asked, parts.now());
  switch (outcome) {
    case "kept": {
      const lines = [`👀 <b>${t("listing_watched")}</b>`, await advertWords(conversation, link)];
      await showText(ctx, [...lines, t("listing_promise")].join("\n"), [
        [button(plain("listing_unwatch"), { act: "unwatch", userId })],
      ]);
      return plain("listing_watched");
    }
    case "not-seen":
      await showText(ctx, [await advertWords(conversation, link), t("listing_unseen")].join("\n\n"), []);
      return plain("note_listing_unseen");
    case "too-many":
      return plain("too_many_listings");
    case "not-connected":
      await showButtons(ctx, []);
      return plain("note_dead_button");
  }
}

export async function pressUnwatch(
  conversation: Conversation,
  ctx: Context,
  userId: string,
): Promise<string> {
  const { parts, chat, t, plain } = conversation;
  const link = linkInMessage(conversation, ctx);
  if (link?.is !== "listing") return plain("note_send_again");
  const asked = { userId, chatId: chat.id, listingId: link.propertyCode };
  if (!(await unwatchListing(parts.sql, asked, parts.now()))) {
    return plain("note_dead_button");
  }
  await showText(ctx, [t("listing_unwatched"), await advertWords(conversation, link)].join("\n"), [
    [button(plain("listing_watch"), { act: "watch", userId })],
  ]);
  return plain("listing_unwatched");
}

/** Offers a search for homes like the linked one, in a message of its own. */
export async function pressSimilar(
  conversation: Conversation,
  ctx: Context,
  userId: string,
): Promise<string> {
  const { parts, chat, plain } = conversation;
  const link = linkInMessage(conversation, ctx);
  if (link?.is !== "listing") return plain("note_send_again");
  const sights = await sightsOf(parts.sql, chat.id, link.propertyCode);
  const similarTo = sights.find((sight) => sight.userId === userId)?.similarTo ?? null;
  const search = similarTo === null ? undefined : similarSearch(similarTo);
  if (search === undefined) return plain("note_dead_button");
  await offerSearch(conversation, { search, url: normaliseSearch(search).canonicalUrl });
  return "";
}

async function advertWords(conversation: Conversation, link: ListingLink): Promise<string> {
  const [sight] = await sightsOf(conversation.parts.sql, conversation.chat.id, link.propertyCode);
  const words =
    sight === undefined ? conversation.t("listing_without_title") : listingWords(conversation, sight);
  return linkedWords(advertUrlIn(link.url, conversation.language), words);
}

/** Reads the link from the message as Telegram stores it, never from the callback data, which can be forged. */
export function linkInMessage({ chat }: Conversation, ctx: Context): WatchableLink | undefined {
  const message = ctx.callbackQuery?.message;
  if (message === undefined || !("text" in message || "entities" in message)) return undefined;
  const isOurs = message.from?.id === ctx.me.id || chat.kind === "channel";
  if (!isOurs) return undefined;
  return readLinks({ text: "", entities: message.entities }).links[0];
}
