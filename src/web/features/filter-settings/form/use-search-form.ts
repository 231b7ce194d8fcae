/**
 * The state of the form of a search. A field that was not touched follows what is saved: the search, or before there is one the
 * chats that have connected. What was typed stays, whatever loads, fails or is saved elsewhere; chats go together.
 */
import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useState } from "react";
import { dropDraft, keepDraft, readDraft, type Typed } from "#web/components/form/drafts.ts";
import { NOTHING_TYPED, useForm } from "#web/components/form/use-form.ts";
import { useConfig } from "#web/lib/backend/config.ts";
import { queryKeys } from "#web/lib/backend/query-keys.ts";
import type { SavedSearch } from "#web/lib/backend/searches.ts";
import { codeOf } from "#web/lib/backend/supabase.ts";
import { useIdle } from "#web/lib/browser/use-idle.ts";
import { useTexts, useWords } from "#web/lib/i18n/use-texts.ts";
import { type Chat, connectedOf } from "../chats/chat-calls.ts";
import { joinChatIds, MOST_CHATS, mergedChatIds, parseChatIds, withChatIds } from "../chats/chat-ids.ts";
import { useChats } from "../chats/use-chats.ts";
import { EXAMPLE_URL, type Understanding, understandUrl } from "../search/understand-url.ts";
import { useChangeSearch } from "../searches/change-search.ts";
import { showSearch } from "../searches/search-rows.ts";
import { changedFields, refusedFieldOf, saveFirst, saveNew } from "./save-search.ts";
import { useSavedWords } from "./saved-words.ts";
import type { FilterValues, SearchForm } from "./search-form.ts";

export interface EditedSearch {
  userId: string;
  search: SavedSearch | null;
  /** It was deleted elsewhere. What was typed can be saved as a new one. */
  isDeleted: boolean;
  /** The search as it was before; absent after a reload. */
  deleted: SavedSearch | undefined;
  others: readonly SavedSearch[];
  /** It will be the first one. */
  isFirst: boolean;
  draftId: string;
  /** The one that it is a copy of. */
  like: SavedSearch | undefined;
  /** From the address. */
  link: string;
}

interface Outcome {
  /** Absent if the person is asked first. */
  search: SavedSearch | undefined;
  isNew: boolean;
}

/** `onSaved` gets what was saved, and from it what to show next; a search that was only changed stays where it is. */
export function useSearchFormState(edited: EditedSearch, onSaved: (outcome: Outcome) => void): SearchForm {
  const { userId, search, others } = edited;
  const t = useTexts("filter");
  const queries = useQueryClient();
  const chats = useChats(userId).data;
  const saved = useSavedValues(edited, chats);
  const change = useChangeSearch(userId);
  const savedWords = useSavedWords();
  const drafts = useDraft(edited, saved);
  const [newId] = useState(() => crypto.randomUUID());
  const form = useForm<FilterValues, Outcome>({
    saved,
    keeps: drafts,
    merged: { ids: mergedChatIds },
    run: async (values, before) => {
      try {
        return await saveSearch({ ...edited, newId }, values, before, change);
      } catch (error) {
        // What is saved now is shown next to what was typed, at once if the server has refused.
        const reloading = queries.invalidateQueries({ queryKey: queryKeys.searches(userId) });
        if (codeOf(error) !== "") await reloading;
        throw error;
      }
    },
    onSuccess: async (outcome, sent) => {
      drafts.move(outcome.search, sent);
      onSaved(outcome);
      if (outcome.isNew) await showSearch(queries, userId, outcome.search);
      if (!outcome.search) return undefined;
      return { title: t("messages.success"), description: savedWords(outcome.isNew) };
    },
    failure: { title: t("messages.error"), description: t("messages.errorSave") },
  });
  const { values, isBusy, error } = form;
  const { ids } = parseChatIds(values.ids);
  const understanding = useUnderstanding(values.url);
  const botUsername = useConfig()?.botUsername ?? "";
  return {
    userId,
    search,
    others,
    values,
    ids,
    set: form.set,
    discard: form.discard,
    drop: drafts.drop,
    isDirty: search
      ? Object.keys(changedFields(values, saved)).length > 0
      : values.url.trim() !== "" || ids.some((id) => !parseChatIds(saved.ids).ids.includes(id)),
    faults: faultsOf(values.ids, understanding, botUsername, t),
    save: () => form.run(values),
    isBusy,
    failure: error && adviceFor(error, ids.length, t),
    understanding,
    chats,
    botUsername,
  };
}

