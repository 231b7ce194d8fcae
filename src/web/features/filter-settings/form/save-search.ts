import { parseSearchUrl } from "#core/search/url/parse-search-url.ts";
import { fetchSearches, type SavedSearch, searchOf } from "#web/lib/backend/searches.ts";
import { codeOf, dataOf, loadSupabase } from "#web/lib/backend/supabase.ts";
import { parseChatIds } from "../chats/chat-ids.ts";
import type { useChangeSearch } from "../searches/change-search.ts";
import { addSearch } from "../searches/search-calls.ts";
import type { FilterValues } from "./search-form.ts";

export type ChangeSearch = ReturnType<typeof useChangeSearch>;

interface Filter {
  url: string;
  ids: readonly string[];
}

/** What would be saved for typed values. A link that is not a search is refused before. */
function filterOf({ url, ids }: FilterValues): Filter {
  return { url: savedUrlOf(url) ?? url.trim(), ids: parseChatIds(ids).ids };
}

function savedUrlOf(typed: string): string | undefined {
  const parsed = parseSearchUrl(typed);
  return parsed.ok ? parsed.canonicalUrl : undefined;
}

/** The fields that differ. A saved link that would be written differently today does not. */
export function changedFields(values: FilterValues, saved: FilterValues): Partial<Filter> {
  const [typed, known] = [filterOf(values), { ...filterOf(saved), url: saved.url }];
  return {
    ...(values.url !== known.url && typed.url !== known.url && { url: typed.url }),
    ...(typed.ids.join() !== known.ids.join() && { ids: typed.ids }),
  };
}

/**
 * The first search of the person. If another device was first, this is a change of that one: the chats go together, and about
 * another link the person is asked.
 */
export async function saveFirst(
  userId: string,
  values: FilterValues,
  seen: FilterValues,
  change: ChangeSearch,
): Promise<{ search: SavedSearch | undefined; isNew: boolean }> {
  const { url, ids } = filterOf(values);
  const seenIds = filterOf(seen).ids;
  const supabase = await loadSupabase();
  const row = dataOf(
    await supabase.rpc("save_first", { filter_url: url, receiver_ids: [...ids], seen_chats: [...seenIds] }),
  );
  if (row) return { search: searchOf(row), isNew: true };
  const first = (await fetchSearches(userId)).find(({ isFirst }) => isFirst);
  if (!first) throw new Error("The first search was deleted while this one was being saved");
  return { search: await change(first, { url, ids }, { url: "", ids: seenIds }), isNew: false };
}

/** One search more, with the quiet hours and the rules of the one it is like. An earlier attempt may have arrived already. */
export async function saveNew(
  userId: string,
  id: string,
  values: FilterValues,
  like: SavedSearch | undefined,
  change: ChangeSearch,
) {
  const { quietFrom = null, quietUntil = null, rules = [] } = like ?? {};
  const usual = { name: null, isPaused: false, isFolded: false };
  const filter = filterOf(values);
  const added = await addSearch(userId, { id, ...filter, ...usual, rules, quietFrom, quietUntil });
  if (!added.isNew) await change(added.search, filter);
  return { search: { ...added.search, ...filter }, isNew: true };
}

/** Which field the database refused, by the name of the constraint that did. */
export function refusedFieldOf(error: unknown): "url" | "ids" | null {
  const constraint = codeOf(error);
  if (constraint.startsWith("filter_url")) return "url";
  return constraint.startsWith("receiver_ids") ? "ids" : null;
}
