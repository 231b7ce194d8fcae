import { useSyncExternalStore } from "react";
import type { LoadFailure } from "./reason-of-failure.ts";

/** What keeps the next page from being shown, by what is being loaded. */
const failures = new Map<string, LoadFailure>();
const listeners = new Set<() => void>();

export function setPageFailure(load: string, reason: LoadFailure | null): void {
  if (reason === null) failures.delete(load);
  else failures.set(load, reason);
  for (const listener of [...listeners]) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function usePageFailure(): LoadFailure | null {
  return useSyncExternalStore(
    subscribe,
    () => failures.values().next().value ?? null,
    () => null,
  );
}
