// Users, a portal and the watcher's sources, for tests and benches of the watcher.
import { randomUUID } from "node:crypto";
import type { Sql } from "postgres";
import type { Logger } from "#core/ports/logger.ts";
import type { RequestBudget } from "#core/ports/request-budget.ts";
import type { PortalSimulator } from "#simulators/portal/start-portal-simulator.ts";
import { DEFAULT_BY_URL_KEY, DEFAULT_CREDENTIALS } from "#simulators/portal/start-portal-simulator.ts";
import { createIdealistaApi } from "#sources/idealista-api/idealista-api.ts";
import { createSearchByUrl } from "#sources/search-by-url/search-by-url.ts";
import type { WatcherSources } from "#watcher/check/read-feed.ts";

/** Allows every request at once. */
const freeBudget: RequestBudget = {
  take: async () => ({ isGranted: true, waitMs: 0, settle: async () => 0 }),
};

export const silentLogger: Logger = {
  info: () => {},
  warn: () => {},
  error: (fields, message) => {
    const { err } = fields as { err?: unknown };
    process.stderr.write(`${message} ${err instanceof Error ? err.stack : JSON.stringify(fields)}\n`);
  },
};

export interface SourceSettings {
  readonly portal: Pick<PortalSimulator, "url">;
  readonly now?: () => number;
  readonly budget?: RequestBudget;
  readonly sleep?: (ms: number) => Promise<void>;
  readonly monthlyRequests?: number | null;
  readonly only?: "official" | "by-url";
}

/** Creates the sources as the server does. */
export function sourcesOf(settings: SourceSettings): WatcherSources {
  const { portal, now, budget, sleep, monthlyRequests, only } = settings;
  const surroundings = { budget: budget ?? freeBudget, ...(now && { now }), ...(sleep && { sleep }) };
  const official = createIdealistaApi({ baseUrl: portal.url, ...DEFAULT_CREDENTIALS, ...surroundings });
  const byUrl = createSearchByUrl({ baseUrl: portal.url, key: DEFAULT_BY_URL_KEY, ...surroundings });
  const allowance = { monthlyRequests: monthlyRequests ?? null, ...(budget ? {} : { spacingMs: 0 }) };
  return {
    official: only === "by-url" ? undefined : { ...allowance, source: official },
    byUrl: only === "official" ? undefined : { ...allowance, source: byUrl },
  };
}

export interface NewPerson {
  readonly url: string;
  /** Further searches with the same chats. */
  readonly otherUrls?: readonly string[];
  readonly chatIds?: readonly string[];
  /** Entered ids of chats that are asked for consent and do not answer. */
  readonly isUnreachable?: boolean;
}

export interface Person {
  readonly userId: string;
  readonly filterId: string;
  readonly chatIds: readonly string[];
}

let lastChatId = 1_000;

const CROWD = 5_000;

/** Creates users with a search and connected chats, one each by default. Many users are inserted without notifications. */
export async function addPeople(sql: Sql, people: readonly NewPerson[]): Promise<Person[]> {
  const rows = people.map(({ url, otherUrls = [], chatIds, isUnreachable = false }) => {
    lastChatId += 1;
    const ids = { userId: randomUUID(), filterId: randomUUID(), chatIds: chatIds ?? [String(lastChatId)] };
    return { ...ids, url, otherUrls, isUnreachable };
  });
  const isCrowd = rows.reduce((searches, { otherUrls }) => searches + 1 + otherUrls.length, 0) >= CROWD;
  for (let from = 0; from < rows.length; from += CROWD) {
    await addSome(sql, rows.slice(from, from + CROWD), isCrowd);
  }
  return rows;
}

async function addSome(
  sql: Sql,
  rows: readonly (Person & { url: string })[],
  isCrowd: boolean,
): Promise<void> {
  const json = sql.json(rows as never);
  await sql.begin(async (db) => {
    if (isCrowd) await db`set local session_replication_role = replica`;
    await db`
      insert into auth.users (id, email)
      select "userId", "userId" || '@example.com' from jsonb_to_recordset(${json}) as p ("userId" uuid)`;
    await db`
      insert into watch.chats (chat_id, kind, standing, asked_id_at)
      select distinct jsonb_array_elements_text("chatIds")::bigint, 'private', 'ok', now()
      from jsonb_to_recordset(${json}) as p ("chatIds" jsonb, "isUnreachable" boolean) where not "isUnreachable"
      on conflict (chat_id) do nothing`;
    // Connect the chats before saving the search, so that no questions are sent.
    await db`
      insert into public.chats (user_id, chat_id, kind, state, confirmed_at)
      select "userId", jsonb_array_elements_text("chatIds")::bigint, 'private', 'connected', now()
      from jsonb_to_recordset(${json}) as p ("userId" uuid, "chatIds" jsonb, "isUnreachable" boolean)
      where not "isUnreachable"`;
    await db`
      insert into public.searches (id, user_id, first_of, filter_url, receiver_ids)
      select "filterId", "userId", "userId", url, (select array_agg(id) from jsonb_array_elements_text("chatIds") as id)
      from jsonb_to_recordset(${json}) as p ("filterId" uuid, "userId" uuid, url text, "chatIds" jsonb)`;
    await db`
      insert into public.searches (user_id, filter_url, receiver_ids)
      select "userId", jsonb_array_elements_text("otherUrls"),
        (select array_agg(id) from jsonb_array_elements_text("chatIds") as id)
      from jsonb_to_recordset(${json}) as p ("userId" uuid, "otherUrls" jsonb, "chatIds" jsonb)`;
  });
}

export interface AlertRow {
  readonly userId: string;
  readonly chatId: string;
  readonly kind: string;
  readonly listingId: string | null;
  readonly payload: Record<string, unknown>;
}

export async function alertsOf(sql: Sql, kinds?: readonly string[]): Promise<AlertRow[]> {
  const rows = await sql<AlertRow[]>`
    select user_id as "userId", chat_id::text as "chatId", kind, listing_id as "listingId", payload
    from watch.alerts order by position`;
  return kinds ? rows.filter(({ kind }) => kinds.includes(kind)) : rows;
}
