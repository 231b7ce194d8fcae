// Simulates days of a changing market with a held clock and with failures of portal and database, and computes which alerts are
// due at the end.
import { setTimeout as wait } from "node:timers/promises";
import postgres, { type Sql } from "postgres";
import { fitsSearch, readSearchUrl } from "#simulators/portal/by-url/read-search-url.ts";
import type { FaultName } from "#simulators/portal/faults.ts";
import { type Random, seeded } from "#test/seeded.ts";
import type { WatchTasks } from "#watcher/watch-tasks.ts";
import { runDue, type Story } from "./story.ts";
import { addPeople, alertsOf, type Person } from "./world.ts";

const STEP_MS = 600_000;
const OUTAGE_MS = 200;
const SITE = "https://www.idealista.com";
const URLS = [
  `${SITE}/venta-viviendas/madrid-madrid/`,
  `${SITE}/venta-viviendas/madrid/retiro/con-precio-hasta_700000/`,
  `${SITE}/venta-viviendas/madrid-madrid/con-terraza/`,
  `${SITE}/alquiler-viviendas/madrid-madrid/con-de-dos-dormitorios/`,
];
const PORTAL_FAULTS: readonly FaultName[] = [
  "down",
  "bad-gateway",
  "captcha",
  "truncated",
  "empty",
  "server-error",
];

export interface DaysReport {
  readonly rounds: number;
  readonly failedChecks: number;
  readonly databaseOutages: number;
  readonly owed: number;
  /** Due alerts that are missing in the outbox of a chat. */
  readonly lost: readonly string[];
  readonly doubled: number;
  /** Found listings times the chats of their users. */
  readonly detected: number;
  readonly told: number;
  readonly undeliverable: number;
  readonly waiting: number;
  readonly sourceDown: number;
  readonly sourceUp: number;
}

interface Days {
  readonly story: Story;
  readonly databaseUrl: string;
  readonly people: readonly Person[];
  readonly owed: Set<string>;
  readonly random: Random;
  journalFrom: number;
  /** Remaining rounds of an outage. */
  portalDown: number;
  failedChecks: number;
  databaseOutages: number;
}

/** Takes an open story. Every user has two chats, and the second chat of the first user is unreachable. */
export async function liveDays(story: Story, databaseUrl: string, rounds: number): Promise<DaysReport> {
  const people = await addPeople(
    story.sql,
    URLS.map((url, n) => ({ url, chatIds: [String(500 + n), String(-500 - n)] })),
  );
  const days: Days = {
    story,
    databaseUrl,
    people,
    owed: new Set(),
    random: seeded(5),
    journalFrom: 0,
    portalDown: 0,
    failedChecks: 0,
    databaseOutages: 0,
  };
  const watcher = story.rounds();
  await runDue(watcher);
  days.journalFrom = story.portal.market.journal.length;
  for (let n = 0; n < rounds; n++) {
    story.clock.advance(STEP_MS);
    // No failures at the end, so that all due alerts can arrive.
    await liveRound(days, watcher, n < rounds - 10);
  }
  return await reportOf(days, rounds);
}

async function liveRound(days: Days, watcher: WatchTasks, mayFail: boolean): Promise<void> {
  const { story, random } = days;
  days.portalDown = Math.max(0, days.portalDown - 1);
  if (days.portalDown === 0) story.portal.faults.clear();
  if (mayFail && days.portalDown === 0 && random() < 0.05) {
    days.portalDown = 1 + Math.floor(random() * 9);
    story.portal.faults.set({ fault: PORTAL_FAULTS[Math.floor(random() * PORTAL_FAULTS.length)] ?? "down" });
  }
  const isCut = mayFail && random() < 0.03;
  const outcomes = isCut ? await runThroughOutage(days, watcher) : await runDue(watcher);
  const failed = outcomes.filter(({ outcome }) => outcome !== "checked").length;
  days.failedChecks += failed;
  if (failed === 0 && !isCut) noteOwed(days);
  await deliver(story.sql, days.people);
}

