/** Listings that a person asked to watch by link. A running feed or the person's own alert mails must be able to see them. */
import type { Sql } from "postgres";
import type { HomeCard } from "#core/listing/home-card.ts";
import type { SimilarTo } from "#core/search/similar-search.ts";
import { similarTo } from "#store/listings/linked-listing.ts";
import { actForAccounts } from "./act-for-accounts.ts";
import type { ChatPerson } from "./chat-people.ts";

export interface SightOf extends ChatPerson {
  /** This person would be notified of a price cut. */
  readonly isSeen: boolean;
  /** Whether they keep it already; "here" if it was asked for in this chat. */
  readonly kept: "here" | "elsewhere" | null;
  /** Its known data; null if it was never seen. */
  readonly home: HomeCard | null;
  readonly priceEur: number | null;
  /** For a search for similar homes. */
  readonly similarTo: SimilarTo | null;
}

/** For each account that the chat confirmed, whether the listing can be seen. */
export async function sightsOf(sql: Sql, chatId: string, listingId: string): Promise<readonly SightOf[]> {
  return sql<SightOf[]>`
    select chats.user_id as "userId", coalesce(private.account_in_chat(chats.user_id, chats.chat_id), '') as account,
      watch.can_see(chats.user_id, ${listingId}) as "isSeen",
      (
        select case when marks.chat_id = chats.chat_id then 'here' else 'elsewhere' end from public.marks
        where marks.user_id = chats.user_id and marks.home_id = watch.home_meant(chats.user_id, ${listingId})
          and marks.mark = 'kept'
      ) as kept,
      coalesce(portal.card, mailed.card) as home,
      coalesce(portal.price_eur, mailed.price_eur) as "priceEur", ${similarTo(sql)} as "similarTo"
    from watch.confirmed_chats as chats left join watch.portal_listings as portal on portal.listing_id = ${listingId}
    left join watch.mail_listings as mailed on mailed.user_id = chats.user_id and mailed.listing_id = ${listingId}
    where chats.chat_id = ${chatId} order by chats.created_at, chats.user_id`;
}

interface Asked {
  readonly userId: string;
  readonly chatId: string;
  readonly listingId: string;
}

/** Refuses listings that nothing can see, because no change could be reported. */
export async function watchListing(
  sql: Sql,
  { userId, chatId, listingId }: Asked,
  nowMs: number,
): Promise<"kept" | "not-seen" | "too-many" | "not-connected"> {
  return actForAccounts(sql, [userId], async (db) => {
    const [row] = await db<{ outcome: "kept" | "not-seen" | "too-many" }[]>`
      select watch.watch_listing(user_id, ${listingId}, chat_id, ${new Date(nowMs)}) as outcome
      from watch.confirmed_chats where user_id = ${userId} and chat_id = ${chatId}`;
    return row?.outcome ?? "not-connected";
  });
}

/** Stops watching. Returns false if the chat may not do that. */
export async function unwatchListing(
  sql: Sql,
  { userId, chatId, listingId }: Asked,
  nowMs: number,
): Promise<boolean> {
  return actForAccounts(sql, [userId], async (db) => {
    const [row] = await db<[{ isConnected: boolean }]>`
      with connected as (
        select user_id, watch.home_meant(user_id, ${listingId}) as home_id from watch.confirmed_chats where user_id = ${userId} and chat_id = ${chatId}
      ), ended as (
        delete from public.marks using connected
        where marks.user_id = connected.user_id and marks.home_id = connected.home_id and marks.chat_id = ${chatId}
          and marks.mark = 'kept' and marks.note is null
      ), unmarked as (
        update public.marks set mark = null, chat_id = null, updated_at = ${new Date(nowMs)} from connected
        where marks.user_id = connected.user_id and marks.home_id = connected.home_id and marks.chat_id = ${chatId}
          and marks.mark = 'kept' and marks.note is not null
      )
      select exists (select from connected) as "isConnected"`;
    return row.isConnected;
  });
}
