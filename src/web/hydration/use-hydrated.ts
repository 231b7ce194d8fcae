import { useSyncExternalStore } from "react";

/** False when prerendering and in the first render in the browser, which must be equal; then true. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    () => () => undefined,
    () => true,
    () => false,
  );
}
