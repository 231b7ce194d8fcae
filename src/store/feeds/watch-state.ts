import type { Sql } from "postgres";

/** How a search fares, as far as chats are told. */
export interface WatchState {
  readonly filterUrl: string;
  readonly isPaused: boolean;
  readonly problem: "not-a-search" | "no-source" | undefined;
  readonly hasBegun: boolean;
  /** How often it is looked for; `text/watch-interval.ts` says it. */
  readonly interval: {
    readonly intervalSeconds: number | null;
    readonly isServedByMail: boolean;
    readonly spentUntil: Date | null;
  };
  readonly lastOkAt: Date | undefined;
  readonly failingSince: Date | undefined;
  readonly foundLastDay: number;
  readonly alertsWaiting: number;
}

interface StateRow {
  readonly is_paused: boolean;
  readonly problem: "not-a-search" | "no-source" | null;
  readonly begun_at: string | null;
  readonly interval_seconds: number | null;
  readonly is_served_by_mail: boolean;
  readonly spent_until: string | null;
  readonly last_ok_at: string | null;
  readonly failing_since: string | null;
  readonly found_last_day: number;
  readonly alerts_waiting: number;
}

/** The state of one of a person's searches. */
export interface SearchState extends WatchState {
  readonly searchId: string;
  /** Null: it is called by its place. */
  readonly name: string | null;
  readonly isFirst: boolean;
}

interface SearchRow {
  readonly id: string;
  readonly name: string | null;
  readonly is_first: boolean;
  readonly filter_url: string;
  readonly state: StateRow;
}

/** All of a person's searches, the first one first. By the database's clock, as the web page asks the same function. */
export async function watchStatesOf(sql: Sql, userId: string): Promise<SearchState[]> {
  const rows = await sql<SearchRow[]>`
    select id, name, is_first, filter_url, watch.state_of_search(id) as state
    from watch.saved_searches where user_id = ${userId} order by is_first desc, created_at, id`;
  return rows.map(stateOf);
}

/** Of the first search; undefined where there is none. */
export async function watchStateOf(sql: Sql, userId: string): Promise<WatchState | undefined> {
  const [first] = await sql<SearchRow[]>`
    select id, name, true as is_first, filter_url, watch.state_of_search(id) as state
    from public.filter_settings where user_id = ${userId}`;
  return first && stateOf(first);
}

function stateOf({ id, name, is_first, filter_url, state }: SearchRow): SearchState {
  return {
    searchId: id,
    name,
    isFirst: is_first,
    filterUrl: filter_url,
    isPaused: state.is_paused,
    problem: state.problem ?? undefined,
    hasBegun: state.begun_at !== null,
    interval: {
      intervalSeconds: state.interval_seconds,
      isServedByMail: state.is_served_by_mail,
      spentUntil: dateOf(state.spent_until) ?? null,
    },
    lastOkAt: dateOf(state.last_ok_at),
    failingSince: dateOf(state.failing_since),
    foundLastDay: state.found_last_day,
    alertsWaiting: state.alerts_waiting,
  };
}

function dateOf(text: string | null): Date | undefined {
  return text === null ? undefined : new Date(text);
}
