/** Incidents that the operator is notified of: once when one has lasted long enough, and once when it is over. */
import type { Sql } from "postgres";
import { inTransaction } from "#platform/database/in-transaction.ts";
import { type Db, jsonOf } from "#platform/database/json-parameter.ts";

export type IncidentKind =
  | "quota"
  | "source"
  | "token"
  | "telegram"
  | "mail"
  | "disk"
  | "clock"
  | "backup"
  | "set-aside"
  | "late";

export interface Incident {
  readonly kind: IncidentKind;
  /** The source or machine; empty if there is only one. */
  readonly subject: string;
}

export interface IncidentNotice extends Incident {
  readonly since: Date;
  readonly overAt: Date | null;
}

/** Brief failures of Telegram and the mail server are not reported. */
const PATIENCE_MINUTES = {
  quota: 0,
  source: 0,
  token: 1,
  telegram: 1,
  mail: 5,
  disk: 0,
  clock: 0,
  backup: 0,
  "set-aside": 0,
  late: 0,
};

export async function openIncident(db: Db, { kind, subject }: Incident, now: Date): Promise<void> {
  await db`
    insert into watch.incidents (kind, subject, since) values (${kind}, ${subject}, ${now})
    on conflict (kind, subject) do update set over_at = null where incidents.over_at is not null`;
}

export async function closeIncident(db: Db, { kind, subject }: Incident, now: Date): Promise<void> {
  await db`
    update watch.incidents set over_at = ${now} where kind = ${kind} and subject = ${subject} and over_at is null`;
}

export async function setIncidents(
  db: Db,
  { kind, subjects }: { kind: IncidentKind; subjects: readonly string[] },
  now: Date,
): Promise<void> {
  await db`
    update watch.incidents set over_at = ${now}
    where kind = ${kind} and over_at is null and not ${jsonOf(db, subjects)}::jsonb ? subject`;
  for (const subject of subjects) await openIncident(db, { kind, subject }, now);
}

/**
 * Reports new and ended incidents, each by one process. A report counts if `notify` does not throw. An incident that ended before
 * it was reported is dropped.
 */
export async function notifyOfIncidents(
  sql: Sql,
  notify: (notice: IncidentNotice) => Promise<void>,
  now: Date,
): Promise<void> {
  await sql`delete from watch.incidents where over_at is not null and notified_at is null`;
  while (await inTransaction(sql, (db) => notifyNext(db, notify, now)));
}

async function notifyNext(
  db: Db,
  notify: (notice: IncidentNotice) => Promise<void>,
  now: Date,
): Promise<boolean> {
  const [notice] = await db<IncidentNotice[]>`
    select kind, subject, since, over_at as "overAt" from watch.incidents
    where (notified_at is null and over_at is null
        and since <= ${now}::timestamptz - (${jsonOf(db, PATIENCE_MINUTES)}::jsonb ->> kind)::int * interval '1 minute')
      or (notified_at is not null and over_at is not null)
    order by since limit 1 for update skip locked`;
  if (!notice) return false;
  await notify(notice);
  const { kind, subject } = notice;
  if (notice.overAt) await db`delete from watch.incidents where kind = ${kind} and subject = ${subject}`;
  else
    await db`update watch.incidents set notified_at = ${now} where kind = ${kind} and subject = ${subject}`;
  return true;
}

/** The sender has had no answer from Telegram since its last attempt. */
export async function isTelegramAway(db: Db): Promise<boolean> {
  const rows = await db`select from watch.sender where away_since is not null`;
  return rows.length > 0;
}

/** The kinds of what the watcher has set aside after errors. */
export async function findSetAsideKinds(db: Db): Promise<string[]> {
  const rows = await db<{ kind: string }[]>`select distinct kind from watch.quarantine order by kind`;
  return rows.map(({ kind }) => kind);
}

/** Sources with feeds that are late. */
export async function findLateSources(db: Db, now: Date): Promise<string[]> {
  const rows = await db<{ source: string }[]>`
    select distinct source from watch.feeds where watch.late_since(feeds, ${now}) is not null order by source`;
  return rows.map(({ source }) => source);
}

/** Sources close to the end of their monthly quota, and sources half of whose feeds have failed for an hour. */
export async function findSourceIncidents(db: Db, now: Date): Promise<{ quota: string[]; source: string[] }> {
  const [found] = await db<[{ quota: string[]; source: string[] }]>`
    select (
      select coalesce(jsonb_agg(name order by name), '[]') from watch.request_budgets
      where month = date_trunc('month', ${now}::timestamptz at time zone 'UTC')::date
        and monthly_requests > 0 and used >= 0.8 * monthly_requests
    ) as quota, (
      select coalesce(jsonb_agg(source order by source), '[]') from (
        select source from watch.feeds where idle_since is null group by source
        having count(*) <= 2 * count(*) filter (
          where failing_since <= ${now}::timestamptz - interval '1 hour' and failure_reason <> 'quota-spent'
        )
      ) as failing
    ) as source`;
  return found;
}
