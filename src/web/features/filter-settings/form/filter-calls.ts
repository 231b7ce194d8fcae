import { type SavedSearch, SEARCH_COLUMNS, searchOf } from "#web/lib/backend/searches.ts";
import { codeOf, dataOf, loadSupabase } from "#web/lib/backend/supabase.ts";
import { foundSearch } from "../searches/search-calls.ts";
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

/** A save names what it is based on, so that the database merges what was saved elsewhere meanwhile, or refuses. */
export async function saveFirst(save: Save, id?: string): Promise<Saved> {
  const supabase = await loadSupabase();
  const row = dataOf(
    await supabase
      .from("filter_settings")
      .upsert({ user_id: save.userId, ...changeOf(save, id) }, { onConflict: "user_id" })
      .select(FIRST_COLUMNS)
      .single(),
  );
  // Every later change moves updated_at and not created_at.
  return { search: searchOf({ ...row, is_first: true }), isNew: row.created_at === row.updated_at };
}

const FIRST_COLUMNS =
  "id, filter_url, receiver_ids, name, is_paused, quiet_from, quiet_until, rules, is_folded, created_at, updated_at";

/** The first search is saved by the upsert of the specification. */
export async function saveExisting(
  { id, isFirst }: Pick<SavedSearch, "id" | "isFirst">,
  save: Save,
): Promise<Saved> {
  if (isFirst) return saveFirst(save, id);
  const supabase = await loadSupabase();
  const saved = supabase.from("searches").update(changeOf(save, id)).eq("id", id);
  return { search: foundSearch(dataOf(await saved.select(SEARCH_COLUMNS).maybeSingle())), isNew: false };
}

function changeOf({ filter, base }: Save, id: string | undefined) {
  return {
    filter_url: filter.url,
    receiver_ids: [...filter.ids],
    based_on: {
      ...(id === undefined ? {} : { id }),
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
