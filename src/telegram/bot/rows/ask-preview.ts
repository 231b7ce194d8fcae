import type { Sql } from "postgres";
import type { SearchPreview } from "#core/search/search-preview.ts";
import { sleep } from "#platform/timing.ts";

const PAUSE_MS = 100;

/**
 * Asks the watcher what the link finds now, as pages do (`public.preview_search`). Undefined if it does not answer in that time. A
 * preview reads thousands of listings: while a chat waits for one, others are not asked, so that a flood of links costs little.
 */
export async function askPreview(
  sql: Sql,
  { chatId, url, patienceMs }: { chatId: string; url: string; patienceMs: number },
): Promise<SearchPreview | undefined> {
  const asked = await sql`
    insert into watch.search_previews (chat_id, filter_url)
    select ${chatId}, ${url} where not exists (
      select from watch.search_previews
      where chat_id is not null and answer is null and asked_at > now() - interval '10 seconds'
    )
    on conflict (chat_id) do update set filter_url = excluded.filter_url, asked_at = now(), answer = null`;
  if (asked.count === 0) return undefined;
  try {
    await sql`select pg_notify('previews', ${chatId})`;
    for (let waitedMs = 0; waitedMs < patienceMs; waitedMs += PAUSE_MS) {
      await sleep(PAUSE_MS);
      const [row] = await sql<{ answer: SearchPreview | null }[]>`
        select answer from watch.search_previews where chat_id = ${chatId}`;
      if (row?.answer) return row.answer;
    }
    return undefined;
  } finally {
    await sql`delete from watch.search_previews where chat_id = ${chatId}`;
  }
}
