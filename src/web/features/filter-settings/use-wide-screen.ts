import { useSyncExternalStore } from "react";

const WIDE = "(min-width: 40rem)";

/** Wider than a phone held upright, which cannot scan its own screen. */
export function useWideScreen(): boolean {
  return useSyncExternalStore(
    (listener) => {
      const query = window.matchMedia(WIDE);
      query.addEventListener("change", listener);
      return () => query.removeEventListener("change", listener);
    },
    () => window.matchMedia(WIDE).matches,
    () => false,
  );
}
