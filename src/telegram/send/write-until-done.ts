import type { Sql } from "postgres";
import { withTimeout } from "#platform/timing.ts";
import type { Clock } from "./clock.ts";

/** Can be repeated until it succeeds: counters and random delays are computed once, before the first try. */
export type Write = (sql: Sql) => Promise<void>;

interface WriteOptions {
  readonly sql: Sql;
  readonly clock: Clock;
  /** Called after each failure, because a stopping process has less time. */
  readonly untilMs: () => number;
  readonly onFailure: (error: unknown) => void;
}

const ANSWER_MS = 10_000;
const RETRY_MS = 500;

/** Retries until the database accepts all writes: a message whose outcome is not recorded would be sent again. */
export async function writeUntilDone(writes: readonly Write[], options: WriteOptions): Promise<void> {
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
