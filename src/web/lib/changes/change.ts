import type { Rule } from "#core/rules/rule-kinds.ts";

/** A list of texts is a set: what two devices add and take out of it goes together. */
export type ColumnValue = string | number | boolean | null | readonly string[] | readonly Rule[];
export type ColumnValues = Readonly<Record<string, ColumnValue>>;

/** A change of one row. It names the fields that it replaces, by their columns, and what they were. */
export interface RowChange {
  readonly kind: ChangeKind;
  readonly userId: string;
  /** The id of the row; of a mark and a note that of the listing. */
  readonly ofId: string;
  /** Names the row when the person is asked. */
  readonly title: string;
  readonly before: ColumnValues;
  readonly mine: ColumnValues;
  /** The home of a mark or a note. */
  readonly homeId?: string;
}

/** The version of what is stored of each kind: raised whenever its meaning changes, and older ones are dropped with a word. */
export const CHANGE_VERSIONS = {
  mark: 1,
  note: 1,
  search: 1,
  place: 1,
  settings: 1,
  profile: 1,
  chat: 1,
} as const;

export type ChangeKind = keyof typeof CHANGE_VERSIONS;

/** The fields were changed elsewhere since the person saw them. Neither is dropped: the person decides. */
export class ChangedElsewhere extends Error {
  readonly theirs: ColumnValues | undefined;

  constructor(message: string, theirs?: ColumnValues) {
    super(message);
    this.theirs = theirs;
  }
}

export class DeletedElsewhere extends Error {
  readonly code = "deleted-elsewhere";
}

export function isSameValue(one: ColumnValue | undefined, other: ColumnValue | undefined): boolean {
  return textOf(one) === textOf(other);
}

/** The database changes the order of the fields of a rule, and adds seconds to times. */
function textOf(value: ColumnValue | undefined): string {
  if (typeof value === "string") return value.replace(/^(\d\d:\d\d):00$/, "$1");
  if (!Array.isArray(value)) return JSON.stringify(value ?? null);
  const parts = value.map((part: string | Rule) =>
    typeof part === "string"
      ? part
      : Object.entries(part).sort(([name], [another]) => (name < another ? -1 : 1)),
  );
  return JSON.stringify(isSet(value) ? [...parts].sort() : parts);
}

export function isSet(value: ColumnValue | undefined): value is readonly string[] {
  return Array.isArray(value) && value.every((part) => typeof part === "string");
}

type Change = Pick<RowChange, "before" | "mine">;

/**
 * The change over what is saved now. Undefined if another device has changed one of its fields since: sets go together, and a
 * field that already is as the person wants it is left out.
 */
export function rebased({ before, mine }: Change, saved: ColumnValues): Change | undefined {
  const next = { before: {} as Record<string, ColumnValue>, mine: {} as Record<string, ColumnValue> };
  for (const [name, wanted] of Object.entries(mine)) {
    const current = saved[name] ?? null;
    const former = before[name] ?? null;
    if (isSameValue(current, wanted)) continue;
    const merged = isSameValue(current, former) ? wanted : mergedSet(former, wanted, current);
    if (merged === undefined) return undefined;
    next.before[name] = current;
    next.mine[name] = merged;
  }
  return next;
}

function mergedSet(
  before: ColumnValue,
  mine: ColumnValue,
  theirs: ColumnValue,
): readonly string[] | undefined {
  // An empty list is a list of texts too.
  if (!isSet(before) || !isSet(mine) || !isSet(theirs)) return undefined;
  const left = theirs.filter((part) => mine.includes(part) || !before.includes(part));
  return [...left, ...mine.filter((part) => !before.includes(part) && !left.includes(part))];
}
