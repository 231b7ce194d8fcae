import { useSyncExternalStore } from "react";
import { live } from "./use-row-changes.ts";

function listen(listener: () => void): () => void {
  live.listeners.add(listener);
  return () => live.listeners.delete(listener);
}

/** Whether changes of the person's rows arrive by themselves. Only while they do not, a page asks for them at intervals. */
export function useIsLive(): boolean {
  return useSyncExternalStore(
    listen,
    () => live.channels.size > 0,
    () => false,
  );
}
