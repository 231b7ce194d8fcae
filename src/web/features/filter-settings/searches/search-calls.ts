import { type SavedSearch, SEARCH_COLUMNS, searchOf } from "#web/lib/backend/searches.ts";
import { dataOf, loadSupabase } from "#web/lib/backend/supabase.ts";

export type SearchContent = Omit<SavedSearch, "id" | "isFirst">;

/** Beside the first one, or as the first where there is none. */
export async function addSearch(
  userId: string,
  content: SearchContent,
): Promise<{ search: SavedSearch; isNew: true }> {
  const supabase = await loadSupabase();
  const row = dataOf(
    await supabase
      .from("other_searches")
      .insert({
        user_id: userId,
        filter_url: content.url,
        receiver_ids: [...content.ids],
        name: content.name,
        is_paused: content.isPaused,
        quiet_from: content.quietFrom,
        quiet_until: content.quietUntil,
      })
      .select(SEARCH_COLUMNS)
      .single(),
  );
  return { search: searchOf(row, false), isNew: true };
}

type Change = Partial<Record<"name" | "quiet_from" | "quiet_until", string | null> & { is_paused: boolean }>;

type Known = Pick<SavedSearch, "id" | "isFirst">;

export function changeSearch(search: Known, change: Change): Promise<SavedSearch> {
  return inItsTable(search, async (table) => {
    const supabase = await loadSupabase();
    // Both tables have the same columns.
    const changed = supabase.from(table as typeof OTHERS).update(change);
    return dataOf(await changed.eq("id", search.id).select(SEARCH_COLUMNS).maybeSingle());
  });
}

export function deleteSearch(search: Known): Promise<SavedSearch> {
  return inItsTable(search, async (table) => {
    const supabase = await loadSupabase();
    const deleted = supabase.from(table as typeof OTHERS).delete();
    return dataOf(await deleted.eq("id", search.id).select(SEARCH_COLUMNS).maybeSingle());
  });
}

export async function setAllPaused(userId: string, is_paused: boolean): Promise<void> {
  const supabase = await loadSupabase();
  for (const table of [OTHERS, FIRST]) {
    const changed = supabase.from(table as typeof OTHERS).update({ is_paused });
    dataOf(await changed.eq("user_id", userId).neq("is_paused", is_paused).select("id"));
  }
}

const FIRST = "filter_settings";
const OTHERS = "other_searches";

export class DeletedElsewhere extends Error {
  readonly code = "deleted-elsewhere";
}

/** One of the others may have become the first since it was read; the first becomes no other. */
async function inItsTable(
  { isFirst }: Known,
  run: (table: typeof FIRST | typeof OTHERS) => Promise<Parameters<typeof searchOf>[0] | null>,
): Promise<SavedSearch> {
  for (const table of isFirst ? ([FIRST] as const) : ([OTHERS, FIRST] as const)) {
    const row = await run(table);
    if (row) return searchOf(row, table === FIRST);
  }
  throw new DeletedElsewhere("The search was deleted meanwhile");
}
