/**
 * Changes that are not saved yet. Marks and notes wait here for the connection; of every kind those wait here that need the
 * person's decision:
 *
 *   waiting ─► saved      sent in order, by one tab
 *   waiting ─► question   another device was first, the server refused it, or it failed too often
 *   question ─► waiting   "Use my change"
 *   question ─► dropped   "Keep the other version"
 *
 * Each is a row of its own in IndexedDB (`app/offline/unsent-store.ts`), so that no tab overwrites what another one keeps. Every
 * page loads this file; `send-unsent.ts` comes with the pages that change something.
 */
import { useMemo, useSyncExternalStore } from "react";
import { useIsOnline } from "../offline/use-is-online.ts";
import type { ColumnValues, RowChange } from "./change.ts";

export interface StoredChange extends RowChange {
  /** By the time at which it was made: changes are sent in this order. */
  readonly id: string;
  readonly version: number;
  readonly attempts: number;
  readonly question?: Question;
}

export interface Question {
  /** Absent if the change was refused. */
  readonly theirs?: ColumnValues | undefined;
  /** The server's error code; may be empty. */
  readonly refusal?: string;
}

/** Where rows are kept for later visits. Without storage they are kept until the tab is closed. */
export interface UnsentDisk {
  load(): Promise<readonly StoredChange[]>;
  put(row: StoredChange): Promise<void>;
  remove(id: string): Promise<void>;
}

let rows: readonly StoredChange[] = [];
let disk: UnsentDisk | undefined;
let shownCount = 0;
const listeners = new Set<() => void>();

function show(next: readonly StoredChange[]): void {
  rows = next.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  shownCount += 1;
  for (const listener of [...listeners]) listener();
}

export function unsentChanges(): readonly StoredChange[] {
  return rows;
}

/** What this tab has made before the disk was opened goes there too. */
export async function openDisk(opened: UnsentDisk): Promise<void> {
  disk = opened;
  for (const row of rows) await opened.put(row);
  await readDisk();
}

export function closeDisk(): void {
  disk = undefined;
  show([]);
}

/** Another tab may have sent or decided some. What this tab has changed while it was read is read again. */
export async function readDisk(): Promise<void> {
  while (disk) {
    const count = shownCount;
    const loaded = await disk.load();
    if (count === shownCount) return show(loaded);
  }
}

export async function keepUnsent(row: StoredChange): Promise<void> {
  show([...rows.filter(({ id }) => id !== row.id), row]);
  await disk?.put(row);
}

export async function dropUnsent(id: string): Promise<void> {
  show(rows.filter((row) => row.id !== id));
  await disk?.remove(id);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const NONE: readonly StoredChange[] = [];

function useUnsent(): readonly StoredChange[] {
  return useSyncExternalStore(subscribe, unsentChanges, () => NONE);
}

/** Those that the person has to decide about. */
export function useQuestions(userId: string): readonly StoredChange[] {
  const unsent = useUnsent();
  return useMemo(() => unsent.filter((row) => row.userId === userId && row.question), [unsent, userId]);
}

/** Whether a change waits for the connection. They are sent in order: behind one that could not be sent, all wait. */
export function useIsWaiting(isMeant: (change: StoredChange) => boolean = () => true): boolean {
  const waiting = useUnsent().filter(({ question }) => question === undefined);
  const isOnline = useIsOnline();
  const isDelayed = !isOnline || waiting.some(({ attempts }) => attempts > 0);
  return isDelayed && waiting.some(isMeant);
}
