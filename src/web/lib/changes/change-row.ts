/**
 * The one way to change a row. The condition of the update is what the person saw, so the server decides and writes in one
 * statement. If no row fits, the change is tried over what is saved now, or refused.
 */
import { authDataOf, codeOf, dataOf, loadSupabase, type Supabase } from "../backend/supabase.ts";
import {
  ChangedElsewhere,
  type ChangeKind,
  type ColumnValue,
  type ColumnValues,
  DeletedElsewhere,
  isSameValue,
  isSet,
  type RowChange,
  rebased,
} from "./change.ts";

interface ChangedTable {
  readonly table: string;
  readonly keyOf: (change: RowChange) => Readonly<Record<string, string>>;
  /** The row may not exist yet: then nothing was chosen. */
  readonly isAddedWith?: ColumnValues;
  readonly hasUpdatedAt?: boolean;
  /** Lists in other columns are arrays of text. */
  readonly jsonColumns?: readonly string[];
}

const TABLES: Readonly<Record<Exclude<ChangeKind, "mark" | "note">, ChangedTable>> = {
  search: {
    table: "searches",
    keyOf: ({ ofId }) => ({ id: ofId }),
    hasUpdatedAt: true,
    jsonColumns: ["rules"],
  },
  place: { table: "own_places", keyOf: ({ ofId }) => ({ id: ofId }) },
  settings: {
    table: "find_settings",
    keyOf: ({ userId }) => ({ user_id: userId }),
    isAddedWith: { hidden_warnings: [], who: null, job: null, moving_from: null, about: null },
    hasUpdatedAt: true,
  },
  profile: { table: "profiles", keyOf: ({ userId }) => ({ id: userId }) },
  chat: { table: "chats", keyOf: ({ userId, ofId }) => ({ user_id: userId, chat_id: ofId }) },
};

const MOST_ATTEMPTS = 5;

/**
 * Returns the changed fields as they are saved now. Rejects with `ChangedElsewhere` or `DeletedElsewhere`, and with what the
 * server says.
 */
export async function changeRow(change: RowChange): Promise<ColumnValues> {
  const supabase = await loadSupabase();
  const { kind, mine } = change;
  if (kind !== "mark" && kind !== "note" && (kind !== "profile" || mine.full_name === undefined))
    return changeTable(supabase, TABLES[kind], change);
  await (kind === "profile" ? changeName : changeFind)(supabase, change);
  return mine;
}

async function changeTable(
  supabase: Supabase,
  table: ChangedTable,
  change: RowChange,
): Promise<ColumnValues> {
  let wanted: Pick<RowChange, "before" | "mine"> = change;
  let version: string | undefined;
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    const result = { ...change.mine, ...wanted.mine };
    if (await update(supabase, table, { ...change, ...wanted }, version)) return result;
    const saved = await read(supabase, table, change);
    if (!saved && (await add(supabase, table, change))) return result;
    if (!saved) continue;
    wanted = requireRebased(wanted, saved);
    if (Object.keys(wanted.mine).length === 0) return result;
    version = typeof saved.updated_at === "string" ? saved.updated_at : undefined;
  }
  throw new Error("The row keeps changing on another device");
}

/** Longer values do not fit into the address of a request: the version of the row stands for them. */
const LONGEST_CONDITION = 2_000;

async function update(
  supabase: Supabase,
  { table, keyOf, hasUpdatedAt = false, jsonColumns = [] }: ChangedTable,
  change: RowChange,
  version: string | undefined,
): Promise<boolean> {
  const isLong = encodeURIComponent(JSON.stringify(change.before)).length > LONGEST_CONDITION;
  // Without a version the row is read first.
  if (hasUpdatedAt && isLong && version === undefined) return false;
  let query = supabase.from(table as "searches").update(change.mine as never);
  const isVersioned = hasUpdatedAt && isLong;
  const compared = isVersioned
    ? { updated_at: version ?? null }
    : Object.fromEntries(Object.keys(change.mine).map((name) => [name, change.before[name] ?? null]));
  for (const [name, value] of Object.entries({ ...keyOf(change), ...compared }))
    query =
      value === null
        ? query.is(name as "name", null)
        : query.eq(name as "name", conditionOf(value, jsonColumns.includes(name)));
  const [key = "id"] = Object.keys(keyOf(change));
  return dataOf(await query.select(key)).length > 0;
}

function conditionOf(value: ColumnValue, isJson: boolean): string {
  if (!isJson && isSet(value)) return `{${value.map((part) => JSON.stringify(part)).join(",")}}`;
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

async function read(
  supabase: Supabase,
  { table, keyOf, hasUpdatedAt = false }: ChangedTable,
  change: RowChange,
): Promise<ColumnValues | null> {
  const columns = [...Object.keys(change.mine), ...(hasUpdatedAt ? ["updated_at"] : [])].join(", ");
  let query = supabase.from(table as "searches").select(columns as "*");
  for (const [column, value] of Object.entries(keyOf(change))) query = query.eq(column as "id", value);
  return dataOf(await query.retry(false).maybeSingle()) as ColumnValues | null;
}

function requireRebased(change: Pick<RowChange, "before" | "mine">, saved: ColumnValues) {
  const next = rebased(change, saved);
  if (!next) throw new ChangedElsewhere("The fields were changed elsewhere", saved);
  return next;
}

/** Returns false if another device has added the row meanwhile. */
async function add(supabase: Supabase, table: ChangedTable, change: RowChange): Promise<boolean> {
  if (!table.isAddedWith) throw new DeletedElsewhere("The row was deleted meanwhile");
  const row = { ...table.keyOf(change), ...requireRebased(change, table.isAddedWith).mine };
  const added = supabase
    .from(table.table as "find_settings")
    .upsert(row as never, { onConflict: "user_id", ignoreDuplicates: true });
  return dataOf(await added.select("user_id")).length > 0;
}

async function changeFind(supabase: Supabase, { kind, ofId, before, mine }: RowChange): Promise<void> {
  const field = kind === "mark" ? "mark" : "note";
  const value = mine[field];
  const asked = {
    listing_id: ofId,
    ...(typeof value === "string" ? { [field]: value } : {}),
    ...(field in before && { replaces: { [field]: before[field] ?? null } as never }),
  };
  try {
    dataOf(await supabase.rpc(kind === "mark" ? "mark_find" : "note_find", asked));
  } catch (error) {
    if (codeOf(error) !== "changed-elsewhere") throw error;
    const saved = dataOf(await supabase.rpc("my_find", { listing_id: ofId }).retry(false));
    throw new ChangedElsewhere("The home was changed elsewhere", { [field]: saved?.[field] ?? null });
  }
}

/** The name belongs to the auth account; a trigger copies it to the profile, where it is compared. */
async function changeName(supabase: Supabase, { userId, before, mine }: RowChange): Promise<void> {
  const { full_name } = dataOf(
    await supabase.from("profiles").select("full_name").eq("id", userId).retry(false).single(),
  );
  if (isSameValue(full_name, mine.full_name)) return;
  if (!isSameValue(full_name || null, before.full_name ?? null))
    throw new ChangedElsewhere("The name was changed elsewhere", { full_name });
  authDataOf(await supabase.auth.updateUser({ data: { full_name: mine.full_name } }));
}
