import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#test/test-database.ts";
import { startTestRestApi, type TestRestApi } from "#test/test-rest-api.ts";

const patience = { timeout: 60_000, interval: 50 };
const alice = randomUUID();
const bob = randomUUID();
let database: TestDatabase;
let rest: TestRestApi;

beforeAll(async () => {
  database = await createTestDatabase();
  await database.sql.unsafe(`
    create view public.slow with (security_invoker) as select pg_sleep(30)::text as slept;
    create function public.who_runs_this() returns jsonb language sql stable as
      $$ select jsonb_build_object('current', current_user, 'session', session_user, 'claims', current_setting('request.jwt.claims', true)) $$;
    grant select on public.slow to authenticated;
    insert into auth.users (id, email) values ('${alice}', 'a@example.org'), ('${bob}', 'b@example.org');
    insert into public.filter_settings (user_id, filter_url, receiver_ids)
      select id, 'https://www.idealista.com/alquiler-viviendas/madrid-madrid/', '{123456}' from auth.users;`);
  rest = await startTestRestApi(database.url, database.sql);
});

afterAll(async () => {
  await rest.stop();
  await database.drop();
});

test("READ-03 inside a request the login role owns nothing, and the current role is the person's", async () => {
  const ask = async (person?: string) =>
    JSON.parse((await rest.ask({ path: "rpc/who_runs_this" }, person)).text);
  expect(await ask(alice)).toMatchObject({ current: "authenticated", session: "authenticator" });
  expect(await ask()).toMatchObject({ current: "anon", session: "authenticator", claims: "" });
});

test("DOOR-02 concurrent requests on the same connections each see only their own person's rows", async () => {
  const askers = Array.from({ length: 90 }, (_, number) => [alice, bob, undefined][number % 3]);
  const owners = await Promise.all(
    askers.map(async (asker) => {
      const { data, error } = await rest.clientOf(asker).from("filter_settings").select("user_id");
      return error ? error.code : data.map((row) => row.user_id);
    }),
  );
  expect(owners).toEqual(askers.map((asker) => (asker ? [asker] : "42501")));
});

test("DOOR-02 a table that changes after a statement was prepared is read as it is now", async () => {
  const read = async () =>
    Object.keys(JSON.parse((await rest.ask({ path: "profiles?select=*" }, alice)).text)[0]);
  const before = await read();
  expect(await read()).toEqual(before);
  await database.sql`alter table public.profiles add column later text default 'new'`;
  // On every connection of the pool.
  const answers = await Promise.all(Array.from({ length: 30 }, read));
  await database.sql`alter table public.profiles drop column later`;
  expect(answers).toEqual(Array(30).fill([...before, "later"]));
});

test("DOOR-12 a value that does not fit fails only its own request, also with an already prepared statement", async () => {
  const ask = (value: string) =>
    rest.ask({ path: `filter_settings?select=receiver_ids&receiver_ids=eq.${value}` }, alice);
  for (const round of [1, 2, 3]) {
    const answers = await Promise.all(["{123456}", "1", '{"a":1}', "true", "{123456}"].map(ask));
    expect([round, ...answers.map(({ status }) => status)]).toEqual([round, 200, 400, 400, 400, 200]);
  }
});

test("DOOR-02 a request whose connection is lost fails alone, and the next ones are answered", async () => {
  const lost = Array.from({ length: 4 }, () => rest.ask({ path: "slow" }, alice));
  const end = () => database.sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and wait_event = 'PgSleep'`;
  let ended = 0;
  await expect.poll(async () => (ended += (await end()).length), patience).toBeGreaterThanOrEqual(4);
  const answers = await Promise.all(lost);
  expect(answers.map(({ status, headers }) => [status, headers.get("retry-after")])).toEqual(
    Array(4).fill([503, "1"]),
  );
  expect(rest.log()).toContain("a request failed because the database is unavailable");
  const next = await Promise.all(
    Array.from({ length: 30 }, () => rest.ask({ path: "profiles?select=id" }, alice)),
  );
  expect(next.map(({ status }) => status)).toEqual(Array(30).fill(200));
});

test("READ-01 of a thousand different statements only the first two hundred stay prepared", async () => {
  const one = await startTestRestApi(database.url, database.sql, { max: 1 });
  for (let number = 0; number < 1_000; number += 1) {
    const filters = [...number.toString(2)].map((bit) => `language=${bit === "1" ? "eq" : "neq"}.x`);
    expect((await one.ask({ path: `profiles?select=id&${filters.join("&")}` }, alice)).status).toBe(200);
  }
  const [row] = await one.people`select count(*)::int as prepared from pg_prepared_statements`;
  // Plus the statement that sets role and claims, the driver's own, and this query.
  expect(row?.prepared).toBeLessThan(210);
  expect(row?.prepared).toBeGreaterThan(190);
  await one.stop();
});
