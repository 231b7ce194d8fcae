import { setTimeout as wait } from "node:timers/promises";

/** Polls until the condition holds; false after the timeout. */
export async function until(
  holds: () => boolean | Promise<boolean>,
  timeoutMs: number,
  everyMs = 200,
): Promise<boolean> {
  const end = performance.now() + timeoutMs;
  while (performance.now() < end) {
    if (await holds()) return true;
    await wait(everyMs);
  }
  return false;
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export const milliseconds = (value: number) => `${value.toFixed(1)} ms`;
export const seconds = (ms: number) => Number((ms / 1000).toFixed(2));

/** A table for results.md. */
export function tableOf(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

export const listOf = (counts: ReadonlyMap<string, number>) =>
  [...counts].map(([what, times]) => `${times} × ${what}`).join(", ");

/** Of JavaScript objects and buffers, after a garbage collection if `--expose-gc` was given. */
export function usedBytes(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers;
}

/** Ends with exit code 1 unless the target is met. */
export function judge(target: string, isMet: boolean): void {
  console.log(`Target: ${target}. ${isMet ? "Met." : "MISSED."}`);
  if (!isMet) process.exitCode = 1;
}
