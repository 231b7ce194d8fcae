import type { SupabaseClient } from "@supabase/supabase-js";
import { type SavedSearch, SEARCH_COLUMNS, searchOf } from "#web/lib/backend/searches.ts";
import { codeOf, dataOf, loadSupabase } from "#web/lib/backend/supabase.ts";
import { DeletedElsewhere } from "../searches/search-calls.ts";
import type { SaveBase, SavedFilter } from "./form-state.ts";

export interface Saved {
  search: SavedSearch;
  isNew: boolean;
}

interface Save {
  userId: string;
  filter: SavedFilter;
  base: SaveBase;
}

/** Says what it is based on, so that what was saved elsewhere meanwhile is merged, or refused as a conflict. */
export async function saveFirst({ userId, filter, base }: Save): Promise<Saved> {
  const supabase = await loadSupabase();
  const row = dataOf(
    await supabase
      .from("filter_settings")
      .upsert({ user_id: userId, ...changeOf(filter, base) }, { onConflict: "user_id" })
      .select(SEARCH_COLUMNS)
      .single(),
  );
  // Every later change moves the one and not the other, whoever made it.
  return { search: searchOf(row, true), isNew: row.created_at === row.updated_at };
}

/** The first is saved over its person's one row, which may be another search's by now: that is asked just before. */
export async function saveExisting(id: string, save: Save): Promise<Saved> {
  const supabase = await loadSupabase();
  // A second time, in case it becomes the first between the two questions.
  for (const _ of [1, 2]) {
    const place = await placeOf(id);
    if (place === null) break;
    if (place === "first") return saveFirst(save);
    const row = dataOf(
      await supabase
        .from("other_searches")
        .update(changeOf(save.filter, save.base))
        .eq("id", id)
        .select(SEARCH_COLUMNS)
        .maybeSingle(),
    );
    if (row) return { search: searchOf(row, false), isNew: false };
  }
  throw new DeletedElsewhere("The search was deleted meanwhile");
}

async function placeOf(id: string): Promise<"first" | "other" | null> {
  // The types of the database are made of its tables; this is a view over two of them.
  const supabase: SupabaseClient = await loadSupabase();
  const answer = await supabase.from("my_searches").select("is_first").eq("id", id).maybeSingle();
  const place = dataOf(answer) as { is_first: boolean } | null;
  return place && (place.is_first ? "first" : "other");
}

function changeOf({ url, ids }: SavedFilter, base: SaveBase) {
  return {
    filter_url: url,
    receiver_ids: [...ids],
    based_on: {
      ...(base.url === null ? {} : { filter_url: base.url }),
      receiver_ids: [...base.ids],
    },
  };
}

/** Which field the database refused, by the name of the constraint that did. */
export function refusedFieldOf(error: unknown): "url" | "ids" | null {
  const constraint = codeOf(error);
  if (constraint.startsWith("filter_url")) return "url";
  return constraint.startsWith("receiver_ids") ? "ids" : null;
}

export type Conflict = (typeof CONFLICTS)[number];

const CONFLICTS = [
  "changed-elsewhere",
  "deleted-elsewhere",
  "too-many-chats",
  "no-chat-left",
  "too-many-searches",
] as const;

/** What of a save does not go together with what was saved elsewhere. */
export function conflictOf(error: unknown): Conflict | undefined {
  return CONFLICTS.find((conflict) => conflict === codeOf(error));
}
