const WINDOW_MS = 60_000;
const MESSAGES_A_WINDOW = 20;
/** More than speak to the bot in a minute; the oldest are forgotten first. */
const REMEMBERED = 10_000;

export type Admission = "welcome" | "enough" | "silence";

/** Twenty things a minute from one person or chat; then one word that it was enough, then nothing. */
export function createInboundLimit(now: () => number): (who: string) => Admission {
  const windows = new Map<string, { endsAt: number; count: number }>();
  return (who) => {
    const at = now();
    const known = windows.get(who);
    const window = known && known.endsAt > at ? known : { endsAt: at + WINDOW_MS, count: 0 };
    window.count += 1;
    windows.delete(who);
    windows.set(who, window);
    const [oldest] = windows.keys();
    if (windows.size > REMEMBERED && oldest !== undefined) windows.delete(oldest);
    if (window.count <= MESSAGES_A_WINDOW) return "welcome";
    return window.count === MESSAGES_A_WINDOW + 1 ? "enough" : "silence";
  };
}
