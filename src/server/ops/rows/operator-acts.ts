/** What an operator can do with a person's account and with the outbox. */
import type { Sql } from "postgres";
import { inTransaction } from "#platform/database/in-transaction.ts";
import { isJobTableThere } from "#platform/database/job-table.ts";
import { parseEmailAddress } from "#platform/email-address.ts";

export interface FoundPerson {
  readonly userId: string;
  /** telegram:<user id> for an account without an address. */
  readonly email: string;
  readonly createdAt: Date;
  readonly lastSignInAt: Date | null;
  readonly isSuspended: boolean;
  readonly isConfirmed: boolean;
  readonly language: string | null;
  readonly searches: { readonly active: number; readonly paused: number };
  readonly chatsByState: Readonly<Record<string, number>>;
  readonly alertsByState: Readonly<Record<string, number>>;
}

/** By email address, or by `telegram:` and the Telegram user's id. */
export async function findPerson(sql: Sql, name: string): Promise<FoundPerson | undefined> {
  const [person] = await sql<FoundPerson[]>`
    select users.id as "userId", ${operatorsName(sql)} as email, users.created_at as "createdAt", last_sign_in_at as "lastSignInAt",
      coalesce(banned_until > now(), false) as "isSuspended", email_confirmed_at is not null as "isConfirmed",
      profiles.language,
      (
        select jsonb_build_object('active', count(*) filter (where not is_paused), 'paused', count(*) filter (where is_paused))
        from public.searches where searches.user_id = users.id
      ) as searches,
      (
        select coalesce(jsonb_object_agg(state, amount), '{}') from (
          select state, count(*) as amount from public.chats where user_id = users.id group by state
        ) as counted
      ) as "chatsByState",
      (
        select coalesce(jsonb_object_agg(state, amount), '{}') from (
          select state, count(*) as amount from watch.alerts where user_id = users.id group by state
        ) as counted
      ) as "alertsByState"
    from auth.users
    left join public.profiles on profiles.id = users.id
    where lower(users.email) in (lower(${name}), ${parseEmailAddress(name)?.email ?? ""})
      or users.id = (select user_id from watch.telegram_identities where 'telegram:' || telegram_id = ${name})`;
  return person;
}

function operatorsName(sql: Sql) {
  return sql`coalesce(
    nullif(users.email, ''), (select 'telegram:' || telegram_id from watch.telegram_identities where user_id = users.id)
  )`;
}

/** Pauses or resumes all of a person's searches. The person can resume them. */
export async function pausePerson(sql: Sql, userId: string, isPaused: boolean): Promise<number> {
  const paused = await sql`
    update public.searches set is_paused = ${isPaused} where user_id = ${userId} and is_paused <> ${isPaused}`;
  return paused.count;
}

/** Pauses all checks and all sending, until it is undone. */
export async function pauseAll(sql: Sql, isPaused: boolean): Promise<number> {
  if (isPaused) return (await sql`insert into watch.pause default values on conflict do nothing`).count;
  return (await sql`delete from watch.pause`).count;
}

/** Signs the person out everywhere and blocks sign-ins. Nothing is checked or sent for the person. Nothing is deleted. */
export async function suspendPerson(sql: Sql, userId: string, isSuspended: boolean): Promise<void> {
  await inTransaction(sql, async (db) => {
    // As whoever changes an account: the trigger of a suspension takes this lock after the row.
    await db`select private.lock_person(${userId})`;
    await db`
      update auth.users set banned_until = ${isSuspended ? db`now() + interval '100 years'` : null}
      where id = ${userId}`;
    if (!isSuspended) return;
    await db`delete from auth.sessions where user_id = ${userId}`;
    await db`
      update watch.alerts set state = 'undeliverable', last_error = 'the account is suspended'
      where user_id = ${userId} and state = 'pending'`;
  });
}

/** Whom the command concerns; undefined for everyone. */
export type Whom = { readonly userId: string | undefined };

/** Retries alerts that were not delivered in the last day, and waiting mails. */
export async function retryAlerts(sql: Sql, { userId }: Whom): Promise<{ alerts: number; mails: number }> {
  const alerts = await sql`
    update watch.alerts set
      state = 'pending', not_before = now(), attempts = 0, failing_since = null, failure = null, failed_at = null, unanswered = 0
    where state in ('undeliverable', 'expired') and created_at > now() - interval '1 day'
      and (${userId ?? null}::uuid is null or user_id = ${userId ?? null})`;
  const mails =
    userId === undefined && (await isJobTableThere(sql))
      ? await sql`update pgboss.job set start_after = now() where name = 'send-mail' and state = 'retry'`
      : { count: 0 };
  await sql`select pg_notify('alerts', '')`;
  return { alerts: alerts.count, mails: mails.count };
}

export async function resendAlerts(sql: Sql, userId: string, count: number): Promise<number> {
  const sent = await sql`
    update watch.alerts set state = 'pending', not_before = now(), attempts = 0, sent_at = null, message_id = null, unanswered = 0
    where id in (
      select id from watch.alerts where user_id = ${userId} and state in ('sent', 'merged')
      order by sent_at desc, position desc limit ${count}
    )`;
  await sql`select pg_notify('alerts', '')`;
  return sent.count;
}

/** Drops waiting alerts, so that people are not flooded with old ones after a long outage. */
export async function drainAlerts(sql: Sql, { userId }: Whom): Promise<number> {
  const drained = await sql`
    update watch.alerts set state = 'expired', last_error = 'given up by the operator'
    where state = 'pending' and kind not in (select alert_kinds.kind from watch.alert_kinds where is_question)
      and (${userId ?? null}::uuid is null or user_id = ${userId ?? null})`;
  return drained.count;
}

export interface SecurityEventRow {
  readonly happenedAt: Date;
  readonly email: string | null;
  readonly kind: string;
  readonly times: number;
  readonly browser: string | null;
  readonly platform: string | null;
}

const EVENTS_SHOWN = 100;

export async function readSecurityEvents(sql: Sql, { userId }: Whom): Promise<SecurityEventRow[]> {
  return sql<SecurityEventRow[]>`
    select happened_at as "happenedAt", ${operatorsName(sql)} as email, kind, times, browser, platform
    from private.security_events join auth.users on users.id = security_events.user_id
    where ${userId ?? null}::uuid is null or user_id = ${userId ?? null}
    order by happened_at desc, security_events.id desc limit ${EVENTS_SHOWN}`;
}
