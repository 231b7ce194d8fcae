/** The outbox as the sender reads it. */
import type { PendingQuery, Row, Sql } from "postgres";
import type { AlertKind } from "#core/alert/alert-kinds.ts";
import type { ChatReason, ChatState, Receives } from "#core/alert/chat.ts";
import type { HomeMark } from "#core/finds/find.ts";
import type { Language } from "#core/languages.ts";
import { endedHome } from "../../rows/ended-home.ts";
import { alertColumns, alertJoins } from "./alert-columns.ts";
import type { NoticeFacts } from "./notices.ts";
import { accountOf, type QuietRecipient, type Recipient, recipientRows, waits } from "./recipients.ts";

/** An alert with everything that decides whether, when and how it is sent. */
export interface OpenAlert {
  readonly id: string;
  readonly chatId: string;
  /** NOBODY if it belongs to no account. */
  readonly userId: string;
  readonly kind: AlertKind;
  readonly payload: unknown;
  /** The names of the people it is about, as the chat may read them now. */
  readonly people: readonly string[];
  readonly attempts: number;
  /** How many sends were not answered: the chat may have as many copies. */
  readonly unanswered: number;
  /** Increases with every alert: the order within a chat. */
  readonly position: number;
  readonly heldMs: number | null;
  /** To be sent without a sound. */
  readonly isSilent: boolean;
  readonly seenMs: number | null;
  readonly source: string | null;
  readonly failingSinceMs: number | null;
  /** When it was mailed, because Telegram was away. */
  readonly mailedMs: number | null;
  /** Tells apart alerts of a kind about the same listing. */
  readonly eventKey: string;
  readonly createdMs: number;
  /** The chat's state for the person; null if it is not in the person's list. */
  readonly chatState: ChatState | null;
  readonly chatReason: ChatReason | null;
  /** What the chat answered to the question whether it wants this person's alerts. */
  readonly consentAnswer: "yes" | "no" | null;
  /** What the chat receives from this person, and whether the home was announced in it as kept. */
  readonly receives: Receives;
  readonly isShortlisted: boolean;
  /** Cards of homes can be sent to other chats. */
  readonly hasInlineMode: boolean;
  /** The bot, if it has a main Mini App, which links open in any chat. */
  readonly mainAppOf: string | null;
  /** The private chat of the Telegram user who signs in to the account. */
  readonly isOwnTelegram: boolean;
  /** The searches it is for; null if it is for none, or for all. */
  readonly searchIds: readonly string[] | null;
  /** The listing is watched on request of this chat. */
  readonly isAskedFor: boolean;
  readonly isHidden: boolean;
  /** The person brought the home back after rules had left it out, or it passed them later. */
  readonly isBroughtBack: boolean;
  /** The person's mark of the home, and the mark that a button of this chat set. */
  readonly mark: HomeMark | null;
  readonly chatMark: HomeMark | null;
  readonly note: string | null;
  /** To the person's saved places, as far as known. */
  readonly travelTimes: readonly {
    readonly placeId: string;
    readonly footMinutes: number | null;
    readonly bicycleMinutes: number | null;
  }[];
  /** The chat already got the same alert about the listing for another person. */
  readonly isSentForOther: boolean;
  /** What the policy for notices needs; null if the alert is none. */
  readonly noticeFacts: NoticeFacts | null;
  /** The same for all adverts of a home; null if it is not about a home. */
  readonly homeId: string | null;
  /** The chat's first message about the home, under this or a former code. */
  readonly firstMessageId: string | null;
  readonly chatKind: string | null;
  readonly chatStanding: string | null;
  /** The language that it was sent in, or that of the account that has left the chat. */
  readonly givenLanguage: Language | null;
  /** Chosen by the chat; of its last message; of its Telegram app; of the person. */
  readonly chatLanguage: Language | null;
  readonly lastLanguage: Language | null;
  readonly telegramLanguage: Language | null;
  readonly personLanguage: Language | null;
  /** The chat was told before that a watch of the person has started. */
  readonly wasGreeted: boolean;
}

export interface NextAlert {
  readonly recipient: Recipient;
  readonly alert: OpenAlert | undefined;
  /** When the next alert is due, if none is now. */
  readonly nextDueMs: number | null;
  /** Some alerts wait for the end of quiet hours or a mute. */
  readonly hasWaiting: boolean;
  /** Another sender's message to the chat may be under way until then. */
  readonly inFlightUntilMs: number | null;
}

