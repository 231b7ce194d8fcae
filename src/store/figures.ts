import type { Sql } from "postgres";
import type { Loss } from "./feeds/losses.ts";

/** How the whole service fares, counted now. */
export interface Figures {
  readonly alertsByState: Readonly<Record<string, number>>;
  readonly oldestPendingAlertSeconds: number;
  readonly chatsByState: Readonly<Record<string, number>>;
  readonly filters: { readonly active: number; readonly paused: number; readonly unserved: number };
  readonly feeds: { readonly all: number; readonly failing: number };
  /** How long the feed that is most overdue has waited for its check. */
  readonly mostOverdueFeedSeconds: number;
  readonly longestIntervalSeconds: number;
  readonly requestsThisMonth: Readonly<Record<string, number>>;
  readonly mails: {
    /** Of the last 30 days. */
    readonly byOutcome: Readonly<Record<string, number>>;
    /** Accepted and not dealt with yet. */
    readonly waiting: number;
    readonly oldestWaitingSeconds: number;
  };
  /** What sources gave and we could not use, ever. */
  readonly losses: readonly (Loss & { readonly source: string })[];
}

export async function readFigures(sql: Sql, now: Date): Promise<Figures> {
  const [row] = await sql<[{ figures: Figures }]>`
    select jsonb_build_object(
      'alertsByState', (
        select coalesce(jsonb_object_agg(state, amount), '{}')
        from (select state, count(*) as amount from watch.alerts group by state) as counted
      ),
      'oldestPendingAlertSeconds', (
        select coalesce(greatest(0, extract(epoch from ${now}::timestamptz - min(not_before))), 0)
        from watch.alerts where state in ('pending', 'sending')
      ),
      'chatsByState', (
        select coalesce(jsonb_object_agg(state, amount), '{}')
        from (select state, count(*) as amount from public.chats group by state) as counted
      ),
      'filters', (
        select jsonb_build_object(
          'active', count(*) filter (where not is_paused and searches.problem is null),
          'paused', count(*) filter (where is_paused),
          'unserved', count(*) filter (where not is_paused and searches.problem is not null)
        )
        from public.filter_settings left join watch.searches on searches.filter_id = filter_settings.id
      ),
      'feeds', (
        select jsonb_build_object('all', count(*), 'failing', count(*) filter (where failing_since is not null))
        from watch.feeds where idle_since is null
      ),
      'mostOverdueFeedSeconds', (
        select coalesce(greatest(0, extract(epoch from ${now}::timestamptz - min(next_check_at))), 0)
        from watch.feeds where idle_since is null
      ),
      'longestIntervalSeconds', (
        select coalesce(max(interval_seconds), 0) from watch.feeds where idle_since is null
      ),
      'requestsThisMonth', (
        select coalesce(jsonb_object_agg(name, used), '{}') from watch.request_budgets
        where month = date_trunc('month', ${now}::timestamptz at time zone 'UTC')::date
      ),
      'mails', jsonb_build_object(
        'byOutcome', (
          select coalesce(jsonb_object_agg(outcome, amount), '{}')
          from (select outcome, count(*) as amount from public.received_mails group by outcome) as counted
        ),
        'waiting', (select count(*) from watch.mails where done_at is null),
        'oldestWaitingSeconds', (
          select coalesce(greatest(0, extract(epoch from ${now}::timestamptz - min(received_at))), 0)
          from watch.mails where done_at is null
        )
      ),
      'losses', (
        select coalesce(
          jsonb_agg(
            jsonb_build_object('source', source, 'kind', kind, 'reason', reason, 'count', amount)
            order by source, kind, reason
          ),
          '[]'
        )
        from watch.losses
      )
    ) as figures`;
  return row.figures;
}
