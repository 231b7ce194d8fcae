// Several watchers on one database, as on several machines, and what they must find.
import { type ChildProcess, fork } from "node:child_process";
import type { Sql } from "postgres";
import { publishMatching } from "#simulators/portal/publish-matching.ts";
import type { PortalSimulator } from "#simulators/portal/start-portal-simulator.ts";
import { addPeople, alertsOf } from "./world.ts";

export interface WatcherProcess {
  readonly ready: Promise<void>;
  kill(): Promise<void>;
  stop(): Promise<void>;
}

export function startWatcherProcess(
  databaseUrl: string,
  portalUrl: string,
  intervalSeconds: number,
): WatcherProcess {
  const child: ChildProcess = fork(
    "test/watching/process.ts",
    [databaseUrl, portalUrl, String(intervalSeconds)],
    {
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    },
  );
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  return {
    ready: new Promise((resolve, reject) => {
      child.once("message", () => resolve());
      void exited.then(() => reject(new Error("A watcher ended before it was ready")));
    }),
    kill: async () => {
      child.kill("SIGKILL");
      await exited;
    },
    stop: async () => {
      if (child.connected) child.send("stop");
      await exited;
    },
  };
}

const SITE = "https://www.idealista.com";
/** Two markets and three feeds: places, a price limit, and a filter that only the API knows. */
const WATCHED_URLS = [
  `${SITE}/venta-viviendas/madrid-madrid/`,
  `${SITE}/venta-viviendas/madrid/retiro/con-precio-hasta_700000/`,
  `${SITE}/venta-viviendas/madrid/centro/con-de-dos-dormitorios/`,
  `${SITE}/venta-viviendas/madrid-madrid/con-terraza/`,
  `${SITE}/alquiler-viviendas/madrid/chamberi/`,
  `${SITE}/alquiler-viviendas/madrid-madrid/con-ascensor/`,
];

/** Creates the same users with the same chats on any database. */
export async function addSamePeople(sql: Sql, copies: number): Promise<void> {
  const people = Array.from({ length: copies }, (_, copy) =>
    WATCHED_URLS.map((url, n) => ({
      url,
      chatIds: [String(10_000 + copy * 100 + n), String(-(10_000 + copy * 100 + n))],
    })),
  );
  await addPeople(sql, people.flat());
}

export function publishOne(portal: PortalSimulator, n: number): string {
  const url = WATCHED_URLS[n % WATCHED_URLS.length] ?? "";
  const outcome = publishMatching(portal.market, { url });
  if (!outcome.isPublished) throw new Error(`${url}: ${outcome.reason}`);
  return outcome.advert.code;
}

/** The alerts as chat, kind and listing, comparable between databases. */
export async function alertsOn(sql: Sql): Promise<string[]> {
  const alerts = await alertsOf(sql, ["new"]);
  return alerts.map(({ chatId, kind, listingId }) => `${chatId} ${kind} ${listingId}`).toSorted();
}

/** The found listings by chat instead of account id. */
export async function foundOn(sql: Sql, codes: readonly string[]): Promise<string[]> {
  const rows = await sql<{ found: string }[]>`
    select min(chats.chat_id)::text || ' ' || listings.listing_id as found
    from public.listings join public.chats on chats.user_id = listings.user_id
    group by listings.user_id, listings.listing_id`;
  const wanted = new Set(codes);
  return rows
    .map(({ found }) => found)
    .filter((found) => wanted.has(found.split(" ")[1] ?? ""))
    .toSorted();
}

export async function hasBegunForAll(sql: Sql): Promise<boolean> {
  const [row] = await sql<[{ waiting: number }]>`
    select (select count(*) from public.filter_settings)::int
      - (select count(*) from watch.compiled_searches where baseline_at is not null)::int as waiting`;
  return row.waiting === 0;
}

/** Whether every feed has committed a check since then. After the second commit, a feed has also read since then. */
export async function isCheckedSince(sql: Sql, moment: number): Promise<boolean> {
  const rows = await sql`
    select 1 from watch.feeds where idle_since is null and (last_ok_at is null or last_ok_at <= ${new Date(moment)})`;
  return rows.length === 0;
}

/** The alerts that must exist: every listing in both chats of the user whose link it was published for. */
export function owedFor(codes: readonly string[], copies = 1): string[] {
  return codes.flatMap((code, n) =>
    Array.from({ length: copies }, (_, copy) => 10_000 + copy * 100 + (n % WATCHED_URLS.length)).flatMap(
      (chat) => [`${chat} new ${code}`, `${-chat} new ${code}`],
    ),
  );
}
