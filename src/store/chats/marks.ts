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
  { mark, nowMs }: { mark: "hidden" | "kept"; nowMs: number },
): Promise<number> {
  const marked = await sql`
    insert into watch.marks (user_id, listing_id, mark, created_at)
    select user_id, ${listingId}, ${mark}, ${new Date(nowMs)}::timestamptz from (${sentHere(sql, { chatId, listingId })}) as sent
    on conflict (user_id, listing_id) do update set mark = excluded.mark, created_at = excluded.created_at`;
  return marked.count;
}

export async function unmarkListing(sql: Sql, { chatId, listingId }: ChatListing): Promise<number> {
  const sent = await sql<[{ people: number }]>`
    with sent as (${sentHere(sql, { chatId, listingId })}),
    gone as (
      delete from watch.marks using sent
      where marks.user_id = sent.user_id and marks.listing_id = ${listingId}
    )
    select count(*)::int as people from sent`;
  return sent[0].people;
}

const sentHere = (sql: Sql, { chatId, listingId }: ChatListing) => sql`
  select distinct alerts.user_id
  from watch.alerts join public.chats using (user_id, chat_id)
  where alerts.chat_id = ${chatId} and alerts.listing_id = ${listingId} and chats.state = 'connected'`;
