const WINDOW_MS = 60_000;
const MESSAGES_A_WINDOW = 20;
/** More than the senders in a minute. The oldest are forgotten first. */
const REMEMBERED = 10_000;

export type Admission = "admitted" | "over-limit" | "ignored";

/** Admits twenty messages a minute per key. The first one above the limit is answered with a notice, the others are ignored. */
export function createInboundLimit(now: () => number): (key: string) => Admission {
  const windows = new Map<string, { endsAt: number; count: number }>();
  return (key) => {
    const at = now();
    const known = windows.get(key);
    const window = known && known.endsAt > at ? known : { endsAt: at + WINDOW_MS, count: 0 };
    window.count += 1;
    windows.delete(key);
    windows.set(key, window);
    const [oldest] = windows.keys();
    if (windows.size > REMEMBERED && oldest !== undefined) windows.delete(oldest);
    if (window.count <= MESSAGES_A_WINDOW) return "admitted";
    return window.count === MESSAGES_A_WINDOW + 1 ? "over-limit" : "ignored";
  };
}
