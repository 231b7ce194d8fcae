/**
 * Changes that are made without a connection. Each is a paused mutation of TanStack Query: `app/offline` stores them, and they
 * are sent in order when the connection is back. A change may be sent again after an answer was lost, so `send` must be
 * idempotent. Every page loads this file; `send-or-queue.ts` comes with the pages that change something.
 */
import { type QueryClient, useMutationState } from "@tanstack/react-query";
import { useIsOnline } from "./use-is-online.ts";

export const QUEUE = "queued";

export type FieldValues = Readonly<Record<string, string | null>>;

export interface QueuedChange {
  readonly userId: string;
  /** It was made without a connection, or could not be sent at first: another device may have been faster. */
  readonly isLate?: boolean;
  /** The fields that the change writes. A kind with `fetchSaved` does not overwrite what another device saved there. */
  readonly fields?: {
    /** What they belong to: a search, a place, the account. */
    readonly ofId: string;
    /** Names it in a conflict. */
    readonly title: string;
    readonly before: FieldValues;
    readonly mine: FieldValues;
  };
}

export interface QueuedKind<Change extends QueuedChange> {
  readonly kind: string;
  send(change: Change, queries: QueryClient): Promise<void>;
  /**
   * Returns the fields as they are saved now, or undefined if what they belong to was deleted. A field that is left out is
   * not compared.
   */
  fetchSaved?(change: Change): Promise<FieldValues | undefined>;
  /** After the change was saved or refused, also in a later visit. */
  onSettled?(queries: QueryClient, change: Change, error: Error | null): void;
}

/** The row was changed on another device since the person made this change. Neither is dropped: the person decides. */
export class QueueConflict extends Error {
  readonly theirs: FieldValues | undefined;

  constructor(message: string, theirs?: FieldValues) {
    super(message);
    this.theirs = theirs;
  }
}

/** A change of fields that waits for the person's decision: another device was faster, or the server refused it. */
export interface FieldConflict {
  readonly kind: string;
  readonly change: QueuedChange & Required<Pick<QueuedChange, "fields">>;
  /** Absent if the change was refused. */
  readonly theirs?: FieldValues | undefined;
  /** The server's error code; may be empty. */
  readonly refusal?: string;
}

/** The changes of a kind that are not saved yet, in order. */
export function pendingChanges<Change extends QueuedChange>(queries: QueryClient, kind: string): Change[] {
  return queries
    .getMutationCache()
    .findAll({ mutationKey: [QUEUE, kind], status: "pending" })
    .map(({ state }) => state.variables as Change);
}

/** Whether a change waits for the connection. They are sent in order: behind one that could not be sent, all wait. */
export function useIsWaiting(isMeant: (kind: string, change: QueuedChange) => boolean): boolean {
  const isOnline = useIsOnline();
  const unsent = useMutationState({
    filters: { mutationKey: [QUEUE], status: "pending" },
    select: ({ options, state }) => ({
      hasFailed: state.failureCount > 0,
      isMeant: isMeant(String(options.mutationKey?.[1]), state.variables as QueuedChange),
    }),
  });
  const isHeld = !isOnline || unsent.some(({ hasFailed }) => hasFailed);
  return isHeld && unsent.some((one) => one.isMeant);
}
