/**
 * Changes that are made without a connection. Each is a paused mutation of TanStack Query: `app/offline` stores them, and they
 * are sent in order when the connection is back. A change may be sent again after an answer was lost, so `send` must be
 * idempotent.
 */
import { onlineManager, type QueryClient, useMutationState } from "@tanstack/react-query";
import { isUnreachable, loadSupabase } from "../backend/supabase.ts";
import { useIsOnline } from "./use-is-online.ts";

export const QUEUE = "queued";
const LONGEST_DELAY_MS = 30_000;

export interface QueuedChange {
  readonly userId: string;
  readonly madeOffline?: boolean;
}

export interface QueuedKind<Change extends QueuedChange> {
  readonly kind: string;
  send(change: Change, queries: QueryClient): Promise<void>;
  /** After the change was saved or refused, also in a later visit. */
  onSettled?(queries: QueryClient, change: Change, error: Error | null): void;
}

/** The row was changed on another device since the person made this change. Neither is dropped: the person decides. */
export class QueueConflict extends Error {}

export function registerKind<Change extends QueuedChange>(
  queries: QueryClient,
  { kind, send, onSettled }: QueuedKind<Change>,
): void {
  queries.setMutationDefaults<void, Error, Change>([QUEUE, kind], {
    mutationFn: async (change) => {
      await requireAccount(change.userId);
      await send(change, queries);
    },
    retry: (_, error) => isUnreachable(error),
    retryDelay: (attempt) => Math.min(1_000 * 2 ** attempt, LONGEST_DELAY_MS),
    onSettled: (_, error, change) => onSettled?.(queries, change, error),
  });
}

/** Resolves when the change is saved, or when it is clear that it has to wait. Rejects if the server refuses it. */
export async function sendOrQueue<Change extends QueuedChange>(
  queries: QueryClient,
  kind: QueuedKind<Change>,
  change: Change,
): Promise<"sent" | "queued"> {
  registerKind(queries, kind);
  const cache = queries.getMutationCache();
  const mutation = cache.build<void, Error, Change, unknown>(queries, {
    mutationKey: [QUEUE, kind.kind, change.userId],
    // One after the other, in the order in which they were made.
    scope: { id: `${QUEUE} ${change.userId}` },
  });
  const madeOffline = !onlineManager.isOnline();
  const sent = mutation.execute({ ...change, madeOffline }).then(() => "sent" as const);
  const waiting = new Promise<"queued">((resolve) => {
    const stop = cache.subscribe((event) => {
      if (event.mutation !== mutation) return;
      const { status, failureCount } = mutation.state;
      if (status === "pending" && failureCount > 0) resolve("queued");
      if (status !== "pending" || failureCount > 0) stop();
    });
  });
  if (!madeOffline) return Promise.race([sent, waiting]);
  sent.catch(() => undefined);
  return "queued";
}

/** A change is never sent for another account than the one that made it. */
async function requireAccount(userId: string): Promise<void> {
  const { auth } = await loadSupabase();
  const { data, error } = await auth.getSession();
  if (error) throw error;
  if (data.session?.user.id !== userId) throw new Error("The change belongs to another account");
}

/** The changes of a kind that are not saved yet, in order. */
export function pendingChanges<Change extends QueuedChange>(queries: QueryClient, kind: string): Change[] {
  return queries
    .getMutationCache()
    .findAll({ mutationKey: [QUEUE, kind], status: "pending" })
    .map(({ state }) => state.variables as Change);
}

/** Whether a change waits for the connection. */
export function useIsWaiting(isMeant: (kind: string, change: QueuedChange) => boolean): boolean {
  const isOnline = useIsOnline();
  const waiting = useMutationState({
    filters: { mutationKey: [QUEUE], status: "pending" },
    select: ({ options, state }) =>
      (!isOnline || state.failureCount > 0) &&
      isMeant(String(options.mutationKey?.[1]), state.variables as QueuedChange),
  });
  return waiting.includes(true);
}
