import { setTimeout as wait } from "node:timers/promises";

/** Polls until the condition holds; false after the timeout. */
export async function until(holds: () => Promise<boolean>, timeoutMs: number): Promise<boolean> {
  const end = Date.now() + timeoutMs;
  while (Date.now() < end) {
    if (await holds()) return true;
    await wait(200);
  }
  return false;
}
