// Reads from PostgreSQL's log the text of every statement it ran or refused, and looks for what must not be in it.
import { CANARY } from "./values.ts";

/** Of the server; values are left out of what it logs with a statement. */
export const STATEMENTS_LOGGED = { log_statement: "all", log_parameter_max_length: "0" };

const ENTRY = /^\d{4}-\d\d-\d\d \S+ \S+ \[\d+\] ([A-Z]+):/;
/** The other kinds say what is wrong with a value, and repeat it. */
const STATEMENTS = new Set(["LOG", "STATEMENT"]);

export function createStatementLog() {
  let isStatement = false;
  let entry = "";
  const log = {
    /** Entries that name a table of ours. */
    count: 0,
    withCanary: [] as string[],
    onLog: (line: string) => {
      const [, kind] = ENTRY.exec(line) ?? [];
      // What has no kind continues the entry before it.
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
