/** A step of planning that throws is set aside and tried again in growing steps, while the other steps and all checks go on. */
import type { Sql } from "postgres";
import type { Logger } from "#core/ports/logger.ts";
import { isLost } from "#platform/database/in-transaction.ts";
import { readmit, readSetAside, setAside } from "../rows/quarantine.ts";

/** Returns whether the step was run and did not throw. */
export type AttemptPlan = (subject: string, run: () => Promise<unknown>) => Promise<boolean>;

export function createPlanAttempts({
  sql,
  now,
  logger,
}: {
  readonly sql: Sql;
  readonly now: () => number;
  readonly logger: Logger;
}): AttemptPlan {
  /** Of before this process started, too. */
  const mayBeSetAside = new Map<string, boolean>();
  return async (subject, run) => {
    const at = new Date(now());
    const mayBe = mayBeSetAside.get(subject) ?? true;
    if (mayBe && (await readSetAside(sql, "plan", [subject], at)).has(subject)) return false;
    try {
      await run();
    } catch (error) {
      if (isLost(error)) throw error;
      mayBeSetAside.set(subject, true);
      const nextTryAt = await setAside(sql, { kind: "plan", subject, error }, at);
      logger.error({ err: error, plan: subject, nextTryAt }, "a step of planning failed and is set aside");
      return false;
    }
    if (mayBe) await readmit(sql, "plan", [subject]);
    mayBeSetAside.set(subject, false);
    return true;
  };
}
