/** Mails with alerts that wait because Telegram is down or refuses the bot's token. All times are the database's. */
import type { Sql } from "postgres";
import { kindsThat } from "#core/alert/alert-kinds.ts";
import { type Db, jsonOf } from "#platform/database/json-parameter.ts";
import { alertColumns, alertJoins } from "./alert-columns.ts";
import type { OpenAlert } from "./outbox.ts";

/** A mail has room for this many homes; the others are counted. */
const READ_AT_MOST = 200;

/** People with a proved address one of whose alerts has waited for 30 minutes, and who had no such mail for six hours. */
export async function findPeopleWaiting(sql: Sql): Promise<string[]> {
  const rows = await sql<{ userId: string }[]>`
    select distinct alerts.user_id as "userId"
    from watch.sender
    join watch.alerts on alerts.state in ('pending', 'sending') and alerts.mailed_at is null and alerts.held_at is null
      and alerts.kind in (select kind from watch.alert_kinds where is_offer)
      and greatest(alerts.created_at, least(sender.away_since, sender.refused_since)) <= now() - interval '30 minutes'
    join auth.users on users.id = alerts.user_id and users.email <> ''
      and (users.banned_until is null or users.banned_until <= now())
    join private.proven_addresses as proved on proved.user_id = alerts.user_id
    join public.profiles on profiles.id = alerts.user_id and profiles.mails_when_away
    left join watch.away_mails as former on former.user_id = alerts.user_id
    where coalesce(sender.away_since, sender.refused_since) is not null
      and (former.mailed_at is null or former.mailed_at <= now() - interval '6 hours')
      and not exists (select from watch.pause)`;
  return rows.map(({ userId }) => userId);
}

/** All offers of the person that wait and were not mailed. */
export async function readUnmailedAlerts(sql: Sql, userId: string): Promise<OpenAlert[]> {
  return sql<OpenAlert[]>`
    select ${alertColumns(sql)}
    from (
      select * from watch.alerts
      where user_id = ${userId} and state in ('pending', 'sending') and mailed_at is null and held_at is null
        and kind in (select value from jsonb_array_elements_text(${jsonOf(sql, kindsThat("isOffer"))}) as value)
      order by position limit ${READ_AT_MOST}
    ) as alert
    ${alertJoins(sql)}
    order by alert.position`;
}

/** One statement, so that neither two machines nor a crash cause two mails, or alerts that are marked but not mailed. */
export async function queueAwayMail(sql: Sql, userId: string, alertIds: readonly string[]): Promise<void> {
  await sql`
    with due as (
      insert into watch.away_mails (user_id, mailed_at) values (${userId}, now())
      on conflict (user_id) do update set mailed_at = excluded.mailed_at, sending_since = null
      where away_mails.mailed_at <= now() - interval '6 hours'
      returning user_id
    ), listed as (
      update watch.alerts set mailed_at = now()
      where id in (select value::uuid from jsonb_array_elements_text(${jsonOf(sql, alertIds)}) as value)
        and user_id in (select user_id from due)
    )
    insert into private.account_mails (kind, user_id) select 'alerts-waiting', user_id from due`;
}

/** Which mail of a person it is. */
export interface AwayMailKey {
  readonly userId: string;
  readonly mailedAt: string;
}

/**
 * Called before the mail is handed to the mail server. Returns false if an earlier attempt ended without an outcome, because
 * its process died: the mail may have been sent.
 */
export async function beginAwayMail(db: Db, { userId, mailedAt }: AwayMailKey): Promise<boolean> {
  const { count } = await db`
    update watch.away_mails set sending_since = now()
    where user_id = ${userId} and mailed_at = ${mailedAt}::text::timestamptz and sending_since is null`;
  return count > 0;
}

/** The mail server did not take the mail. */
export async function releaseAwayMail(db: Db, { userId, mailedAt }: AwayMailKey): Promise<void> {
  await db`
    update watch.away_mails set sending_since = null
    where user_id = ${userId} and mailed_at = ${mailedAt}::text::timestamptz`;
}

/** Switches these mails off. Returns false if the token is unknown. */
export async function stopAwayMails(db: Db, token: string): Promise<boolean> {
  const { count } = await db`
    update public.profiles set mails_when_away = false
    where id = (select user_id from watch.away_mails where stop_token = ${token})`;
  return count > 0;
}
