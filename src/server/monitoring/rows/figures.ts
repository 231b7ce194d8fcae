import type { Sql } from "postgres";
import { readRules } from "#core/rules/rule.ts";
import { isJobTableThere } from "#platform/database/job-table.ts";
import { countCostlyFeeds } from "#watcher/rows/feeds/costly-feeds.ts";
import type { SourceDefect } from "#watcher/rows/feeds/source-defects.ts";

interface OperationFigures {
  /** How many processes run the bot and the sender: normally one each. */
  readonly leaders: Readonly<Record<"bot" | "sender", number>>;
  readonly outgoingMails: { readonly waiting: number; readonly oldestWaitingSeconds: number };
  readonly incidents: Readonly<Record<string, number>>;
  readonly databaseBytes: number;
  /** Null if no process makes backups. Without one yet, the age is that of the wish for it. */
  readonly backup: { readonly ageSeconds: number; readonly sizeBytes: number | null } | null;
}

export interface Figures extends OperationFigures {
  readonly alertsByState: Readonly<Record<string, number>>;
  readonly oldestPendingAlertSeconds: number;
  /** Alerts of the last week that people should have got, by reason; and Telegram's words about them, the most frequent first. */
  readonly failedAlerts: Readonly<Record<"refused" | "unanswered" | "expired", number>>;
  readonly failureWords: readonly { readonly words: string; readonly count: number }[];
  readonly chatsByState: Readonly<Record<string, number>>;
  readonly filters: { readonly active: number; readonly paused: number; readonly unserved: number };
  readonly feeds: { readonly all: number; readonly failing: number; readonly late: number };
  /** The last check of the demo's feed; null if the demo has none. */
  readonly canary: { readonly ageSeconds: number; readonly checkSeconds: number } | null;
  /** How long the most overdue feed has waited for its check. */
  readonly mostOverdueFeedSeconds: number;
  readonly longestIntervalSeconds: number;
  readonly requestsThisMonth: Readonly<Record<string, number>>;
  readonly mails: {
    /** Of the last 30 days. */
    readonly byOutcome: Readonly<Record<string, number>>;
    /** Accepted and not processed yet. */
    readonly waiting: number;
    readonly oldestWaitingSeconds: number;
  };
  readonly monthlyRequests: Readonly<Record<string, number>>;
  /** Limits, errors and timeouts, which are not charged to the month. */
  readonly refusedRequestsThisMonth: Readonly<Record<string, number>>;
  /** The pause of a source that refuses requests. */
  readonly sourcePauses: Readonly<Record<string, { readonly reason: string; readonly until: string }>>;
  /** What the watcher set aside after errors, the newest first. */
  readonly setAside: {
    readonly counts: Readonly<Record<"search" | "advert" | "feed" | "plan", number>>;
    readonly newest: readonly {
      readonly kind: string;
      readonly subject: string;
      readonly reason: string;
      readonly tries: number;
      readonly nextTryAt: string;
    }[];
  };
  /** Expensive feeds that serve one person. */
  readonly costlyFeeds: Readonly<Record<string, number>>;
  readonly freshness: readonly Freshness[];
  readonly leads: readonly Lead[];
  /** Saved rules that cannot be read and do nothing, in the searches changed last. */
  readonly unreadableRules: number;
  /** Times in which searches may have missed homes, of the last seven days, by feed and cause. */
  readonly gaps: readonly Gap[];
  /** Data of sources that we could not use, since the installation. */
  readonly losses: readonly (SourceDefect & { readonly source: string })[];
}

interface Gap {
  readonly feed: string;
  readonly cause: string;
  readonly searches: number;
}

/** From the time a source saw an event until Telegram accepted its alert. */
export interface Freshness {
  readonly source: string;
  readonly window: "24h" | "7d";
  readonly alerts: number;
  readonly medianSeconds: number;
  readonly p95Seconds: number;
}

/** How much earlier one source saw the same events as another, in the last seven days. */
export interface Lead {
  readonly earlier: string;
  readonly later: string;
  readonly events: number;
  readonly medianSeconds: number;
}

/** The newest are representative, and the query time is bounded. */
const MEASURED_AT_MOST = 50_000;

export async function readFigures(sql: Sql, now: Date): Promise<Figures> {
  const [counts, operation, costlyFeeds, unreadableRules, freshness, leads] = await Promise.all([
    readCounts(sql, now),
    readOperation(sql, now),
    countCostlyFeeds(sql),
    countUnreadableRules(sql),
    readFreshness(sql, now),
    readLeads(sql, now),
  ]);
  return { ...counts, ...operation, costlyFeeds, unreadableRules, freshness, leads };
}

type Counts = Omit<
  Figures,
  "costlyFeeds" | "unreadableRules" | "freshness" | "leads" | keyof OperationFigures
>;

