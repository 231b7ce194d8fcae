// Where the time of a run went, by component and kind, compared with the budgets.
import { readFileSync, writeFileSync } from "node:fs";
import type { FileTime, Kind } from "./tally.ts";

export interface ComponentTime {
  kind: Kind;
  component: string;
  seconds: number;
  /** Undefined if the component is new. */
  budgetS: number | undefined;
  isOver: boolean;
}

export interface Times {
  rows: ComponentTime[];
  /** How much slower than the budgets' machine this one was, by kind. */
  slowness: Partial<Record<Kind, number>>;
}

type Budgets = Partial<Record<Kind, Record<string, number>>>;

/** Seconds of all workers together on two quiet cores. `UPDATE_BUDGETS=1 npm test` writes what the run took. */
const BUDGETS = "scripts/check/budgets.json";

const ALLOWED = 1.5;
/** The time of a small component is mostly chance. */
const LEAST_BUDGET_S = 15;

/** `src/web` of `src/web/lib/a.test.ts`, `e2e/finds`, `scripts`; the name of a check. */
export function componentOf({ kind, file }: Pick<FileTime, "kind" | "file">): string {
  if (kind === "checks") return file;
  const [first = "", second = "", ...rest] = file.split("/");
  return (first === "src" || first === "e2e") && rest.length > 0 ? `${first}/${second}` : first;
}

/**
 * The budgets are seconds on two quiet cores. A slower or busier machine stretches all components of a kind, which run at
 * the same time, by about the same factor: the median of their ratios. A component is over its budget if it took half as
 * much again as this factor explains. Measuring a fixed loop at the start would not do: the load changes during a run, and
 * processor time would miss PostgreSQL, the browser and what waits. On a quicker machine the budgets stay as they are.
 * What makes all components of a kind slower at once looks like a slow machine; the limit of the workflow's job is for that.
 */
export function timesOf(
  files: readonly FileTime[],
  budgets: Budgets = JSON.parse(readFileSync(BUDGETS, "utf8")),
): Times {
  const slowness: Times["slowness"] = {};
  const rows: ComponentTime[] = [];
  for (const [kind, ofKind] of Object.entries(Object.groupBy(files, (file) => file.kind)) as [
    Kind,
    FileTime[],
  ][]) {
    const seconds = new Map<string, number>();
    for (const file of ofKind) {
      const name = componentOf(file);
      seconds.set(name, (seconds.get(name) ?? 0) + file.durationMs / 1000);
    }
    const budgetOf = (name: string) => budgets[kind]?.[name];
    const factor = slownessOf([...seconds].map(([name, taken]) => [taken, budgetOf(name) ?? 0]));
    slowness[kind] = factor;
    for (const [component, taken] of seconds) {
      const budgetS = budgetOf(component);
      const allowed = Math.max(budgetS ?? 0, LEAST_BUDGET_S) * ALLOWED * factor;
      // Without any budget the kind has not been measured yet.
      rows.push({ kind, component, seconds: taken, budgetS, isOver: kind in budgets && taken > allowed });
    }
  }
  return { rows: rows.sort((one, other) => other.seconds - one.seconds), slowness };
}

function slownessOf(pairs: readonly (readonly [seconds: number, budgetS: number])[]): number {
  const ratios = pairs
    .filter(([, budgetS]) => budgetS >= LEAST_BUDGET_S)
    .map(([seconds, budgetS]) => seconds / budgetS)
    .sort((one, other) => one - other);
  return Math.max(1, ratios[Math.floor((ratios.length - 1) / 2)] ?? 1);
}

export function describeTimes({ rows, slowness }: Times): string {
  const lines = Object.entries(Object.groupBy(rows, ({ kind }) => kind)).flatMap(([kind, ofKind = []]) => {
    const factor = slowness[kind as Kind] ?? 1;
    const total = ofKind.reduce((sum, { seconds }) => sum + seconds, 0);
    const head = `Time of ${kind}: ${total.toFixed(0)} s in all workers${factor > 1 ? `, on a machine ${factor.toFixed(1)} times as slow as the budgets'` : ""}`;
    const own = ofKind.map(({ component, seconds, budgetS, isOver }) => {
      const budget = budgetS === undefined ? "no budget" : `budget ${budgetS} s`;
      return `${isOver ? "✗" : " "} ${seconds.toFixed(1).padStart(7)} s  ${component} (${budget})`;
    });
    return [head, ...own];
  });
  const over = rows.filter(({ isOver }) => isOver);
  const told = over.map(
    ({ kind, component }) =>
      `✗ ${component} (${kind}) took more than half as much again as its budget in ${BUDGETS}`,
  );
  return [...lines, ...told].join("\n");
}

export function keepBudgets({ rows }: Times): void {
  const budgets: Budgets = {};
  for (const { kind, component, seconds } of rows.toSorted((one, other) =>
    one.component.localeCompare(other.component),
  ))
    budgets[kind] = { ...budgets[kind], [component]: Math.ceil(seconds) };
  writeFileSync(BUDGETS, `${JSON.stringify(budgets, null, 2)}\n`);
}
