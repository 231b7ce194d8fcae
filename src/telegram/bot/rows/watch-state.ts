import type { Sql } from "postgres";
import type { AlertCounts, HealthFacts } from "#core/health/health-of.ts";
import type { SearchToName } from "#text/search-names.ts";

export interface WatchState {
  readonly filterUrl: string;
  readonly isPaused: boolean;
  /** `core/health/health-of.ts` derives the state from them. */
  readonly facts: HealthFacts;
  /** The check interval, described by `text/watch-interval.ts`. */
  readonly interval: {
    readonly intervalSeconds: number | null;
    readonly isServedByMail: boolean;
    readonly spentUntil: Date | null;
  };
  readonly lastOkAt: Date | undefined;
  readonly alerts: AlertCounts;
}

interface StateRow extends HealthFacts {
  readonly interval_seconds: number | null;
  readonly alerts: AlertCounts;
}

export interface SearchState extends WatchState {
  readonly searchId: string;
  /** Null: it is named after its place. */
  readonly name: string | null;
  readonly isFirst: boolean;
  /** All searches of the person, among which its name must tell it apart. */
  readonly among: readonly SearchToName[];
}

interface SearchRow {
  readonly id: string;
  readonly name: string | null;
  readonly is_first: boolean;
  readonly filter_url: string;
  readonly state: StateRow;
}

/** All searches of a person, the first one first. By the database's clock: the web page calls the same function. */
export async function watchStatesOf(sql: Sql, userId: string): Promise<SearchState[]> {
  const rows = await sql<SearchRow[]>`
    select id, name, is_first, filter_url, watch.state_of_search(id) as state
    from public.searches where user_id = ${userId} order by is_first desc, created_at, id`;
  const among = rows.map(({ id, name, filter_url: url }) => ({ id, name, url }));
  return rows.map((row) => ({ ...stateOf(row), among }));
}

function stateOf({ id, name, is_first, filter_url, state }: SearchRow): Omit<SearchState, "among"> {
  return {
    searchId: id,
    name,
    isFirst: is_first,
    filterUrl: filter_url,
    isPaused: state.is_paused,
    facts: state,
    interval: {
      intervalSeconds: state.interval_seconds,
      isServedByMail: state.is_served_by_mail,
      spentUntil: dateOf(state.spent_until) ?? null,
    },
    lastOkAt: dateOf(state.last_ok_at),
    alerts: state.alerts,
  };
}

function dateOf(text: string | null): Date | undefined {
  return text === null ? undefined : new Date(text);
}
