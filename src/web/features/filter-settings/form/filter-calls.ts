import { codeOf, dataOf, loadSupabase } from "#web/lib/backend/supabase.ts";
import type { SaveBase, SavedFilter } from "./form-state.ts";

export interface FilterRow extends SavedFilter {
  isPaused: boolean;
}

const COLUMNS = "filter_url, receiver_ids, is_paused, created_at, updated_at";

export async function fetchFilter(userId: string): Promise<FilterRow | null> {
  const supabase = await loadSupabase();
  const row = dataOf(
    await supabase
      .from("filter_settings")
      .select(COLUMNS)
      .eq("user_id", userId)
      // The page tries again itself, and says so.
      .retry(false)
      .maybeSingle(),
  );
  return row && rowOf(row);
}

/** Says what it is based on, so that what was saved elsewhere meanwhile is merged, or refused as a conflict. */
export async function saveFilter(
  userId: string,
  { url, ids }: SavedFilter,
  base: SaveBase,
): Promise<{ row: FilterRow; isFirst: boolean }> {
  const supabase = await loadSupabase();
  const row = dataOf(
    await supabase
      .from("filter_settings")
      .upsert(
        {
          user_id: userId,
          filter_url: url,
          receiver_ids: [...ids],
          based_on: {
            ...(base.url === null ? {} : { filter_url: base.url }),
            receiver_ids: [...base.ids],
          },
        },
        { onConflict: "user_id" },
      )
      .select(COLUMNS)
      .single(),
  );
  // Every later change moves the one and not the other, whoever made it.
  return { row: rowOf(row), isFirst: row.created_at === row.updated_at };
}

export async function setPaused(userId: string, isPaused: boolean): Promise<void> {
  const supabase = await loadSupabase();
  dataOf(
    await supabase
      .from("filter_settings")
      .update({ is_paused: isPaused })
      .eq("user_id", userId)
      .select("is_paused")
      .single(),
  );
}

/** Which field the database refused, by the name of the constraint that did. */
export function refusedFieldOf(error: unknown): "url" | "ids" | null {
  const constraint = codeOf(error);
  if (constraint.startsWith("filter_url")) return "url";
  return constraint.startsWith("receiver_ids") ? "ids" : null;
}

export type Conflict = (typeof CONFLICTS)[number];

const CONFLICTS = ["changed-elsewhere", "deleted-elsewhere", "too-many-chats", "no-chat-left"] as const;

/** What of a save does not go together with what was saved elsewhere. */
export function conflictOf(error: unknown): Conflict | undefined {
  return CONFLICTS.find((conflict) => conflict === codeOf(error));
}

function rowOf(row: { filter_url: string; receiver_ids: string[]; is_paused: boolean }): FilterRow {
  return { url: row.filter_url, ids: row.receiver_ids, isPaused: row.is_paused };
}