/**
 * The first due alert of each recipient that need not wait. The question of a mail provider takes precedence, because somebody
 * is waiting for it.
 */
export async function readNextAlerts(
  sql: Sql,
  recipients: readonly QuietRecipient[],
  { nowMs }: { nowMs: number },
): Promise<NextAlert[]> {
  const now = new Date(nowMs);
  const isOpen = sql`
    chat_id = recipient."chatId"::bigint and ${accountOf(sql)} = recipient."userId" and state in ('pending', 'sending')`;
  const rows = await sql<
    (OpenAlert & { ofChat: string; ofUser: string; next: number; busy: number; waiting: boolean })[]
  >`
    select recipient."chatId" as "ofChat", recipient."userId" as "ofUser", next.due as next, busy.until as busy,
      exists (select from watch.alerts where ${isOpen} and ${waits(sql)}) as waiting, ${alertColumns(sql)}
    from ${recipientRows(sql, recipients)}
    left join lateral (
      select * from (
        (
          select * from watch.alerts
          where ${isOpen} and ${isDue(sql, now)} and not ${waits(sql)}
          order by position limit 1
        )
        union all
        (
          select * from watch.alerts where ${isOpen} and ${isDue(sql, now)} and kind = 'forwarding-question'
        )
      ) as due order by (kind = 'forwarding-question') desc, position limit 1
    ) as alert on true
    left join lateral (
      select extract(epoch from min(case state when 'sending' then lease_until else not_before end))::float8 * 1000 as due
      from watch.alerts where alert.id is null and ${isOpen} and not ${waits(sql)}
    ) as next on true
    left join lateral (
      select extract(epoch from max(lease_until))::float8 * 1000 as until
      from watch.alerts where chat_id = recipient."chatId"::bigint and state = 'sending' and lease_until > ${now}
    ) as busy on true
    ${alertJoins(sql)}`;
  return rows.map(({ ofChat, ofUser, next, busy, waiting, ...alert }) => ({
    recipient: { chatId: ofChat, userId: ofUser },
    alert: alert.id === null ? undefined : alert,
    nextDueMs: next,
    hasWaiting: waiting,
    inFlightUntilMs: busy,
  }));
}

/** Alerts that waited for the end of quiet hours or a mute, in order. */
export async function readHeld(sql: Sql, recipient: QuietRecipient, nowMs: number): Promise<OpenAlert[]> {
  return sql<OpenAlert[]>`
    select ${alertColumns(sql)}
    from (
      select alerts.* from ${recipientRows(sql, [recipient])}
      join watch.alerts on chat_id = recipient."chatId"::bigint and ${accountOf(sql)} = recipient."userId"
      where state in ('pending', 'sending') and held_at is not null and ${isDue(sql, new Date(nowMs))} and not ${waits(sql)}
      order by position limit 60
    ) as alert
    ${alertJoins(sql)}
    order by alert.position`;
}

/** A sent alert. */
export interface SentAlert extends OpenAlert {
  /** When the home was found for the person and when it ended, as on their finds page; null while it is on offer. */
  readonly ended: { readonly foundMs: number; readonly goneMs: number } | null;
}

export async function readSentAlerts(
  sql: Sql,
  { chatId, messageId }: { chatId: string; messageId: string },
): Promise<SentAlert[]> {
  return sql<SentAlert[]>`
    select ${alertColumns(sql)}, ${endOfHome(sql)} as ended
    from (
      select * from watch.alerts
      where chat_id = ${chatId} and message_id = ${messageId} and state in ('sent', 'merged')
    ) as alert
    ${alertJoins(sql)}
    order by alert.position`;
}

function endOfHome(sql: Sql): PendingQuery<Row[]> {
  return sql`(
    select jsonb_build_object(
      'foundMs', extract(epoch from home.found_at)::float8 * 1000, 'goneMs', extract(epoch from home.gone_at)::float8 * 1000
    )
    from ${endedHome(sql, "alert")} limit 1
  )`;
}

function isDue(sql: Sql, now: Date): PendingQuery<Row[]> {
  return sql`(
    (state = 'pending' and not_before <= ${now}) or (state = 'sending' and lease_until <= ${now})
  )`;
}
