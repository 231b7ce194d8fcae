import type { PendingQuery, Row } from "postgres";
import type { AlertListing } from "#core/alert/alert.ts";
import type { Browser } from "#core/browser/browser-of.ts";
import type { HealthFacts } from "#core/health/health-of.ts";
import type { Db } from "#platform/database/json-parameter.ts";
import type { AwayMailKey } from "#telegram/send/rows/away-mails.ts";

export interface WaitingMail {
  readonly kind:
    | "password-changed"
    | "chat-connected"
    | "account-deleted"
    | "chats-lost"
    | "new-browser"
    | "alert-mail-steps"
    | "telegram-linked"
    | "telegram-unlinked"
    | "alerts-waiting"
    | "access-ended";
  /** Empty if the account has no address. */
  readonly email: string;
  /** The owner of the address has confirmed that the account is theirs. */
  readonly isProven: boolean;
  readonly language: string | null;
  readonly fullName: string | null;
  readonly chatId: string | null;
  /** Null if the person may not know the chat's name. */
  readonly chatTitle: string | null;
  readonly browser: Browser | null;
  readonly createdAt: Date;
  /** The status of the first active search, for the mail about unreachable chats. */
  readonly facts: HealthFacts | null;
  /** The mail with the alerts that wait while Telegram is away. */
  readonly away: WaitingAlerts | null;
}

export interface WaitingAlerts extends AwayMailKey {
  readonly stopToken: string;
  /** Each home once, oldest first, at most as many as are shown. */
  readonly listings: readonly AlertListing[];
  readonly count: number;
}

const SHOWN_IN_A_MAIL = 25;

/** Finds people none of whose chats is reachable, and queues a mail for those to whom this applies for a day. By the database's clock. */
export async function noteUnreachablePeople(db: Db): Promise<void> {
  await db`select watch.note_unreachable_people()`;
}

/** Takes all waiting mails; other transactions skip them. */
export async function takeAccountMails(db: Db): Promise<WaitingMail[]> {
  return await db<WaitingMail[]>`
    with taken as (
      delete from private.account_mails where id in (
        select id from private.account_mails order by id for update skip locked
      )
      returning *
    )
    select taken.kind, taken.chat_id::text as "chatId", taken.created_at as "createdAt",
      coalesce(taken.email, users.email, '') as email,
      taken.is_proven or exists (
        select from private.proven_addresses as proven where proven.user_id = taken.user_id
      ) as "isProven",
      coalesce(taken.language, profiles.language, private.language_of(users.raw_user_meta_data)) as language,
      profiles.full_name as "fullName", chats.title as "chatTitle",
      case when taken.kind = 'new-browser' then
        jsonb_build_object('family', taken.browser, 'platform', taken.platform)
      end as browser,
      case when taken.kind = 'chats-lost' then (
        select watch.state_of_search(saved.id) from public.searches as saved
        where saved.user_id = taken.user_id and not saved.is_paused
        order by saved.is_first desc, saved.created_at, saved.id limit 1
      ) end as facts,
      case when taken.kind = 'alerts-waiting' then ${waitingAlerts(db)} end as away
    from taken
    left join auth.users on users.id = taken.user_id
    left join public.profiles on profiles.id = taken.user_id
    left join public.chats on chats.user_id = taken.user_id and chats.chat_id = taken.chat_id
    order by taken.id`;
}

function waitingAlerts(db: Db): PendingQuery<Row[]> {
  return db`(
    select jsonb_build_object(
      'userId', away.user_id, 'mailedAt', away.mailed_at::text, 'stopToken', away.stop_token,
      'count', listed.count, 'listings', listed.listings
    )
    from watch.away_mails as away cross join lateral (
      select count(*) as count,
        coalesce(jsonb_agg(listing order by position) filter (where place <= ${SHOWN_IN_A_MAIL}), '[]') as listings
      from (
        select listing, position, row_number() over (order by position) as place
        from (
          select distinct on (home_id) payload -> 'listing' as listing, position
          from watch.alerts
          where alerts.user_id = away.user_id and alerts.mailed_at = away.mailed_at order by home_id, position desc
        ) as homes
      ) as placed
    ) as listed
    where away.user_id = taken.user_id
  )`;
}
