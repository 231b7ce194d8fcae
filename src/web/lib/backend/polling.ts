import { isTemporary } from "./supabase.ts";

const AGAIN_MS = 10_000;

interface Asked {
  state: { error: Error | null };
}

/** How often a question is repeated by itself. One without an answer recovers when the server is back. */
export function every(ms: number | false): (question: Asked) => number | false {
  return ({ state }) => (isTemporary(state.error) ? AGAIN_MS : ms);
}
