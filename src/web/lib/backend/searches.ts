import { dataOf, loadSupabase } from "./supabase.ts";

/** A search as its person saved it. */
export interface SavedSearch {
  id: string;
  url: string;
  ids: readonly string[];
  /** Null: it is called by its place. */
  name: string | null;
  isPaused: boolean;
  /** "23:00", by the clock of Spain; both or neither. */
  quietFrom: string | null;
  quietUntil: string | null;
  /** It is the row of filter_settings; the others live in other_searches. */
  isFirst: boolean;
}

/** As many as the database lets a person have. */
export const MOST_SEARCHES = 10;

export const SEARCH_COLUMNS =
  "id, filter_url, receiver_ids, name, is_paused, quiet_from, quiet_until, created_at, updated_at";

/** "No row" has a code of its own in answers that must be one row. */
const NO_ROW = "PGRST116";

/** The first one first, then by age. */
export async function fetchSearches(userId: string): Promise<SavedSearch[]> {
  const supabase = await loadSupabase();
  // The others come before: one that becomes the first meanwhile is then read twice, and never missed.
  const others = dataOf(
    await supabase
      .from("other_searches")
      .select(SEARCH_COLUMNS)
      .eq("user_id", userId)
      .order("created_at")
      .order("id")
      .limit(MOST_SEARCHES)
      // The page tries again itself, and says so.
      .retry(false),
  );
  const first = await supabase
    .from("filter_settings")
    .select(SEARCH_COLUMNS)
    .eq("user_id", userId)
    .retry(false)
    .maybeSingle();
  const row = first.error?.code === NO_ROW ? null : dataOf(first);
  return [
    ...(row ? [searchOf(row, true)] : []),
    ...others.filter(({ id }) => id !== row?.id).map((other) => searchOf(other, false)),
  ];
}

export interface SearchRow {
  id: string;
  filter_url: string;
  receiver_ids: string[];
  name: string | null;
  is_paused: boolean;
  quiet_from: string | null;
  quiet_until: string | null;
}

export function searchOf(row: SearchRow, isFirst: boolean): SavedSearch {
  return {
    id: row.id,
    url: row.filter_url,
    ids: row.receiver_ids,
    name: row.name,
    isPaused: row.is_paused,
    // The database adds seconds.
    quietFrom: row.quiet_from?.slice(0, 5) ?? null,
    quietUntil: row.quiet_until?.slice(0, 5) ?? null,
    isFirst,
  };
}
