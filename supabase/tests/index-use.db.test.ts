// What a request costs must not grow with the number of people. Sequential scans are made so expensive here that the planner chooses
// one only where no index serves, and the statistics of the server say which tables were scanned nevertheless.
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Person, signUpCast } from "#test/cast.ts";
import { startTestProduct, type TestProduct } from "#test/test-product.ts";
import { addPeople } from "#test/watching/world.ts";
import { putRows, readFunctions, readRelations } from "./access-probe.ts";
import { ARGUMENTS, rowFor } from "./access-rows.ts";

// Few are enough: a scan counts by its being chosen, not by its cost.
const OTHERS = 200;
const SEARCH = "https://www.idealista.com/alquiler-viviendas/madrid-madrid/";

/** Their size depends on the installation, not on the number of people. */
const SMALL = [
  ...[
    "public.demo_listings",
    "public.market_figures",
    "public.watch_intervals",
    "watch.alert_kinds",
    "watch.bot",
  ],
  // Hosted Supabase writes it, and the embedded one does not.
  "auth.audit_log_entries",
  ...[
    "watch.demo_filters",
    "watch.feeds",
    "watch.incidents",
    "watch.measured_figures",
    "watch.pause",
    "watch.sender",
    "private.server_keys",
  ],
];

const NO_SEQUENTIAL_SCANS = `
  do $$ begin execute format('alter database %I set enable_seqscan = off', current_database()); end $$`;

let product: TestProduct;
let alice: Person;
let bob: Person;

beforeAll(async () => {
  product = await startTestProduct({}, NO_SEQUENTIAL_SCANS);
  // Scheduled jobs may read a whole table: no request waits for them.
  const { sql } = product.database;
  await sql`delete from pgboss.schedule`;
  ({ alice, bob } = await signUpCast(product));
  const tables = (await readRelations(product)).filter(({ isTable }) => isTable);
  await putRows(
    product,
    Object.fromEntries(
      tables.map(({ name }) => [name, [rowFor(name, { id: alice.id, number: 1, mark: "alices-own" })]]),
    ),
  );
  await addPeople(
    sql,
    Array.from({ length: OTHERS }, () => ({ url: SEARCH })),
  );
  await sql`vacuum analyze`;
  const openJobs = () => sql`select from pgboss.job where state in ('created', 'retry', 'active')`;
  await vi.waitUntil(async () => (await openJobs()).count === 0, { timeout: 60_000 });
});

afterAll(() => product.stop());

async function ask(): Promise<void> {
  const { client } = alice;
  const guest = product.createClient();
  const password = "alice-password";
  await client.auth.signInWithPassword({ email: alice.email, password });
  await client.auth.refreshSession();
  await client.auth.getUser();
  await guest.auth.signInWithPassword({ email: alice.email, password: "wrong-password" });
  await guest.auth.resetPasswordForEmail(alice.email);
  await guest.auth.signUp({ email: "carol@example.com", password: "carol-password" });
  for (const { name } of await readRelations(product)) {
    await client.from(name).select("*").limit(100);
    await guest.from(name).select("*").limit(100);
  }
  const added = { user_id: alice.id, filter_url: SEARCH, receiver_ids: ["5001"] };
  const { data } = await client.from("searches").insert(added).select("id").single();
  await client.from("searches").update({ name: "Another" }).eq("id", data?.id);
  await client.from("searches").delete().eq("id", data?.id);
  await client.from("find_settings").upsert({ user_id: alice.id, who: "Alice" });
  await client.from("profiles").update({ language: "es" }).eq("id", alice.id);
  for (const { name } of await readFunctions(product)) {
    if (name !== "delete_my_account") await client.rpc(name, await ARGUMENTS[name]?.(alice));
  }
  await client.auth.updateUser({ password: "another-password" });
  await client.auth.signOut({ scope: "others" });
  await bob.client.rpc("delete_my_account", await ARGUMENTS.delete_my_account?.(bob));
}

/** Connections report what they read when they end. */
async function readCounts() {
  const { sql } = product.database;
  await product.database.shut();
  await product.database.reopen();
  // The driver may still send the first query on a connection that has ended.
  return await vi.waitFor(
    () => sql<{ name: string; scans: number; fetched: number }[]>`
      select schemaname || '.' || relname as name, seq_scan::int as scans, coalesce(idx_tup_fetch, 0)::int as fetched
      from pg_stat_user_tables where schemaname in ('public', 'private', 'auth', 'watch') order by 1`,
  );
}

test("RUN-07 no request scans a table that grows with the number of people", async () => {
  const before = new Map((await readCounts()).map((row) => [row.name, row]));
  await ask();
  const read = (await readCounts()).map(({ name, scans, fetched }) => ({
    name,
    scans: scans - (before.get(name)?.scans ?? 0),
    fetched: fetched - (before.get(name)?.fetched ?? 0),
  }));
  const growing = read.filter(({ name }) => !SMALL.includes(name));
  expect(growing.filter(({ scans }) => scans > 0)).toEqual([]);
  // Or the whole of it through an index.
  expect(growing.filter(({ fetched }) => fetched >= OTHERS)).toEqual([]);
  expect(read.find(({ name }) => name === "auth.users")?.fetched).toBeGreaterThan(0);
});
