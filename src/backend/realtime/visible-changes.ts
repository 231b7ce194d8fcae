// Which of some changes one person may see. A row that still stands is read again under that person's role and
// claims, so row-level security itself decides. A row that is gone is put to the table's policies by gone-rows.ts.
import type { Sql, TransactionSql } from "postgres";
import { type Change, jsonRecordOf } from "./change.ts";
import type { FilterCondition } from "./filter.ts";
import { matchesSql } from "./filter-matches.ts";
import { checkGoneRows, type GoneRow, prepareGoneCheck } from "./gone-rows.ts";
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
  const [first] = changes;
  if (!first) return new Map();
  return sql.begin("read only", async (transaction) => {
    const shape = await findTableShape(transaction, { ...first, role: identity.role });
    if (!shape || !isKeyReadable(shape)) return new Map();
    const numbered = changes.map((change, number) => ({ change, number }));
    const gone = goneRowsOf(shape, numbered);
    await prepareGoneCheck(transaction, { shape, filters, gone });
    await actAs(transaction, identity);
    const visible = await readStanding(transaction, { shape, filters }, numbered);
    for (const [number, { matches, goneJson }] of await checkGoneRows(transaction, gone)) {
      const oldRecord = keyOf(shape, goneJson);
      const standing = visible.get(number);
      if (standing) standing.oldRecord = oldRecord;
      else if (changes[number]?.type === "DELETE") {
        visible.set(number, { columns: columnsOf(shape), record: undefined, oldRecord, matches });
      }
    }
    return visible;
  });
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

async function readStanding(
  transaction: TransactionSql,
  { shape, filters }: { shape: TableShape; filters: readonly FilterCondition[][] },
  changes: readonly NumberedChange[],
): Promise<Map<number, VisibleChange>> {
  const standing = changes.filter(({ change }) => change.type !== "DELETE" && change.rowJson !== undefined);
  if (standing.length === 0) return new Map();
  // Joined as text, so that no number in them is rounded.
  const parameters = [`[${standing.map(({ change }) => change.rowJson).join(",")}]`];
  const bind = (value: string) => `$${parameters.push(value)}::text`;
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
  const found = rows.flatMap(({ number, record, matches }): [number, VisibleChange][] => {
    const asked = standing[number];
    if (!asked) return [];
    const oldRecord = asked.change.type === "UPDATE" ? unchangedKeyOf(shape, asked.change) : undefined;
    return [[asked.number, { columns: columnsOf(shape), record, oldRecord, matches }]];
  });
  return new Map(found);
}

/** Deleted rows, and the former selves of rows of which more changed than the eye of the policies can miss. */
function goneRowsOf(shape: TableShape, changes: readonly NumberedChange[]): GoneRow[] {
  return changes.flatMap(({ change, number }) => {
    const goneJson = change.type === "DELETE" ? change.rowJson : change.oldRowJson;
    return goneJson !== undefined && tellsPolicyColumns(shape, goneJson) ? [{ number, goneJson }] : [];
  });
}

function tellsPolicyColumns(shape: TableShape, rowJson: string): boolean {
  const row = jsonRecordOf(rowJson);
  return shape.policyColumns.every((column) => Object.hasOwn(row, column));
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

function isKeyReadable(shape: TableShape): boolean {
  const keys = shape.columns.filter((column) => column.isKey);
  return keys.length > 0 && keys.every((column) => column.isReadable);
}

function columnsOf(shape: TableShape): VisibleChange["columns"] {
  return shape.columns
    .filter((column) => column.isReadable)
    .map(({ name, typeName }) => ({ name, type: typeName }));
}
