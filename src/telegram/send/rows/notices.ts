/** Notices: what the policy needs to know, and what it does to them before they are sent. */
import type { Sql } from "postgres";
import type { AlertKind } from "#core/alert/alert-kinds.ts";

/** Another notice that the chat got, will get or was spared. */
export interface OtherNotice {
  readonly id: string;
  readonly kind: AlertKind;
  /** Of an account notice: which one. */
  readonly notice: string | null;
  readonly eventKey: string;
  /** For the same person. */
  readonly isOwn: boolean;
  readonly isSent: boolean;
  readonly state: "pending" | "sending" | "sent" | "merged" | "undeliverable" | "expired";
  readonly position: number;
  readonly createdMs: number;
  readonly sentMs: number | null;
  readonly reason: string | null;
  readonly isFlapping: boolean;
}

export interface NoticeFacts {
  /** The newest first. */
  readonly others: readonly OtherNotice[];
  /** When the person's latest notices of other events were sent, each event once, whatever the chats. */
  readonly toldMs: readonly number[];
  /** Another feed for the chat is still reported as down. */
  readonly isOtherSourceDown: boolean;
}

/** Also after a sender died with it: its lease has ended, or it would not be decided again. */
export async function postponeNotice(sql: Sql, id: string, untilMs: number): Promise<void> {
  await sql`
    update watch.alerts set
      is_ambiguous = is_ambiguous or state = 'sending', state = 'pending', lease_by = null, lease_until = null,
      not_before = ${new Date(untilMs)}
    where id = ${id} and state in ('pending', 'sending')`;
}

/** The payload then says that the problem comes and goes. */
export async function markFlapping(sql: Sql, id: string): Promise<void> {
  await sql`
    update watch.alerts set payload = payload || '{"isFlapping": true}'
    where id = ${id} and state in ('pending', 'sending')`;
}

/** One notice for several: it covers their whole span and all their searches. Null in `search_ids` means all searches. */
export async function groupNotices(sql: Sql, id: string, others: readonly string[]): Promise<void> {
  await sql`
    with taken as (
      update watch.alerts set state = 'merged', last_error = 'told with another notice'
      where id in (select value::uuid from jsonb_array_elements_text(${sql.json(others as never)}) as value) and state = 'pending'
      returning payload, search_ids
    ), grouped as (
      select min((payload ->> 'sinceMs')::float8) as since, max((payload ->> 'untilMs')::float8) as until,
        bool_or(search_ids is null) as is_for_all, array_agg(searches.id) filter (where searches.id is not null) as ids
      from taken left join lateral unnest(search_ids) as searches (id) on true
    )
    update watch.alerts set
      payload = payload || jsonb_strip_nulls(jsonb_build_object(
        'sinceMs', least((payload ->> 'sinceMs')::float8, grouped.since),
        'untilMs', greatest((payload ->> 'untilMs')::float8, grouped.until)
      )),
      search_ids = case when search_ids is null or grouped.is_for_all then null else (
        select array_agg(distinct id) from unnest(search_ids || grouped.ids) as both (id)
      ) end
    from grouped where alerts.id = ${id}`;
}
