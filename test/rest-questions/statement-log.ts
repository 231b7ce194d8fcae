// Reads every statement from PostgreSQL's log and searches it for forbidden text.
import { CANARY } from "./values.ts";

/** Server settings: log all statements, without parameter values. */
export const STATEMENTS_LOGGED = { log_statement: "all", log_parameter_max_length: "0" };

const ENTRY = /^\d{4}-\d\d-\d\d \S+ \S+ \[\d+\] ([A-Z]+):/;
/** Other kinds of entries repeat invalid values. */
const STATEMENTS = new Set(["LOG", "STATEMENT"]);

export function createStatementLog() {
  let isStatement = false;
  let entry = "";
  const log = {
    /** Entries that name one of our tables. */
    count: 0,
    withCanary: [] as string[],
    onLog: (line: string) => {
      const [, kind] = ENTRY.exec(line) ?? [];
      // A line without a kind continues the previous entry.
      if (kind !== undefined) {
        isStatement = STATEMENTS.has(kind);
        entry = "";
      }
      if (!isStatement) return;
      if (entry === "" && line.includes("public.")) log.count += 1;
      entry += line;
      if (CANARY.test(entry)) log.withCanary.push(entry);
    },
  };
  return log;
}
