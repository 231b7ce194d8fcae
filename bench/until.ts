import { setTimeout as wait } from "node:timers/promises";

/** Whether it came to be so while there was patience. */
export async function until(isSo: () => Promise<boolean> | boolean, patienceMs: number): Promise<boolean> {
  const end = Date.now() + patienceMs;
  while (Date.now() < end) {
    if (await isSo()) return true;
    await wait(200);
  }
  return false;
}
