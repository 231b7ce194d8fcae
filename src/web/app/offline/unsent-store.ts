/** The rows of unsent changes in IndexedDB: `<account>/change/<id>`. */
import { type createStore, del, entries, set } from "idb-keyval";
import { CHANGE_VERSIONS } from "#web/lib/changes/change.ts";
import type { StoredChange, UnsentDisk } from "#web/lib/changes/unsent.ts";
import { UNSENT_FOLDER } from "#web/lib/offline/wipe.ts";

type Store = ReturnType<typeof createStore>;

/** `onChange` is called after another tab has changed something. */
export function openUnsentDisk(
  userId: string,
  store: Store,
  onChange: () => void,
): UnsentDisk & { close(): void } {
  const prefix = userId + UNSENT_FOLDER;
  const others = new BroadcastChannel(`unsent ${userId}`);
  others.onmessage = onChange;
  let isOpen = true;
  const tell = () => {
    if (isOpen) others.postMessage(null);
  };
  return {
    close: () => {
      isOpen = false;
      others.close();
    },
    load: async () =>
      (await entries<string, unknown>(store)).flatMap(([key, row]) =>
        key.startsWith(prefix) && isReadable(key, row) ? [row] : [],
      ),
    put: (row) => set(prefix + row.id, row, store).then(tell),
    remove: (id) => del(prefix + id, store).then(tell),
  };
}

/**
 * Removes what another version has stored and this one does not understand. Returns how many changes that were, so that the
 * person is told.
 */
export async function dropUnreadable(userId: string, store: Store): Promise<number> {
  let count = 0;
  for (const [key, row] of await entries<string, unknown>(store)) {
    if (!key.startsWith(`${userId}/`) || key === `${userId}/pages`) continue;
    if (isReadable(key, row)) continue;
    count += key.startsWith(`${userId}/queue/`) ? changesInQueue(row) : 1;
    await del(key, store);
  }
  return count;
}

/** Another version may have stored anything. A row under another name would be sent again and again. */
function isReadable(key: string, row: unknown): row is StoredChange {
  if (!isRecord(row)) return false;
  const { id, kind, version, userId, ofId, title, before, mine, attempts, question } = row;
  return (
    key === `${userId}${UNSENT_FOLDER}${id}` &&
    typeof kind === "string" &&
    CHANGE_VERSIONS[kind as keyof typeof CHANGE_VERSIONS] === version &&
    version !== undefined &&
    [id, ofId, title].every((text) => typeof text === "string") &&
    [before, mine].every(areColumns) &&
    Object.keys(mine as object).length > 0 &&
    typeof attempts === "number" &&
    (question === undefined || isQuestion(question))
  );
}

function isQuestion(question: unknown): boolean {
  return (
    isRecord(question) &&
    (question.theirs === undefined || areColumns(question.theirs)) &&
    (question.refusal === undefined || typeof question.refusal === "string")
  );
}

function areColumns(values: unknown): boolean {
  return isRecord(values) && Object.values(values).every((value) => !isRecord(value) && value !== undefined);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Up to November 2026 the unsent changes of a tab were one entry. */
function changesInQueue(entry: unknown): number {
  try {
    return JSON.parse(String(entry)).clientState.mutations.length;
  } catch {
    return 1;
  }
}
