import { onlineManager } from "@tanstack/react-query";
import { codeOf, isTemporary, loadSupabase } from "../backend/supabase.ts";
import {
  CHANGE_VERSIONS,
  ChangedElsewhere,
  type ColumnValues,
  isSameValue,
  isSet,
  type RowChange,
} from "./change.ts";
import { changeRow } from "./change-row.ts";
import {
  dropUnsent,
  keepUnsent,
  type Question,
  readDisk,
  type StoredChange,
  unsentChanges,
} from "./unsent.ts";

/** With the delays below, about a quarter of an hour. After that the person is asked. */
const MOST_ATTEMPTS = 30;
const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 30_000;

type Settled = (change: StoredChange) => void;
const settledListeners = new Set<Settled>();

/** Calls back when a change was saved or has become a question, also one of an earlier visit. */
export function onSettled(listener: Settled): () => void {
  settledListeners.add(listener);
  return () => settledListeners.delete(listener);
}

let lastMadeAt = 0;

/** Resolves when the change is saved, has become a question, or has to wait. Rejects if the server refuses it at once. */
export async function sendOrWait(change: RowChange): Promise<void> {
  lastMadeAt = Math.max(lastMadeAt + 1, Date.now());
  const id = `${String(lastMadeAt).padStart(15, "0")} ${crypto.randomUUID()}`;
  awaited.set(id, undefined);
  await keepUnsent({ ...change, id, version: CHANGE_VERSIONS[change.kind], attempts: 0 });
  await sendUnsent();
  const refusal = awaited.get(id);
  awaited.delete(id);
  if (refusal) throw refusal;
}

/** Changes whose form is still there to say that the server refused them. */
const awaited = new Map<string, Error | undefined>();

/** A tab at a time sends what all tabs of the account have kept, one after the other. */
export async function sendUnsent(): Promise<void> {
  const { locks } = navigator as { locks?: LockManager };
  if (locks) await locks.request("sereno-unsent", sendAll);
  else await sendAll();
}

let timer: ReturnType<typeof setTimeout> | undefined;

async function sendAll(): Promise<void> {
  clearTimeout(timer);
  await readDisk();
  const userId = await currentUserId();
  for (;;) {
    const next = unsentChanges().find((row) => row.userId === userId && !row.question);
    if (!next || !onlineManager.isOnline()) return;
    const isSettled = await send(next);
    if (isSettled) continue;
    const delayMs = Math.min(FIRST_DELAY_MS * 2 ** next.attempts, LONGEST_DELAY_MS);
    timer = setTimeout(() => void sendUnsent(), delayMs);
    return;
  }
}

/** Returns false if it has to wait. */
async function send(row: StoredChange): Promise<boolean> {
  try {
    await changeRow(row);
    await dropUnsent(row.id);
  } catch (error) {
    if (isTemporary(error) && row.attempts + 1 < MOST_ATTEMPTS) {
      await keepUnsent({ ...row, attempts: row.attempts + 1 });
      return false;
    }
    if (error instanceof Error && !(error instanceof ChangedElsewhere) && awaited.has(row.id)) {
      awaited.set(row.id, error);
      await dropUnsent(row.id);
    } else await ask(row, questionOf(error));
  }
  for (const listener of [...settledListeners]) listener(row);
  return true;
}

function questionOf(error: unknown): Question {
  return error instanceof ChangedElsewhere ? { theirs: error.theirs } : { refusal: codeOf(error) };
}

/** An earlier question is dropped if this one has its answer in it: the person went on from that change, or made it again. */
async function ask(row: StoredChange, question: Question): Promise<void> {
  for (const other of unsentChanges())
    if (other.question && other.id !== row.id && isContained(other, row)) await dropUnsent(other.id);
  await keepUnsent({ ...row, attempts: 0, question });
}

function isContained(earlier: RowChange, { kind, ofId, before, mine }: RowChange): boolean {
  if (earlier.kind !== kind || earlier.ofId !== ofId) return false;
  const names = Object.keys(earlier.mine);
  const isIn = (values: ColumnValues) =>
    names.every((name) => name in mine && isSameValue(earlier.mine[name], values[name]));
  return isIn(before) || isIn(mine);
}

/**
 * Saves a setting now. If another device was first, the person is asked in the list of the page, which keeps what they typed,
 * and the answer is "asked"; otherwise it is what is saved now. Rejects with every other failure.
 */
export async function saveOrAsk(change: RowChange): Promise<ColumnValues | "asked"> {
  try {
    return await changeRow(change);
  } catch (error) {
    if (!(error instanceof ChangedElsewhere)) throw error;
    const id = `${String(Date.now()).padStart(15, "0")} ${crypto.randomUUID()}`;
    await ask({ ...change, id, version: CHANGE_VERSIONS[change.kind], attempts: 0 }, questionOf(error));
    return "asked";
  }
}

/** The person's answer: their change, over what they have seen of the other one. Sets still go together. */
export async function sendMine(row: StoredChange): Promise<void> {
  await readDisk();
  // It was answered in another tab.
  if (!unsentChanges().some(({ id, question }) => id === row.id && question)) return;
  const { question, ...change } = row;
  const seen = Object.entries(question?.theirs ?? {}).filter(
    ([name, theirs]) => !(isSet(theirs) && isSet(change.mine[name]) && isSet(change.before[name])),
  );
  await keepUnsent({ ...change, attempts: 0, before: { ...change.before, ...Object.fromEntries(seen) } });
  await sendUnsent();
}

/** A change is never sent for another account than the one that made it. */
async function currentUserId(): Promise<string | undefined> {
  const { auth } = await loadSupabase();
  const { data } = await auth.getSession();
  return data.session?.user.id;
}
