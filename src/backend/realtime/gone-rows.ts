// Whether a person could see a row that is no longer there. It cannot be read, so the table's read policies are
// asked about the columns the trigger told of it, under that person's role and claims. What cannot be decided so
// is not shown. (Hosted Realtime tells everyone subscribed to a table of its deleted keys.)
//
// The question is prepared with our own rights and executed with theirs: policies may name functions in schemas
// that their role cannot look into, as row-level security allows.
import type { TransactionSql } from "postgres";
import { jsonRecordOf } from "./change.ts";
import type { FilterCondition } from "./filter.ts";
import { matchesSql } from "./filter-matches.ts";
import { quotedName, quotedTable, type TableShape } from "./table-shape.ts";

export type GoneRow = { number: number; goneJson: string };

const statementName = "realtime_gone_rows";

/** Run before the role is taken on. */
export async function prepareGoneCheck(
  transaction: TransactionSql,
  { shape, filters, gone }: { shape: TableShape; filters: readonly FilterCondition[][]; gone: GoneRow[] },
): Promise<void> {
  if (gone.length === 0) return;
  const tellings = gone.map(({ goneJson }) => jsonRecordOf(goneJson));
  const isTold = (column: string) => tellings.every((telling) => Object.hasOwn(telling, column));
  const values: string[] = [];
  // EXECUTE takes no parameters of the protocol; settings carry them, and nothing is quoted by hand.
  const bind = (value: string) => `(current_setting('realtime.values')::jsonb ->> ${values.push(value) - 1})`;
  // The policies name the table's columns bare, or by the table's name inside a subquery.
  const alias = quotedName(shape.table);
  const question = `
    select
      ("realtime gone"."gone number" - 1)::int as number,
      ${matchesSql(shape, filters, { alias, bind, isTold })} as matches
    from jsonb_array_elements(current_setting('realtime.gone_rows')::jsonb)
      with ordinality as "realtime gone" ("gone row", "gone number")
    cross join lateral jsonb_populate_record(null::${quotedTable(shape)}, "realtime gone"."gone row") as ${alias}
    where ${shape.policySql}`;
  // A prepared statement outlives a transaction that failed.
  const [leftover] = await transaction`select from pg_prepared_statements where name = ${statementName}`;
  if (leftover) await transaction.unsafe(`deallocate ${statementName}`);
  await transaction.unsafe(`prepare ${statementName} as ${question}`);
  await transaction`
    select
      set_config('realtime.gone_rows', ${`[${gone.map(({ goneJson }) => goneJson).join(",")}]`}, true),
      set_config('realtime.values', ${JSON.stringify(values)}, true)`;
}

/** Those the person could see, by their number. Run in the person's role. */
export async function checkGoneRows(
  transaction: TransactionSql,
  gone: readonly GoneRow[],
): Promise<Map<number, { matches: boolean[]; goneJson: string }>> {
  if (gone.length === 0) return new Map();
  const rows = await transaction.unsafe<{ number: number; matches: boolean[] }[]>(`execute ${statementName}`);
  const found = rows.flatMap(({ number, matches }): [number, { matches: boolean[]; goneJson: string }][] => {
    const asked = gone[number];
    return asked ? [[asked.number, { matches, goneJson: asked.goneJson }]] : [];
  });
  return new Map(found);
}
