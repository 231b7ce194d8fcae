import type { Sql } from "postgres";

export interface ChatListing {
  readonly chatId: string;
  readonly listingId: string;
}

/**
 * Hides or keeps a listing for everyone who was told of it in this chat and still is connected here; nobody else is
 * touched, whatever a button says. Answers for how many.
 */
export async function markListing(
  sql: Sql,
  { chatId, listingId }: ChatListing,
  mark: "hidden" | "kept",
): Promise<number> {
  const marked = await sql`
    insert into watch.marks (user_id, listing_id, mark)
    ${toldHere(sql, { chatId, listingId }, mark)}
    on conflict (user_id, listing_id) do update set mark = excluded.mark, created_at = now()`;
  return marked.count;
}

export async function unmarkListing(sql: Sql, { chatId, listingId }: ChatListing): Promise<number> {
  const told = await sql<[{ people: number }]>`
    with told as (${toldHere(sql, { chatId, listingId }, "")}),
    gone as (
      delete from watch.marks using told
      where marks.user_id = told.user_id and marks.listing_id = ${listingId}
    )
    select count(*)::int as people from told`;
  return told[0].people;
}

const toldHere = (sql: Sql, { chatId, listingId }: ChatListing, mark: string) => sql`
  select distinct alerts.user_id, alerts.listing_id, ${mark}::text
  from watch.alerts join public.chats using (user_id, chat_id)
  where alerts.chat_id = ${chatId} and alerts.listing_id = ${listingId} and chats.state = 'connected'`;
