/** Listings that a person asked to watch by link. A running feed or the person's own alert mails must be able to see them. */
import type { Sql } from "postgres";
import type { AlertListing } from "#core/alert/alert.ts";
import type { ChatPerson } from "./chat-people.ts";

const MOST_WATCHED = 100;

type TitledListing = Pick<AlertListing, "title" | "kind" | "typology" | "subTypology" | "address">;

export interface SightOf extends ChatPerson {
  /** This person would be notified of a price cut. */
  readonly isSeen: boolean;
  /** Whether they keep it already; "here" if it was asked for in this chat. */
  readonly kept: "here" | "elsewhere" | null;
  /** Its known data; null if it was never seen. */
  readonly home: TitledListing | null;
  readonly priceEur: number | null;
}

/** For each account that the chat confirmed, whether the listing can be seen. */
export async function sightsOf(sql: Sql, chatId: string, listingId: string): Promise<readonly SightOf[]> {
  return sql<SightOf[]>`
    select chats.user_id as "userId", coalesce(private.email_in_chat(chats.user_id, chats.chat_id), '') as email,
      ${isSeen(sql, listingId)} as "isSeen",
      (
        select case when marks.chat_id = chats.chat_id then 'here' else 'elsewhere' end from public.marks
        where marks.user_id = chats.user_id and marks.listing_id = ${listingId} and marks.mark = 'kept'
      ) as kept,
      case when coalesce(met.listing, mailed.listing) is not null
        then watch.home_facts(chats.user_id, ${listingId}, '{}') end as home,
      coalesce(met.price_eur, mailed.price_eur) as "priceEur"
    from watch.confirmed_chats as chats left join watch.portal_listings as met on met.listing_id = ${listingId}
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
  const [person] = await sql<{ isSeen: boolean; watched: number }[]>`
    select ${isSeen(sql, listingId)} as "isSeen", (
      select count(*)::int from public.marks
      where marks.user_id = chats.user_id and marks.chat_id is not null and marks.mark = 'kept'
        and marks.listing_id <> ${listingId}
    ) as watched
    from watch.confirmed_chats as chats where user_id = ${userId} and chat_id = ${chatId}`;
  if (person === undefined) return "not-connected";
  if (!person.isSeen) return "not-seen";
  if (person.watched >= MOST_WATCHED) return "too-many";
  await sql`
    insert into public.marks (user_id, listing_id, mark, chat_id, created_at, updated_at)
    values (${userId}, ${listingId}, 'kept', ${chatId}, ${new Date(nowMs)}, ${new Date(nowMs)})
    on conflict (user_id, listing_id) do update set
      mark = excluded.mark, chat_id = excluded.chat_id, updated_at = excluded.updated_at`;
  return "kept";
}

/** Stops watching. Returns false if the chat may not do that. */
export async function unwatchListing(
  sql: Sql,
  { userId, chatId, listingId }: Asked,
  nowMs: number,
): Promise<boolean> {
  const [row] = await sql<[{ isConnected: boolean }]>`
    with connected as (
      select user_id from watch.confirmed_chats where user_id = ${userId} and chat_id = ${chatId}
    ), ended as (
      delete from public.marks using connected
      where marks.user_id = connected.user_id and marks.listing_id = ${listingId} and marks.chat_id = ${chatId}
        and marks.mark = 'kept' and marks.note is null
    ), unmarked as (
      update public.marks set mark = null, chat_id = null, updated_at = ${new Date(nowMs)} from connected
      where marks.user_id = connected.user_id and marks.listing_id = ${listingId} and marks.chat_id = ${chatId}
        and marks.mark = 'kept' and marks.note is not null
    )
    select exists (select from connected) as "isConnected"`;
  return row.isConnected;
}

const isSeen = (sql: Sql, listingId: string) => sql`(
  exists (
    select from watch.feed_listings join watch.feeds on feeds.key = feed_listings.feed_key
    where feed_listings.listing_id = ${listingId} and feed_listings.gone_at is null and feeds.idle_since is null
  )
  or exists (
    select from watch.mail_listings as mailed
    where mailed.user_id = chats.user_id and mailed.listing_id = ${listingId} and watch.is_served_by_mail(chats.user_id)
  )
)`;
