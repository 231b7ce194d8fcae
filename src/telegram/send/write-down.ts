import type { Sql } from "postgres";
import { withTimeout } from "#platform/timing.ts";
import type { Clock } from "./clock.ts";
import type { Write } from "./record-outcome.ts";

interface WriteOptions {
  readonly sql: Sql;
  readonly clock: Clock;
  /** Asked after each failure; a process that is asked to end has less time. */
  readonly untilMs: () => number;
  readonly onFailure: (error: unknown) => void;
}

const ANSWER_MS = 10_000;
const RETRY_MS = 500;

/** Tries until the database has all of it: what was sent and not written down would be sent again. */
export async function writeDown(writes: readonly Write[], options: WriteOptions): Promise<void> {
  const { sql, clock, untilMs, onFailure } = options;
  const writeAll = async () => {
    for (const write of writes) await write(sql);
  };
  for (;;) {
    try {
      await withTimeout(ANSWER_MS, writeAll());
      return;
    } catch (error) {
      onFailure(error);
      if (clock.now() > untilMs()) return;
      await new Promise<void>((resolve) => clock.after(RETRY_MS, resolve));
    }
  }
}
