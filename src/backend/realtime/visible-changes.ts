// Which of some changes one person may see. A row that still stands is read again under that person's role and
// claims, so row-level security itself decides. A row that is gone cannot be read; the table's read policies are
// put to the columns the trigger told of it, under the same role and claims. What cannot be decided is not shown.
import type { Sql, TransactionSql } from "postgres";
import { type Change, jsonRecordOf } from "./change.ts";
import { type FilterCondition, filterSql } from "./filter.ts";
import type { Identity } from "./identity.ts";
import { findTableShape, quotedName, quotedTable, type TableShape } from "./table-shape.ts";

export type VisibleChange = {
  columns: { name: string; type: string }[];
  /** Undefined for a row that is gone. */
  record: Record<string, unknown> | undefined;
  /** The key before the change, if this person could see the row then. Undefined on INSERT. */
  oldRecord: Record<string, unknown> | undefined;
  /** For each filter asked about, in order. */
  matches: boolean[];
};

export type VisibilityQuestion = {
  /** All of one table. */
  changes: readonly Change[];
  /** The filters whose answer is wanted. */
  filters: readonly FilterCondition[][];
};

/** The visible ones, by their place in `changes`. */
export async function findVisibleChanges(
  sql: Sql,
  identity: Identity,
  { changes, filters }: VisibilityQuestion,
): Promise<Map<number, VisibleChange>> {
  const visible = new Map<number, VisibleChange>();
  const [first] = changes;
  if (!first) return visible;
  await sql.begin("read only", async (transaction) => {
    const shape = await findTableShape(transaction, { ...first, role: identity.role });
    if (!shape || !isKeyReadable(shape)) return;
    await actAs(transaction, identity);
    const reading = { transaction, shape, filters, visible };
    const numbered = changes.map((change, number) => ({ change, number }));
    await readStanding(reading, numbered);
    await checkGone(reading, numbered);
  });
  return visible;
}

/** For the rest of the transaction, with the settings PostgREST makes. */
export async function actAs(transaction: TransactionSql, identity: Identity): Promise<void> {
  await transaction`
    select
      set_config('statement_timeout', '5s', true),
      set_config('request.jwt.claims', ${identity.claimsJson}, true),
      set_config('request.jwt.claim.sub', ${identity.userId ?? ""}, true),
      set_config('request.jwt.claim.role', ${identity.role}, true),
      set_config('role', ${identity.role}, true)`;
}

type NumberedChange = { change: Change; number: number };

type Reading = {
  transaction: TransactionSql;
  shape: TableShape;
  filters: readonly FilterCondition[][];
  visible: Map<number, VisibleChange>;
};

async function readStanding({ transaction, shape, filters, visible }: Reading, ofTable: NumberedChange[]) {
  const standing = ofTable.filter(({ change }) => change.type !== "DELETE" && change.rowJson !== undefined);
  if (standing.length === 0) return;
  const { parameters, bind } = createParameters(standing.map(({ change }) => change.rowJson));
  const readable = shape.columns.filter((column) => column.isReadable);
  const selected = readable.map(({ name }) => `present.${quotedName(name)}`).join(", ");
  const isSameKey = shape.columns
    .filter((column) => column.isKey)
    .map(({ name }) => `present.${quotedName(name)} = told.${quotedName(name)}`)
    .join(" and ");
  const rows = await transaction.unsafe<
    { number: number; record: Record<string, unknown>; matches: boolean[] }[]
  >(
    `select
       (change.number - 1)::int as number,
       (select to_jsonb(picked) from (select ${selected}) as picked) as record,
       ${matchesSql(shape, filters, { alias: "present", bind })} as matches
     from jsonb_array_elements($1::text::jsonb) with ordinality as change (told_row, number)
     cross join lateral jsonb_populate_record(null::${quotedTable(shape)}, change.told_row) as told
     join ${quotedTable(shape)} as present on ${isSameKey}`,
    parameters,
  );
  for (const { number, record, matches } of rows) {
    const asked = standing[number];
    if (!asked) continue;
    const isUpdate = asked.change.type === "UPDATE";
    const oldRecord = isUpdate ? unchangedKeyOf(shape, asked.change) : undefined;
    visible.set(asked.number, { columns: columnsOf(shape), record, oldRecord, matches });
  }
}

