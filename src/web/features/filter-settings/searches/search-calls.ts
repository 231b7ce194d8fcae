import type { Json } from "#core/database-types.ts";
import { type SavedSearch, SEARCH_COLUMNS, searchOf } from "#web/lib/backend/searches.ts";
import { dataOf, loadSupabase } from "#web/lib/backend/supabase.ts";
import { DeletedElsewhere } from "#web/lib/changes/change.ts";

export type SearchContent = Omit<SavedSearch, "id" | "isFirst" | "createdAt" | "storedRules">;

/**
 * Beside the first one, or as the first where there is none. Under the same id it is added once: if an earlier attempt has
 * arrived without its answer, that search is returned.
 */
export async function addSearch(
  userId: string,
  { id, ...content }: SearchContent & Known,
): Promise<{ search: SavedSearch; isNew: boolean }> {
  const supabase = await loadSupabase();
  const [row] = dataOf(
    await supabase
      .from("searches")
      .upsert(
        {
          id,
          user_id: userId,
          filter_url: content.url,
          receiver_ids: [...content.ids],
          name: content.name,
          is_paused: content.isPaused,
          quiet_from: content.quietFrom,
          quiet_until: content.quietUntil,
          rules: content.rules as unknown as Json,
          is_folded: content.isFolded,
        },
        { ignoreDuplicates: true },
      )
      .select(SEARCH_COLUMNS),
  );
  if (row) return { search: searchOf(row), isNew: true };
  const earlier = supabase.from("searches").select(SEARCH_COLUMNS).eq("id", id).retry(false);
  return { search: foundSearch(dataOf(await earlier.maybeSingle())), isNew: false };
}

type Known = Pick<SavedSearch, "id">;

export async function deleteSearch({ id }: Known): Promise<SavedSearch> {
  const supabase = await loadSupabase();
  const deleted = supabase.from("searches").delete().eq("id", id);
  return foundSearch(dataOf(await deleted.select(SEARCH_COLUMNS).maybeSingle()));
}

export async function setAllPaused(userId: string, is_paused: boolean): Promise<void> {
  const supabase = await loadSupabase();
  const changed = supabase.from("searches").update({ is_paused }).eq("user_id", userId);
  dataOf(await changed.neq("is_paused", is_paused).select("id"));
}

function foundSearch(row: Parameters<typeof searchOf>[0] | null): SavedSearch {
  if (row) return searchOf(row);
  throw new DeletedElsewhere("The search was deleted meanwhile");
}
