import type { Kind } from "./tally.ts";

/** Seconds of all workers together, on two quiet cores, by component. `npm test` prints what each took. */
export const BUDGETS_S: Record<Kind, Record<string, number>> = {
  checks: {},
  unit: {},
  database: {},
  browser: {},
};
