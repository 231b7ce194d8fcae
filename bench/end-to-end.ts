// Measures the time from a listing's publication on the portal until Telegram accepts the alert. The product runs in a separate
// process, the portal takes 50 ms to answer, Telegram takes 30 ms and enforces its limits, and checks start immediately.
import type { Sql } from "postgres";
import { allPlaces } from "#core/places/places.ts";
import { openDatabase } from "#platform/database/open-database.ts";
import { publishMatching } from "#simulators/portal/publish-matching.ts";
import { startPortalSimulator } from "#simulators/portal/start-portal-simulator.ts";
import { createPerson } from "#simulators/telegram/phone/create.ts";
import { startTelegramSimulator } from "#simulators/telegram/start-telegram-simulator.ts";
import { simulatedServices } from "#test/simulated-services.ts";
import { addPeople } from "#test/watching/world.ts";
import { quantile, seconds, until } from "./harness/measure.ts";
import { type BenchServer, startBenchServer } from "./harness/product.ts";

const PORTAL_MS = 50;
const TELEGRAM_MS = 30;
const PATIENCE_MS = 600_000;
const METRICS_TOKEN = "only-for-this-measurement";
const CITY = "0-EU-ES-28-07-001-079";
const DISTRICTS = [...allPlaces()].filter(({ id, level }) => level === "district" && id.startsWith(CITY));
const LOWEST_PRICE_EUR = 800;
const WIDTH_EUR = 5;

async function measure(people: readonly string[]) {
  const searches = [...new Set(people)];
  const portal = await startPortalSimulator({ size: 8_000, newPerDay: 0, monthlyRequests: null });
  const telegram = await startTelegramSimulator();
  const server = await startBenchServer({ ...simulatedServices(portal, telegram), METRICS_TOKEN });
  const sql = openDatabase({ url: server.databaseUrl, max: 2 });
  try {
    const chatIds = people.map(() => createPerson(telegram, { isStarted: true }).id);
    await addPeople(
      sql,
      people.map((url, n) => ({ url, chatIds: [String(chatIds[n])] })),
    );
    await untilSent(sql, "watch-started", people.length);
    portal.faults.set({ fault: "slow", ms: PORTAL_MS });
    telegram.faults.set({ kind: "slow", ms: TELEGRAM_MS, times: Number.POSITIVE_INFINITY });
    portal.ledger.clear();

    const before = await processOf(server);
    const publishedAt = new Map(searches.map((url) => [publish(portal, url), Date.now()]));
    await sql`update watch.feeds set next_check_at = now() where idle_since is null`;
    const sent = await untilAllSent(sql, [...publishedAt.keys()]);
    const after = await processOf(server);
    const latencies = sent.map(({ listingId, sentAt }) => sentAt - (publishedAt.get(listingId) ?? 0));
    return {
      alerts: sent.length,
      requests: portal.ledger.count("search") + portal.ledger.count("by-url"),
      "p50 s": seconds(quantile(latencies, 0.5)),
      "p95 s": seconds(quantile(latencies, 0.95)),
      "max s": seconds(Math.max(...latencies)),
      "alerts per second": Number((sent.length / (Math.max(...latencies) / 1000)).toFixed(1)),
      "rate-limited (429)": telegram.ledger.refused.length,
      "cpu ms per search": Math.round(((after.cpuSeconds - before.cpuSeconds) * 1000) / searches.length),
      "rss MB": Math.round(after.rssBytes / 1e6),
    };
  } finally {
    await sql.end();
    await server.stop();
    await Promise.all([portal.close(), telegram.close()]);
  }
}

function publish(portal: Awaited<ReturnType<typeof startPortalSimulator>>, url: string): string {
  const outcome = publishMatching(portal.market, { url });
  if (!outcome.isPublished) throw new Error(`${url}: ${outcome.reason}`);
  return String(outcome.advert.code);
}

async function untilSent(sql: Sql, kind: string, count: number): Promise<void> {
  const isSent = async () => {
    const [row] = await sql<[{ count: number }]>`
      select count(*)::int as count from watch.alerts where kind = ${kind} and state = 'sent'`;
    return row.count >= count;
  };
  if (!(await until(isSent, PATIENCE_MS)))
    throw new Error(`${count} alerts of the kind ${kind} were not sent`);
}

/** Waits until all alerts about these listings are sent, and returns when each was. */
async function untilAllSent(sql: Sql, listingIds: readonly string[]) {
  const wanted = sql.json([...listingIds]);
  let sent: { listingId: string; sentAt: number }[] = [];
  const isAllSent = async () => {
    const rows = await sql<{ listingId: string; sentAt: number | null }[]>`
      select listing_id as "listingId", (extract(epoch from sent_at) * 1000)::float8 as "sentAt"
      from watch.alerts where listing_id in (select jsonb_array_elements_text(${wanted}))
        and kind = 'new'`;
    sent = rows.flatMap(({ listingId, sentAt }) => (sentAt === null ? [] : [{ listingId, sentAt }]));
    return (
      new Set(rows.map(({ listingId }) => listingId)).size === listingIds.length &&
      sent.length === rows.length
    );
  };
  if (!(await until(isAllSent, PATIENCE_MS))) throw new Error("Not all alerts were sent");
  return sent;
}

async function processOf(server: BenchServer) {
  const answer = await fetch(`${server.url}/metrics`, {
    headers: { authorization: `Bearer ${METRICS_TOKEN}` },
  });
  const text = await answer.text();
  const figure = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1]);
  return {
    cpuSeconds: figure("sereno_process_cpu_seconds_total"),
    rssBytes: figure("sereno_process_resident_memory_bytes"),
  };
}

const fifty = differentSearches(50);
console.table({
  "100 searches, all different, one new listing each": await measure(differentSearches(100)),
  "500 searches, all different, one new listing each": await measure(differentSearches(500)),
  "500 people on 50 searches": await measure(Array.from({ length: 500 }, (_, n) => fifty[n % 50] ?? "")),
});

/** All different, and so narrow that a listing published for one matches no other. */
function differentSearches(count: number): string[] {
  return Array.from({ length: count }, (_, n) => {
    const place = DISTRICTS[n % DISTRICTS.length]?.path.join("/");
    const lowest = LOWEST_PRICE_EUR + WIDTH_EUR * n;
    const limits = `con-precio-hasta_${lowest + WIDTH_EUR - 1},precio-desde_${lowest}`;
    return `https://www.idealista.com/alquiler-viviendas/${place}/${limits}/`;
  });
}
