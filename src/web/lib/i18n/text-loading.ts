import { useSyncExternalStore } from "react";

const listeners = new Set<() => void>();
let isLoading = false;

/** The page waits for a translation before it changes, through all retries: whoever pressed should see that it does. */
export function showTextLoading(isLoadingNow: boolean): void {
  if (isLoading === isLoadingNow) return;
  isLoading = isLoadingNow;
  for (const listener of listeners) listener();
}

export function useTextLoading(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => isLoading,
    () => false,
  );
}
