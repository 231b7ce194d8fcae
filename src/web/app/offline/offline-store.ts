/**
 * What a signed-in person has last seen, and the changes that are not sent yet, stored in this browser for a week. Entries
 * belong to one account and contain no tokens:
 *
 *   <account>/pages         the answers of the queries in PAGES, written by every tab
 *   <account>/queue/<tab>   the unsent changes of a tab. The tab holds a lock of that name while it is open; the entry of a
 *                           closed tab is taken over by the next one.
 */
import { createAsyncStoragePersister } from "@tanstack/query-async-storage-persister";
import { type DehydrateOptions, dehydrate, type QueryClient, type QueryKey } from "@tanstack/react-query";
import {
  type PersistedClient,
  persistQueryClientRestore,
  persistQueryClientSave,
  persistQueryClientSubscribe,
} from "@tanstack/react-query-persist-client";
import { clear, createStore, del, get, keys, set } from "idb-keyval";
import { fetchProfile } from "#web/features/account/account-calls.ts";
import { fetchFindSettings } from "#web/features/finds/find-settings.ts";
import { fetchPlaces } from "#web/lib/backend/own-places.ts";
import { queryKeys } from "#web/lib/backend/query-keys.ts";
import { fetchSearches } from "#web/lib/backend/searches.ts";
import { whenIdle } from "#web/lib/browser/next-task.ts";
import { QUEUE, type QueuedChange } from "#web/lib/offline/queue.ts";
import { registerKind } from "#web/lib/offline/send-or-queue.ts";
import { OFFLINE_DATABASE, OFFLINE_TABLE } from "#web/lib/offline/wipe.ts";
import { QUEUED_KINDS } from "./queued-kinds.ts";

const WEEK_MS = 7 * 86_400_000;
/** Entries of another shape are dropped. */
const SHAPE = "2";
const WRITE_MS = 50;
const PAGES = [
  "conflicts",
  "finds",
  "find",
  "find-conflicts",
  "find-settings",
  "own-places",
  "searches",
  "watch",
  "chats",
  "profile",
];

export interface OfflineStore {
  close(): void;
  /** Forgets everything that is stored in this browser. */
  wipe(): Promise<void>;
}

export async function openOfflineStore(queries: QueryClient, userId: string): Promise<OfflineStore> {
  const store = createStore(OFFLINE_DATABASE, OFFLINE_TABLE);
  const state = { isClosed: false };
  const stops: (() => void)[] = [];
  const close = () => {
    state.isClosed = true;
    for (const stop of stops.splice(0)) stop();
  };
  const entry = (key: string, dehydrateOptions: DehydrateOptions) => ({
    dehydrateOptions,
    queryClient: queries,
    maxAge: WEEK_MS,
    buster: SHAPE,
    persister: createAsyncStoragePersister({
      key,
      throttleTime: WRITE_MS,
      serialize: (kept) => JSON.stringify(withPausedChanges(kept)),
      storage: {
        getItem: async (name) => (await get<string>(name, store)) ?? null,
        // A write that was delayed must not come back after a sign-out.
        setItem: async (name, value) => {
          if (!state.isClosed) await set(name, value, store);
        },
        removeItem: (name) => del(name, store),
      },
    }),
  });

  for (const kind of QUEUED_KINDS) registerKind(queries, kind);
  for (const page of PAGES) queries.setQueryDefaults([page], { gcTime: WEEK_MS });
  await dropOtherAccounts(userId, store);

  // Before the pages, which show what the changes have made of them.
  const tab = await holdTab(userId);
  stops.push(tab.release);
  const queue = (name: string) => entry(name, queueOptions(userId));
  const own = queue(tab.name);
  await persistQueryClientRestore(own);
  for (const name of await closedTabs(userId, tab.name, store)) {
    await persistQueryClientRestore(queue(name));
    await persistQueryClientSave(own);
    await del(name, store);
  }
  if (!state.isClosed) stops.push(persistQueryClientSubscribe(own));

  const pages = entry(`${userId}/pages`, {
    // Every write renews the age of the whole entry, so each answer is checked by its own.
    shouldDehydrateQuery: ({ queryKey, state: { status, dataUpdatedAt } }) =>
      status === "success" && dataUpdatedAt > Date.now() - WEEK_MS && isKept(queryKey, userId),
    shouldDehydrateMutation: () => false,
  });
  const before = new Set(dehydrate(queries).queries.map(({ queryHash }) => queryHash));
  await persistQueryClientRestore(pages);
  if (!state.isClosed) stops.push(persistQueryClientSubscribe(pages));
  // Stored answers are shown at once, and loaded again.
  void queries.invalidateQueries({
    predicate: ({ queryHash, queryKey }) => !before.has(queryHash) && isKept(queryKey, userId),
  });
  void queries.resumePausedMutations();
  whenIdle(() => loadMissing(queries, userId));
  return {
    close,
    wipe: async () => {
      close();
      await clear(store);
    },
  };
}