async function saveSearch(
  { userId, search, isFirst, like, deleted, others, newId }: EditedSearch & { newId: string },
  values: FilterValues,
  before: FilterValues,
  change: ReturnType<typeof useChangeSearch>,
): Promise<Outcome> {
  if (search) {
    const seen = { url: before.url, ids: parseChatIds(before.ids).ids };
    return { search: await change(search, changedFields(values, before), seen), isNew: false };
  }
  if (isFirst) return saveFirst(userId, values, before, change);
  return saveNew(userId, newId, values, deleted ?? like ?? others[0], change);
}

/** What an untouched form shows. */
function useSavedValues(edited: EditedSearch, chats: readonly Chat[] | undefined): FilterValues {
  const { search, deleted, like, others, isFirst } = edited;
  const connected = connectedOf(chats)?.map(({ id }) => id);
  // One search more starts with given chats: only those that connect later are added.
  const [known, setKnown] = useState<readonly string[]>();
  if (connected && !known) setKnown(connected);
  const source = search ?? deleted;
  if (source) return { url: source.url, ids: joinChatIds(source.ids) };
  if (isFirst) return { url: "", ids: joinChatIds(connected ?? []) };
  const given = joinChatIds((like ?? others[0])?.ids ?? []);
  return {
    url: "",
    ids: withChatIds(given, connected?.filter((id) => !(known ?? connected).includes(id)) ?? []),
  };
}

/** The draft of a reload, or the link that the form was opened with. */
function useDraft({ userId, draftId, search, isDeleted, link, like }: EditedSearch, saved: FilterValues) {
  const [begun] = useState((): Typed<FilterValues> => {
    const draft = readDraft<FilterValues>(userId, draftId);
    if (draft) return isDeleted ? { ...draft, typed: { ...draft.shown, ...draft.typed } } : draft;
    const url = link || (like?.url ?? "");
    return url === "" ? NOTHING_TYPED : { typed: { url }, before: { url: "" } };
  });
  const drop = useCallback(() => dropDraft(userId, draftId), [userId, draftId]);
  const { url, ids } = saved;
  const keep = useCallback(
    ({ typed, before }: Typed<FilterValues>) => {
      const isAsSaved = (typed.url ?? url) === url && (typed.ids ?? ids) === ids;
      if (isAsSaved) drop();
      else keepDraft(userId, draftId, { typed, before, shown: { url, ids, ...typed } });
    },
    [userId, draftId, drop, url, ids],
  );
  /** A link that was typed while a new search was being saved is a change of it. */
  const move = (to: SavedSearch | undefined, sent: FilterValues) => {
    const later = readDraft<FilterValues>(userId, draftId)?.typed.url ?? sent.url;
    drop();
    if (!search && to && later !== sent.url) {
      const values = { url: later, ids: joinChatIds(to.ids) };
      keepDraft(userId, to.id, { typed: { url: later }, before: { url: to.url }, shown: values });
    }
  };
  return { begun, keep, drop, move };
}

function useUnderstanding(url: string): Understanding {
  const words = useWords("search");
  const canSearchByUrl = useConfig()?.searchByUrl ?? true;
  const isIdle = useIdle();
  useEffect(() => {
    // The first call builds tables and number formats (about 60 ms): do that before the first paste.
    if (isIdle) understandUrl(EXAMPLE_URL, { words, canSearchByUrl });
  }, [isIdle, words, canSearchByUrl]);
  return useMemo(() => understandUrl(url, { words, canSearchByUrl }), [url, words, canSearchByUrl]);
}

/** What to do about a failed save. That a search was deleted is said by the form itself. */
function adviceFor(error: Error, chatCount: number, t: Texts): string | null {
  const code = codeOf(error);
  if (code === "deleted-elsewhere") return null;
  if (code === "too-many-searches") return t("searches.full");
  if (code === "too-many-chats") return t("searches.tooManyChats");
  const field = refusedFieldOf(error);
  if (field === "url") return t("messages.refusedUrl");
  if (field === null) return t("messages.errorSaveAdvice");
  // The chats that were typed and those that came meanwhile.
  if (chatCount > MOST_CHATS) return t("elsewhere.tooMany");
  return chatCount === 0 ? t("elsewhere.noneLeft") : t("messages.refusedIds");
}

type Texts = ReturnType<typeof useTexts<"filter">>;

function faultsOf(
  typedIds: string,
  understanding: Understanding,
  bot: string,
  t: Texts,
): SearchForm["faults"] {
  return { url: urlFault(), ids: idsFault() };

  function urlFault(): string | null {
    if (understanding.state === "empty") return t("url.required");
    if (understanding.state === "refused") return t("url.invalid");
    return understanding.isBlocked ? t("url.blocked") : null;
  }

  function idsFault(): string | null {
    const { ids, fault } = parseChatIds(typedIds);
    if (ids.length === 0) return t("chats.required");
    return fault && t(`chats.faults.${fault.code}`, { entry: fault.entry, bot });
  }
}
