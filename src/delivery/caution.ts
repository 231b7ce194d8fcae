/** How much more slowly than usual is sent since Telegram last asked for it. */
export interface Caution {
  /** The step it had come to then. */
  readonly caution: number;
  readonly floodedAtMs: number | null;
}

export const NO_CAUTION: Caution = { caution: 0, floodedAtMs: null };

const MOST = 6;
/** Telegram's limits move and are not told: what was too much is tried again, but not soon. */
const EASE_MS = 10 * 60_000;

/** The step that still holds: one is given back every ten minutes. */
export function cautionAt({ caution, floodedAtMs }: Caution, nowMs: number): number {
  if (floodedAtMs === null) return 0;
  return Math.max(0, caution - Math.floor(Math.max(0, nowMs - floodedAtMs) / EASE_MS));
}

export function moreCautious(known: Caution, nowMs: number): Caution {
  return { caution: Math.min(MOST, cautionAt(known, nowMs) + 1), floodedAtMs: nowMs };
}
