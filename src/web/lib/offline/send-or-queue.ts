import { onlineManager, type QueryClient } from "@tanstack/react-query";
import { queryKeys } from "../backend/query-keys.ts";
import { codeOf, isTemporary, loadSupabase } from "../backend/supabase.ts";
import {
  type FieldConflict,
  type FieldValues,
  QUEUE,
  QueueConflict,
  type QueuedChange,
  type QueuedKind,
} from "./queue.ts";

const LONGEST_DELAY_MS = 30_000;

export function registerKind<Change extends QueuedChange>(
  queries: QueryClient,
  { kind, send, fetchSaved, onSettled }: QueuedKind<Change>,
): void {
  queries.setMutationDefaults<void, Error, Change>([QUEUE, kind], {
    mutationFn: async (change) => {
      await requireAccount(change.userId);
      const isLate = change.isLate === true || hasFailed(queries, change);
      if (isLate && fetchSaved) requireUnchanged(change, await fetchSaved(change));
      await send({ ...change, isLate }, queries);
    },
    retry: (_, error) => isTemporary(error),
    retryDelay: (attempt) => Math.min(1_000 * 2 ** attempt, LONGEST_DELAY_MS),
    onSettled: (_, error, change) => {
      const wasQueued = change.isLate === true || hasFailed(queries, change);
      if (error && wasQueued) noteConflict(queries, kind, change, error);
      onSettled?.(queries, change, error);
    },
  });
}

function hasFailed(queries: QueryClient, change: QueuedChange): boolean {
  const [mutation] = queries
    .getMutationCache()
    .findAll({ mutationKey: [QUEUE], predicate: ({ state }) => state.variables === change });
  return (mutation?.state.failureCount ?? 0) > 0;
}

function requireUnchanged({ fields }: QueuedChange, saved: FieldValues | undefined): void {
  if (!fields || !saved) return;
  const isOvertaken = Object.entries(fields.mine).some(
    ([name, mine]) =>
      saved[name] !== undefined && saved[name] !== fields.before[name] && saved[name] !== mine,
  );
  if (isOvertaken) throw new QueueConflict("The fields were changed elsewhere", saved);
}

/** Keeps what could not be saved. A later change of the same fields replaces an earlier one. */
function noteConflict(queries: QueryClient, kind: string, change: QueuedChange, error: Error): void {
  const { fields } = change;
  if (!fields) return;
  const reason = error instanceof QueueConflict ? { theirs: error.theirs } : { refusal: codeOf(error) };
  const nameOf = (one: Pick<FieldConflict, "kind" | "change">) =>
    JSON.stringify([one.kind, one.change.fields.ofId, Object.keys(one.change.fields.mine)]);
  const conflict = { kind, change: { ...change, fields }, ...reason };
  queries.setQueryData<FieldConflict[]>(queryKeys.conflicts(change.userId), (known = []) => [
    ...known.filter((one) => nameOf(one) !== nameOf(conflict)),
    conflict,
  ]);
}

/** Resolves when the change is saved, or when it is clear that it has to wait. Rejects if the server refuses it. */
export async function sendOrQueue<Change extends QueuedChange>(
  queries: QueryClient,
  kind: QueuedKind<Change>,
  change: Change,
): Promise<"sent" | "queued"> {
  registerKind(queries, kind);
  return enqueue(queries, kind.kind, change);
}

/** For a kind that is registered. */
export async function enqueue(
  queries: QueryClient,
  kind: string,
  change: QueuedChange,
): Promise<"sent" | "queued"> {
  const cache = queries.getMutationCache();
  const mutation = cache.build<void, Error, QueuedChange, unknown>(queries, {
    mutationKey: [QUEUE, kind, change.userId],
    // One after the other, in the order in which they were made.
    scope: { id: `${QUEUE} ${change.userId}` },
  });
  // Behind a change that could not be sent, all wait.
  const isHeld = () =>
    cache.findAll({ mutationKey: [QUEUE], status: "pending" }).some(({ state }) => state.failureCount > 0);
  const isLate = change.isLate === true || !onlineManager.isOnline() || isHeld();
  const sent = mutation.execute({ ...change, isLate }).then(() => "sent" as const);
  const waiting = new Promise<"queued">((resolve) => {
    const stop = cache.subscribe(() => {
      const isHeldBack = mutation.state.status === "pending";
      if (isHeldBack && !isHeld()) return;
      stop();
      if (isHeldBack) resolve("queued");
    });
  });
  if (!isLate) return Promise.race([sent, waiting]);
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
