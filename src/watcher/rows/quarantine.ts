/**
 * Searches, adverts, feeds and steps of planning that threw an error. They are set aside with the reason and tried again in growing steps, so that one
 * bad thing stops nothing else.
 */
import { type Db, jsonOf } from "#platform/database/json-parameter.ts";

export type QuarantineKind = "search" | "advert" | "feed" | "plan";

export interface SetAside {
  readonly kind: QuarantineKind;
  readonly subject: string;
  /** What was tried: a search with another link is tried at once. */
  readonly version?: string;
  readonly error: unknown;
}

const FIRST_STEP_MS = 60_000;
const STEP_FACTOR = 4;
const LONGEST_STEP_MS = 86_400_000;
/** Everybody depends on them. */
const LONGEST_PLAN_STEP_MS = 3_600_000;
const LONGEST_REASON = 300;

/** Returns when it is tried again. */
export async function setAside(
  db: Db,
  { kind, subject, version = "", error }: SetAside,
  now: Date,
): Promise<Date> {
  const [row] = await db<[{ nextTryAt: Date }]>`
    insert into watch.quarantine (kind, subject, version, reason, since, next_try_at)
    values (
      ${kind}, ${subject}, ${version}, ${reasonOf(error)}, ${now},
      ${now}::timestamptz + ${FIRST_STEP_MS} * interval '1 ms'
    )
    on conflict (kind, subject) do update set
      version = excluded.version, reason = excluded.reason,
      tries = case when quarantine.version = excluded.version then quarantine.tries + 1 else 1 end,
      next_try_at = ${now}::timestamptz + interval '1 ms' * least(
        ${kind === "plan" ? LONGEST_PLAN_STEP_MS : LONGEST_STEP_MS}::float8,
        ${FIRST_STEP_MS} * ${STEP_FACTOR}::float8 ^ case when quarantine.version = excluded.version then least(quarantine.tries, 10) else 0 end
      )
    returning next_try_at as "nextTryAt"`;
  return row.nextTryAt;
}

export async function readmit(db: Db, kind: QuarantineKind, subjects: readonly string[]): Promise<void> {
  if (subjects.length === 0) return;
  await db`
    delete from watch.quarantine
    where kind = ${kind} and subject in (select jsonb_array_elements_text(${jsonOf(db, subjects)}))`;
}

/** Those that must not be tried yet. */
export async function readSetAside(
  db: Db,
  kind: QuarantineKind,
  subjects: readonly string[],
  now: Date,
): Promise<Set<string>> {
  const rows = await db<{ subject: string }[]>`
    select subject from watch.quarantine
    where kind = ${kind} and next_try_at > ${now}
      and subject in (select jsonb_array_elements_text(${jsonOf(db, subjects)}))`;
  return new Set(rows.map(({ subject }) => subject));
}

/** The message without values: PostgreSQL puts those into the detail. */
function reasonOf(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return text.replaceAll("\u0000", "").toWellFormed().slice(0, LONGEST_REASON);
}