/** The settings and searches of a person who has not opened their pages yet. */
function loadMissing(queries: QueryClient, userId: string): void {
  const pages = [
    { queryKey: queryKeys.findSettings(userId), queryFn: () => fetchFindSettings(userId) },
    { queryKey: queryKeys.ownPlaces(userId), queryFn: () => fetchPlaces(userId) },
    { queryKey: queryKeys.searches(userId), queryFn: () => fetchSearches(userId) },
    { queryKey: queryKeys.profile(userId), queryFn: () => fetchProfile(userId) },
  ];
  for (const page of pages) {
    const isKnown = queries.getQueryState(page.queryKey) !== undefined;
    // A failure shows when the page is opened.
    if (!isKnown) void queries.prefetchQuery<unknown>({ ...page, retry: false });
  }
}

/** Filtered lists are many, and the first list holds the newest finds. */
function isKept([name, owner, filter]: QueryKey, userId: string): boolean {
  if (owner !== userId || !PAGES.includes(String(name))) return false;
  return name !== "finds" || Object.values(filter ?? {}).every((part) => part === undefined);
}

function queueOptions(userId: string): DehydrateOptions {
  return {
    shouldDehydrateQuery: () => false,
    shouldDehydrateMutation: ({ options, state: { status } }) =>
      status === "pending" && options.mutationKey?.[0] === QUEUE && options.mutationKey[2] === userId,
  };
}

/** A change that was being sent when the tab was closed is sent again. */
function withPausedChanges(kept: PersistedClient): PersistedClient {
  const { clientState } = kept;
  const mutations = clientState.mutations.map(({ state, ...one }) => ({
    ...one,
    state: { ...state, isPaused: true, variables: { ...(state.variables as QueuedChange), isLate: true } },
  }));
  return { ...kept, clientState: { ...clientState, mutations } };
}

type Store = ReturnType<typeof createStore>;

async function dropOtherAccounts(userId: string, store: Store): Promise<void> {
  const names = (await keys<string>(store)).filter((name) => !name.startsWith(`${userId}/`));
  await Promise.all(names.map((name) => del(name, store)));
}

const TAB_KEY = "offlineTab";

/** A duplicated tab copies the session storage of the first, and gets a name of its own. */
async function holdTab(userId: string): Promise<{ name: string; release(): void }> {
  const nameOf = (id: string) => `${userId}/queue/${id}`;
  const known = sessionStorage.getItem(TAB_KEY);
  const release = known === null ? undefined : await hold(nameOf(known));
  if (known !== null && release) return { name: nameOf(known), release };
  const id = crypto.randomUUID();
  sessionStorage.setItem(TAB_KEY, id);
  return { name: nameOf(id), release: (await hold(nameOf(id))) ?? (() => undefined) };
}

/** Returns undefined if another tab holds the lock. */
function hold(name: string): Promise<(() => void) | undefined> {
  return new Promise((resolve) => {
    void navigator.locks.request(name, { ifAvailable: true }, (lock) => {
      if (!lock) return resolve(undefined);
      return new Promise<void>((release) => resolve(release));
    });
  });
}

async function closedTabs(userId: string, own: string, store: Store): Promise<string[]> {
  const { held = [] } = await navigator.locks.query();
  const open = new Set(held.map(({ name }) => name));
  return (await keys<string>(store)).filter(
    (name) => name.startsWith(`${userId}/queue/`) && name !== own && !open.has(name),
  );
}
