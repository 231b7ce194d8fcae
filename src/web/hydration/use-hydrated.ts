import { useSyncExternalStore } from "react";

/** False for the prerendered page and its first render in the browser, which must be alike; true from then on. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    () => () => undefined,
    () => true,
    () => false,
  );
}
