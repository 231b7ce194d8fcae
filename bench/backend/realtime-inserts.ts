// Measures the CPU time of the serving thread per insert while 500 people are subscribed, each to their own rows: an insert for
// one of them, an insert for somebody else, and many rows in one statement. The target is one millisecond.
import { EventEmitter, once } from "node:events";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import postgres from "postgres";
import { WebSocket } from "ws";
import { startMigratedPostgres } from "#test/postgres/migrated-postgres.ts";
import { apiKey, createNotes, startRealtime, tokenFor } from "#test/test-realtime.ts";

const SUBSCRIBERS = 500;
const INSERTS = Number(process.argv[2] ?? 500);
const TARGET_MS = 1;
/** Time for unexpected messages to arrive. */
const SETTLE_MS = 500;
// All sockets come from one address here.
const limits = {
  framesPerAddress: { burst: 3 * SUBSCRIBERS, perWindow: SUBSCRIBERS },
  socketsPerAddress: SUBSCRIBERS,
  joinsPerAddress: { burst: SUBSCRIBERS, perWindow: SUBSCRIBERS },
};

type Asked = { owners: (string | undefined)[]; isOneStatement: boolean; expected: number };

type Inserted = { notified: number; elapsedMs: number };

type Clients = { url: string; port: number; tokens: string[] };

if (isMainThread) await measure();
else await runClients(workerData as Clients);

async function measure(): Promise<void> {
  const server = await startMigratedPostgres();
  const url = await server.create();
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  await createNotes(sql);
  const people = await sql<{ id: string }[]>`
    insert into auth.users (id) select gen_random_uuid() from generate_series(0, ${SUBSCRIBERS}) returning id`;
  const [stranger = "", ...subscribers] = people.map(({ id }) => id);
  const database = { url, sql, shut: async () => {}, reopen: async () => {}, drop: async () => {} };
  const realtime = await startRealtime(database, { limits });
  const tokens = await Promise.all(subscribers.map((id) => tokenFor(id)));
  const clients = new Worker(new URL(import.meta.url), { workerData: { url, port: realtime.port, tokens } });
  await once(clients, "message");
  const rows: Record<string, object> = {};
  let worst = 0;
  const cases = {
    "for a subscriber": { owners: subscribers, isOneStatement: false, expected: INSERTS },
    "for somebody else": { owners: [stranger], isOneStatement: false, expected: 0 },
    "in one statement, for subscribers": { owners: subscribers, isOneStatement: true, expected: INSERTS },
    "in one statement, for somebody else": { owners: [stranger], isOneStatement: true, expected: 0 },
  };
  for (const [name, { owners, ...how }] of Object.entries(cases)) {
    const before = process.threadCpuUsage();
    const all = Array.from({ length: INSERTS }, (_, number) => owners[number % owners.length]);
    clients.postMessage({ owners: all, ...how } satisfies Asked);
    const [{ notified, elapsedMs }] = (await once(clients, "message")) as [Inserted];
    const { user, system } = process.threadCpuUsage(before);
    const costMs = (user + system) / 1000 / INSERTS;
    worst = Math.max(worst, costMs);
    rows[name] = {
      inserts: INSERTS,
      "CPU per insert": `${costMs.toFixed(2)} ms`,
      "database per insert": `${(elapsedMs / INSERTS).toFixed(3)} ms`,
      notified,
    };
  }
  console.table(rows);
  console.log(`Target: under ${TARGET_MS} ms. ${worst < TARGET_MS ? "Met." : "MISSED."}`);
  process.exitCode = worst < TARGET_MS ? 0 : 1;
  await clients.terminate();
  await realtime.close();
  await sql.end();
  await server.stop();
}

/** In a separate thread, so that the CPU time of the clients does not count. */
async function runClients({ url, port, tokens }: Clients): Promise<void> {
  const sql = postgres(url, { max: 1 });
  const arrivals = new EventEmitter();
  let notified = 0;
  for (const [number, token] of tokens.entries()) {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/realtime/v1/websocket?apikey=${apiKey}&vsn=1.0.0`);
    await once(socket, "open");
    const config = { postgres_changes: [{ event: "*", schema: "public", table: "notes" }] };
    const payload = { config, access_token: token };
    socket.send(
      JSON.stringify({ topic: `realtime:${number}`, event: "phx_join", ref: "1", join_ref: "1", payload }),
    );
    await once(socket, "message");
    socket.on("message", (message) => {
      if (!String(message).includes('"record"')) return;
      notified += 1;
      arrivals.emit("message");
    });
  }
  parentPort?.on("message", async (asked: Asked) => {
    notified = 0;
    const statements = asked.isOneStatement ? [asked.owners] : asked.owners.map((owner) => [owner]);
    const startMs = performance.now();
    for (const owners of statements) {
      await sql`insert into public.notes (user_id, body) select unnest(${owners as string[]}::uuid[]), 'a note'`;
    }
    const elapsedMs = performance.now() - startMs;
    while (notified < asked.expected) await once(arrivals, "message");
    // Anything above what is expected would be a message to somebody else.
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
    parentPort?.postMessage({ notified, elapsedMs });
  });
  parentPort?.postMessage("ready");
}
