import type { Sql } from "postgres";
import { isJobTableThere } from "#platform/database/job-table.ts";

export interface OperationFigures {
  /** How many processes speak for the bot and send the alerts: one of each, while all is well. */
  readonly leaders: Readonly<Record<"bot" | "sender", number>>;
  readonly outgoingMails: { readonly waiting: number; readonly oldestWaitingSeconds: number };
  readonly troubles: Readonly<Record<string, number>>;
}

/** What the parts of the running service hold, whichever process asks. */
export async function readOperation(sql: Sql, now: Date): Promise<OperationFigures> {
  const outgoingMails = await readOutgoingMails(sql, now);
  const [row] = await sql<[{ figures: Omit<OperationFigures, "outgoingMails"> }]>`
    select jsonb_build_object(
      'leaders', (
        select jsonb_object_agg(leader, (
          select count(*) from pg_locks
          where locktype = 'advisory' and granted and objsubid = 1
            and database = (select oid from pg_database where datname = current_database())
            and (classid::bigint << 32) | objid::bigint = hashtextextended(lock_name, 0)
        ))
        from (values ('bot', 'telegram bot'), ('sender', 'telegram sender')) as leaders (leader, lock_name)
      ),
      'troubles', (
        select jsonb_object_agg(kind, (
          select count(*) from watch.incidents where incidents.kind = kinds.kind and over_at is null
        ))
        from unnest(array['quota', 'source', 'token', 'mail', 'disk']) as kinds (kind)
      )
    ) as figures`;
  return { ...row.figures, outgoingMails };
}

async function readOutgoingMails(sql: Sql, now: Date): Promise<OperationFigures["outgoingMails"]> {
  if (!(await isJobTableThere(sql))) return { waiting: 0, oldestWaitingSeconds: 0 };
  const [row] = await sql<[OperationFigures["outgoingMails"]]>`
    select count(*)::int as waiting,
      coalesce(greatest(0, extract(epoch from ${now}::timestamptz - min(created_on))), 0)::float8 as "oldestWaitingSeconds"
    from pgboss.job where name = 'send-mail' and state in ('created', 'retry', 'active')`;
  return row;
}
