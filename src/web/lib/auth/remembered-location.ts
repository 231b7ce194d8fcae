/** History state of the home page for a guest who was sent there from a protected page. */
export interface RememberedState {
  from: string;
}

export function rememberedLocation(state: unknown): string | null {
  if (typeof state !== "object" || state === null || !("from" in state)) return null;
  const { from } = state;
  return typeof from === "string" && /^\/(?!\/)/.test(from) ? from : null;
}