/** Deleted rows, and the former selves of rows whose key was changed. */
async function checkGone({ transaction, shape, filters, visible }: Reading, ofTable: NumberedChange[]) {
  const gone = ofTable
    .map(({ change, number }) => ({ change, number, goneJson: goneRowOf(change, visible.get(number)) }))
    .filter(({ goneJson }) => goneJson !== undefined && tellsPolicyColumns(shape, goneJson));
  if (gone.length === 0) return;
  const { parameters, bind } = createParameters(gone.map(({ goneJson }) => goneJson));
  // The policies name the table's columns bare, or by the table's name inside a subquery.
  const alias = quotedName(shape.table);
  const tellings = gone.map(({ goneJson }) => jsonRecordOf(goneJson ?? ""));
  const isTold = (column: string) => tellings.every((telling) => Object.hasOwn(telling, column));
  const rows = await transaction.unsafe<{ number: number; matches: boolean[] }[]>(
    `select
       ("realtime change"."change number" - 1)::int as number,
       ${matchesSql(shape, filters, { alias, bind, isTold })} as matches
     from jsonb_array_elements($1::text::jsonb) with ordinality as "realtime change" ("told row", "change number")
     cross join lateral jsonb_populate_record(null::${quotedTable(shape)}, "realtime change"."told row") as ${alias}
     where ${shape.policySql}`,
    parameters,
  );
  for (const { number, matches } of rows) {
    const asked = gone[number];
    if (!asked) continue;
    const oldRecord = keyOf(shape, asked.goneJson ?? "");
    const standing = visible.get(asked.number);
    if (standing) standing.oldRecord = oldRecord;
    else visible.set(asked.number, { columns: columnsOf(shape), record: undefined, oldRecord, matches });
  }
}

function goneRowOf(change: Change, standing: VisibleChange | undefined): string | undefined {
  if (change.type === "DELETE") return change.rowJson;
  return standing && change.oldRowJson;
}

function matchesSql(
  shape: TableShape,
  filters: readonly FilterCondition[][],
  {
    alias,
    bind,
    isTold,
  }: { alias: string; bind: (value: string) => string; isTold?: (column: string) => boolean },
): string {
  const answers = filters.map((conditions) =>
    conditions.map((condition) => conditionSql(shape, condition, { alias, bind, isTold })).join(" and "),
  );
  return `to_jsonb(array[${answers.map((answer) => answer || "true").join(", ")}]::boolean[])`;
}

export function conditionSql(
  shape: TableShape,
  condition: FilterCondition,
  {
    alias,
    bind,
    isTold,
  }: { alias: string; bind: (value: string) => string; isTold?: ((column: string) => boolean) | undefined },
): string {
  const column = shape.columns.find(({ name }) => name === condition.column);
  if (!column?.isReadable || (isTold && !isTold(column.name))) return "false";
  return filterSql(condition, {
    target: `${alias}.${quotedName(column.name)}`,
    sqlType: column.sqlType,
    bind,
  });
}

/** The first parameter holds the rows, joined as text so that no number in them is rounded. */
function createParameters(rows: (string | undefined)[]) {
  const parameters = [`[${rows.join(",")}]`];
  return { parameters, bind: (value: string) => `$${parameters.push(value)}` };
}

function unchangedKeyOf(shape: TableShape, change: Change): Record<string, unknown> {
  const key = keyOf(shape, change.rowJson ?? "");
  if (change.oldRowJson === undefined) return key;
  const oldKey = keyOf(shape, change.oldRowJson);
  return JSON.stringify(key) === JSON.stringify(oldKey) ? key : {};
}

function keyOf(shape: TableShape, rowJson: string): Record<string, unknown> {
  const row = jsonRecordOf(rowJson);
  const keys = shape.columns.filter((column) => column.isKey);
  return Object.fromEntries(keys.map(({ name }) => [name, row[name]]));
}

function tellsPolicyColumns(shape: TableShape, rowJson: string | undefined): boolean {
  const row = jsonRecordOf(rowJson ?? "");
  return shape.policyColumns.every((column) => Object.hasOwn(row, column));
}

function isKeyReadable(shape: TableShape): boolean {
  const keys = shape.columns.filter((column) => column.isKey);
  return keys.length > 0 && keys.every((column) => column.isReadable);
}

function columnsOf(shape: TableShape): VisibleChange["columns"] {
  return shape.columns
    .filter((column) => column.isReadable)
    .map(({ name, typeName }) => ({ name, type: typeName }));
}