/** A database outage in the middle of the checks. What they did not commit must be found again. */
async function runThroughOutage(days: Days, watcher: WatchTasks) {
  days.databaseOutages += 1;
  const name = new URL(days.databaseUrl).pathname.slice(1);
  const adminUrl = new URL(days.databaseUrl);
  adminUrl.pathname = "/postgres";
  const admin = postgres(adminUrl.href, { max: 1, onnotice: () => {} });
  const checks = runDue(watcher).catch(() => []);
  await admin.unsafe(`alter database ${name} with allow_connections false`);
  await admin`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name}`;
  // Some checks fail at once, others wait for the database.
  await Promise.race([checks, wait(OUTAGE_MS)]);
  const meanwhile = runDue(watcher).catch(() => []);
  await admin.unsafe(`alter database ${name} with allow_connections true`);
  await admin.end();
  await meanwhile;
  const outcomes = await checks;
  await forgetCutConnections(days.story.sql);
  return outcomes;
}

/** A connection that was closed while idle fails at its next query. Query each of them once here. */
async function forgetCutConnections(sql: Sql): Promise<void> {
  const questions = Array.from({ length: 5 * (sql.options.max ?? 1) }, () => sql`select 1`);
  await Promise.allSettled(questions);
}

/** Matching listings published since the start that still exist after a round in which every feed was checked. */
function noteOwed({ story, people, owed, journalFrom }: Days): void {
  const { market } = story.portal;
  const entries = market.journal.slice(journalFrom);
  const fresh = new Set(entries.filter(({ type }) => type === "published").map(({ code }) => code));
  people.forEach(({ userId }, n) => {
    const reading = readSearchUrl(URLS[n] ?? "");
    if (!reading.isRead) throw new Error(URLS[n]);
    const { operation, propertyType, placeId } = reading.search;
    for (const advert of market.select(operation, propertyType, placeId)) {
      if (fresh.has(advert.code) && fitsSearch(reading.search, advert, market.now))
        owed.add(`${userId} ${advert.code}`);
    }
  });
}

/** Plays the sender: all but the newest alerts are sent, and one chat is unreachable. */
async function deliver(sql: Sql, [first]: readonly Person[]): Promise<void> {
  const lost = first?.chatIds[1] ?? "0";
  await sql`
    update watch.alerts set state = case when chat_id = ${lost} then 'undeliverable' else 'sent' end
    where state = 'pending' and position < (select coalesce(max(position), 0) - 5 from watch.alerts)`;
}

async function reportOf(
  { story, people, owed, failedChecks, databaseOutages }: Days,
  rounds: number,
): Promise<DaysReport> {
  const { sql } = story;
  const found = await alertsOf(sql, ["new"]);
  const lines = found.map(({ userId, chatId, listingId }) => `${userId} ${listingId} ${chatId}`);
  const held = new Set(lines);
  const chatsOf = new Map(people.map(({ userId, chatIds }) => [userId, chatIds]));
  const lost = [...owed].filter((one) =>
    chatsOf.get(one.split(" ")[0] ?? "")?.some((chat) => !held.has(`${one} ${chat}`)),
  );
  const [count] = await sql<[{ detected: number; told: number; undeliverable: number; waiting: number }]>`
    select
      (select count(*)::int from public.listings join public.chats using (user_id)
        where not exists (
          select from watch.alerts as started
          where started.user_id = listings.user_id and started.kind = 'watch-started'
            and jsonb_path_exists(started.payload, '$.newest[*] ? (@.propertyCode == $code)',
              jsonb_build_object('code', listings.listing_id))
        )) as detected,
      count(*) filter (where state = 'sent')::int as told,
      count(*) filter (where state = 'undeliverable')::int as undeliverable,
      count(*) filter (where state = 'pending')::int as waiting
    from watch.alerts where kind = 'new'`;
  return {
    rounds,
    failedChecks,
    databaseOutages,
    owed: owed.size,
    lost,
    doubled: lines.length - held.size,
    ...count,
    sourceDown: (await alertsOf(sql, ["source-down"])).length,
    sourceUp: (await alertsOf(sql, ["source-up"])).length,
  };
}
