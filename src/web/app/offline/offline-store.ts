/**
 * What a signed-in person has last seen, and the changes that are not sent yet, stored in this browser for a week. Entries
 * belong to one account and contain no tokens:
 *
 *   <account>/pages         the answers of the queries in PAGES, written by every tab
 *   <account>/change/<id>   a change that is not saved yet, or that the person has to decide about (unsent-store.ts)
 */
import { createAsyncStoragePersister } from "@tanstack/query-async-storage-persister";
import {
  type DehydrateOptions,
  dehydrate,
  type FetchQueryOptions,
  onlineManager,
  type QueryClient,
  type QueryKey,
} from "@tanstack/react-query";
import { persistQueryClientRestore, persistQueryClientSubscribe } from "@tanstack/react-query-persist-client";
import { clear, createStore, del, get, keys, set } from "idb-keyval";
import { profileQuery } from "#web/features/account/account-calls.ts";
import { findSettingsQuery } from "#web/features/finds/find-settings.ts";
import { ownPlacesQuery } from "#web/lib/backend/own-places.ts";
import { searchesQuery } from "#web/lib/backend/searches.ts";
import { logProblem } from "#web/lib/browser/log.ts";
import { whenIdle } from "#web/lib/browser/next-task.ts";
import { sendUnsent } from "#web/lib/changes/send-unsent.ts";
import { closeDisk, openDisk, readDisk } from "#web/lib/changes/unsent.ts";
import { OFFLINE_DATABASE, OFFLINE_TABLE } from "#web/lib/offline/wipe.ts";
import { dropUnreadable, openUnsentDisk } from "./unsent-store.ts";

const WEEK_MS = 7 * 86_400_000;
/** Entries of another shape are dropped. */
const SHAPE = "4";
const WRITE_MS = 50;
const PAGES = ["finds", "find", "find-settings", "own-places", "searches", "watch", "chats", "profile"];

export interface OfflineStore {
  close(): void;
  /** Forgets everything that is stored in this browser. */
  wipe(): Promise<void>;
}

interface StoreOptions {
  /** Changes of another version could not be read. */
  onDropped(): void;
}

export async function openOfflineStore(
  queries: QueryClient,
  userId: string,
  options: StoreOptions,
): Promise<OfflineStore> {
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

  for (const page of PAGES) queries.setQueryDefaults([page], { gcTime: WEEK_MS });
  await dropOtherAccounts(userId, store);
  // Before the pages, which show what the changes have made of them.
  const dropped = await dropUnreadable(userId, store);
  if (dropped > 0) options.onDropped();
  const disk = openUnsentDisk(userId, store, () => void readDisk());
  stops.push(closeDisk, disk.close);
  await openDisk(disk);

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
  const resume = () =>
    void sendUnsent().catch((error: unknown) => logProblem("Changes could not be sent", error));
  stops.push(onlineManager.subscribe((isOnline) => isOnline && resume()));
  resume();
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
  const load = <Data, Key extends QueryKey>(page: FetchQueryOptions<Data, Error, Data, Key>) => {
    const isKnown = queries.getQueryState(page.queryKey) !== undefined;
    // A failure shows when the page is opened.
    if (!isKnown) void queries.prefetchQuery({ ...page, retry: false });
  };
  load(findSettingsQuery(userId));
  load(ownPlacesQuery(userId));
  load(searchesQuery(userId));
  load(profileQuery(userId));
}

/** Filtered lists are many, and the first list holds the newest finds. */
function isKept([name, owner, filter]: QueryKey, userId: string): boolean {
  if (owner !== userId || !PAGES.includes(String(name))) return false;
  return name !== "finds" || Object.values(filter ?? {}).every((part) => part === undefined);
}

type Store = ReturnType<typeof createStore>;

async function dropOtherAccounts(userId: string, store: Store): Promise<void> {
  const names = (await keys<string>(store)).filter((name) => !name.startsWith(`${userId}/`));
  await Promise.all(names.map((name) => del(name, store)));
}
