import { queryOptions } from "@tanstack/react-query";
import type { Database } from "#core/database-types.ts";
import { readRules } from "#core/rules/rule.ts";
import type { Rule } from "#core/rules/rule-kinds.ts";
import { queryKeys } from "./query-keys.ts";
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
  rules: readonly Rule[];
  /** With those that cannot be read, which do nothing. */
  storedRules: readonly Rule[];
  /** Alerts are sent as a summary every two hours. */
  isFolded: boolean;
  /** It is also the row of filter_settings. */
  isFirst: boolean;
  createdAt: string;
}

/** As many as the database lets a person have. */
export const MOST_SEARCHES = 10;

export const SEARCH_COLUMNS =
  "id, filter_url, receiver_ids, name, is_paused, quiet_from, quiet_until, rules, is_folded, is_first, created_at, updated_at";

export function searchesQuery(userId: string) {
  return queryOptions({ queryKey: queryKeys.searches(userId), queryFn: () => fetchSearches(userId) });
}

/** The first one first, then by age. */
export async function fetchSearches(userId: string): Promise<SavedSearch[]> {
  const supabase = await loadSupabase();
  const rows = dataOf(
    await supabase
      .from("searches")
      .select(SEARCH_COLUMNS)
      .eq("user_id", userId)
      .order("is_first", { ascending: false })
      .order("created_at")
      .order("id")
      .limit(MOST_SEARCHES)
      // The page tries again itself, and says so.
      .retry(false),
  );
  return rows.map(searchOf);
}

type SearchRow = Pick<
  Database["public"]["Tables"]["searches"]["Row"],
  | "id"
  | "filter_url"
  | "receiver_ids"
  | "name"
  | "is_paused"
  | "quiet_from"
  | "quiet_until"
  | "rules"
  | "is_folded"
  | "is_first"
  | "created_at"
>;

export function searchOf(row: SearchRow): SavedSearch {
  return {
    id: row.id,
    url: row.filter_url,
    ids: row.receiver_ids,
    name: row.name,
    isPaused: row.is_paused,
    // The database adds seconds.
    quietFrom: row.quiet_from?.slice(0, 5) ?? null,
    quietUntil: row.quiet_until?.slice(0, 5) ?? null,
    rules: readRules(row.rules).rules,
    // The database keeps them as a list.
    storedRules: row.rules as unknown as readonly Rule[],
    isFolded: row.is_folded,
    isFirst: row.is_first,
    createdAt: row.created_at,
  };
}
