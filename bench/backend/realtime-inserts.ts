// Measures the CPU time of the serving thread per insert while 500 people are subscribed, each to their own rows: an insert for
// one of them, and an insert for somebody else. The target is one millisecond.
import { once } from "node:events";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import postgres from "postgres";
import { WebSocket } from "ws";
import { startMigratedPostgres } from "#test/postgres/migrated-postgres.ts";
import { apiKey, createNotes, startRealtime, tokenFor } from "#test/test-realtime.ts";

const SUBSCRIBERS = 500;
const INSERTS = Number(process.argv[2] ?? 500);
const TARGET_MS = 1;
/** Time for the last messages to arrive. */
const SETTLE_MS = 500;
// All sockets come from one address here.
const limits = {
  framesPerAddress: { burst: 3 * SUBSCRIBERS, perWindow: SUBSCRIBERS },
  socketsPerAddress: SUBSCRIBERS,
  joinsPerAddress: { burst: SUBSCRIBERS, perWindow: SUBSCRIBERS },
};

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
  const rows: Record<string, { inserts: number; "CPU per insert": string; notified: number }> = {};
  let worst = 0;
  const cases = { "for a subscriber": subscribers, "for somebody else": [stranger] };
  for (const [name, owners] of Object.entries(cases)) {
    const before = process.threadCpuUsage();
    clients.postMessage(Array.from({ length: INSERTS }, (_, number) => owners[number % owners.length]));
    const [notified] = (await once(clients, "message")) as [number];
    const { user, system } = process.threadCpuUsage(before);
    const costMs = (user + system) / 1000 / INSERTS;
    worst = Math.max(worst, costMs);
    rows[name] = { inserts: INSERTS, "CPU per insert": `${costMs.toFixed(2)} ms`, notified };
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
      if (String(message).includes('"record"')) notified += 1;
    });
  }
  parentPort?.on("message", async (owners: string[]) => {
    notified = 0;
    for (const owner of owners) {
      await sql`insert into public.notes (user_id, body) values (${owner}, 'a note')`;
    }
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
    parentPort?.postMessage(notified);
  });
  parentPort?.postMessage("ready");
}
