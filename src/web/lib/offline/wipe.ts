import { readStored, store } from "../browser/storage.ts";
import { STORAGE_KEYS } from "../site/constants.ts";

export const OFFLINE_DATABASE = "sereno-offline";
export const OFFLINE_TABLE = "kept";
/** Below the account, in the names of changes that are not saved. */
export const UNSENT_FOLDER = "/change/";

/** Remembers that something is stored, so that a guest's page need not look. */
export function noteOfflineData(hasData: boolean): void {
  store(STORAGE_KEYS.offlineData, hasData ? "true" : "");
}

/**
 * For a page that has not opened the store, e.g. after the session was ended elsewhere. The database is emptied and not
 * deleted, because deleting would wait for other tabs, and opening it again would wait for that. `onUnsent` is called if a change
 * was lost with it.
 */
export function wipeOfflineData(onUnsent: () => void): void {
  if (readStored(STORAGE_KEYS.offlineData) !== "true") return;
  const opening = indexedDB.open(OFFLINE_DATABASE);
  opening.onupgradeneeded = () => opening.result.createObjectStore(OFFLINE_TABLE);
  opening.onsuccess = () => {
    const emptying = opening.result.transaction(OFFLINE_TABLE, "readwrite");
    const table = emptying.objectStore(OFFLINE_TABLE);
    const names = table.getAllKeys();
    table.clear();
    emptying.oncomplete = () => {
      opening.result.close();
      noteOfflineData(false);
      if (names.result.some((name) => String(name).includes(UNSENT_FOLDER))) onUnsent();
    };
  };
}