async function readCounts(sql: Sql, now: Date): Promise<Counts> {
  const [row] = await sql<[{ figures: Counts }]>`
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
        from public.searches as filters left join watch.compiled_searches as searches on searches.filter_id = filters.id
      ),
      'feeds', (
        select jsonb_build_object(
          'all', count(*), 'failing', count(*) filter (where failing_since is not null),
          'late', count(*) filter (where watch.late_since(feeds, ${now}) is not null)
        )
        from watch.feeds where idle_since is null
      ),
      'canary', (
        select jsonb_build_object(
          'ageSeconds', greatest(0, extract(epoch from ${now}::timestamptz - checked_at)), 'checkSeconds', check_seconds
        )
        from watch.demo_filters where checked_at is not null order by checked_at desc limit 1
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
      'failedAlerts', (
        select jsonb_build_object('refused', 0, 'unanswered', 0, 'expired', 0)
          || coalesce(jsonb_object_agg(failure, amount), '{}')
        from (
          select failure, count(*) as amount from watch.alerts
          where failure is not null and failed_at > ${now}::timestamptz - interval '7 days' group by failure
        ) as counted
      ),
      'failureWords', (
        select coalesce(jsonb_agg(jsonb_build_object('words', words, 'count', amount) order by amount desc, words), '[]')
        from (
          select coalesce(regexp_replace(last_error, '\\d{3,}', '…', 'g'), 'unknown') as words, count(*) as amount
          from watch.alerts
          where failure is not null and failed_at > ${now}::timestamptz - interval '7 days'
          group by 1 order by amount desc, words limit 10
        ) as said
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
      'monthlyRequests', (
        select coalesce(jsonb_object_agg(name, monthly_requests), '{}') from watch.request_budgets
        where monthly_requests is not null
      ),
      'gaps', (
        select coalesce(jsonb_agg(found order by found.searches desc, found.feed, found.cause), '[]') from (
          select feed_key as feed, cause, count(distinct search_id) as searches from watch.gaps
          where until_at > ${now}::timestamptz - interval '7 days' and filled_at is null
          group by feed_key, cause order by 3 desc, 1, 2 limit 50
        ) as found
      ),
      'refusedRequestsThisMonth', (
        select coalesce(jsonb_object_agg(name, refused), '{}') from watch.request_budgets
        where month = date_trunc('month', ${now}::timestamptz at time zone 'UTC')::date
      ),
      'sourcePauses', (
        select coalesce(
          jsonb_object_agg(name, jsonb_build_object('reason', refused_because, 'until', paused_until)), '{}'
        )
        from watch.request_budgets where refusals_in_a_row > 0 and paused_until > ${now}
      ),
      'setAside', jsonb_build_object(
        'counts', (
          select jsonb_object_agg(kind, (select count(*) from watch.quarantine where quarantine.kind = kinds.kind))
          from unnest(array['search', 'advert', 'feed', 'plan']) as kinds (kind)
        ),
        'newest', (
          select coalesce(jsonb_agg(shown), '[]') from (
            select jsonb_build_object(
              'kind', kind, 'subject', subject, 'reason', reason, 'tries', tries, 'nextTryAt', next_try_at
            ) as shown
            from watch.quarantine order by since desc limit 10
          ) as newest
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
        from watch.source_defects
      )
    ) as figures`;
  return row.figures;
}

/** The database does not read rules. Equal ones are read once. */
async function countUnreadableRules(sql: Sql): Promise<number> {
  const rows = await sql<{ rules: unknown; searches: number }[]>`
    select rules, count(*)::int as searches from (
      select rules from public.searches where rules <> '[]' order by updated_at desc limit ${READ_RULES_AT_MOST}
    ) as newest group by rules`;
  return rows.reduce((sum, { rules, searches }) => sum + readRules(rules).unreadable * searches, 0);
}

const READ_RULES_AT_MOST = 5_000;

async function readFreshness(sql: Sql, now: Date): Promise<Freshness[]> {
  return await sql<Freshness[]>`
    with sent as materialized (
      select created_at, source, extract(epoch from sent_at - seen_at)::float8 as seconds from watch.alerts
      where created_at > ${now}::timestamptz - interval '7 days'
        and seen_at is not null and sent_at is not null and held_at is null
      order by created_at desc limit ${MEASURED_AT_MOST}
    )
    select source, "window", count(*)::int as alerts,
      round(percentile_cont(0.5) within group (order by seconds)::numeric, 3)::float8 as "medianSeconds",
      round(percentile_cont(0.95) within group (order by seconds)::numeric, 3)::float8 as "p95Seconds"
    from sent join (values ('24h', interval '1 day'), ('7d', interval '7 days')) as windows ("window", span)
      on sent.created_at > ${now}::timestamptz - windows.span
    where source is not null
    group by source, "window" order by source, "window"`;
}

async function readLeads(sql: Sql, now: Date): Promise<Lead[]> {
  return await sql<Lead[]>`
    with later as materialized (
      select * from watch.sightings where seen_at > ${now}::timestamptz - interval '7 days'
      order by seen_at desc limit ${MEASURED_AT_MOST}
    )
    select earlier.source as earlier, later.source as later, count(*)::int as events,
      percentile_cont(0.5) within group (order by extract(epoch from later.seen_at - earlier.seen_at))::float8
        as "medianSeconds"
    from later join watch.sightings as earlier
      on earlier.listing_id = later.listing_id and earlier.event_key = later.event_key
      and earlier.source <> later.source and earlier.seen_at < later.seen_at
    group by 1, 2 order by 1, 2`;
}

/** The state of the running service as a whole, whichever process asks. */
async function readOperation(sql: Sql, now: Date): Promise<OperationFigures> {
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
      'incidents', (
        select jsonb_object_agg(kind, (
          select count(*) from watch.incidents where incidents.kind = kinds.kind and over_at is null
        ))
        from unnest(array['quota', 'source', 'token', 'telegram', 'mail', 'disk', 'clock', 'backup', 'set-aside', 'late']) as kinds (kind)
      ),
      'databaseBytes', pg_database_size(current_database()),
      'backup', (
        select jsonb_build_object(
          'ageSeconds', greatest(0, extract(epoch from ${now}::timestamptz - coalesce(made_at, wanted_since))),
          'sizeBytes', size_bytes
        )
        from watch.backups
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
