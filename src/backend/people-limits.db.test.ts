import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { openDatabase } from "#platform/database/open-database.ts";
import { type Person, signUp } from "#test/cast.ts";
import { startTestProduct, type TestProduct } from "#test/test-product.ts";
import { AUTH_CONNECTIONS, createPoolProbe } from "./user-pool.ts";

let product: TestProduct;
let slow: Person;

// Each browser has its own address.
beforeAll(async () => {
  // Stands for any slow query: it sleeps for a minute.
  const views = `
    create view public.slow with (security_invoker = true) as select 1 as id, pg_sleep(60)::text as nap;
    create view public.my_limits with (security_invoker = true) as select
      current_setting('statement_timeout') as statement,
      current_setting('idle_in_transaction_session_timeout') as idle_in_transaction;
    grant select on public.slow, public.my_limits to authenticated;`;
  product = await startTestProduct({ TRUSTED_PROXIES: "1" }, views);
  slow = await signUp(product, "slow");
});

afterAll(() => product.stop());

const readyz = async () => (await fetch(`${product.url}/readyz`)).status;

test("DOOR-02 a person's query is cancelled after five seconds and answered as a timeout, not as a server error", async () => {
  const { data, error, status } = await slow.client.from("slow").select("*");
  expect({ data, status }).toEqual({ data: null, status: 504 });
  expect(error).toMatchObject({
    code: "57014",
    message: "This took longer than 5 seconds and was cancelled",
  });
  expect(product.log()).not.toContain('"status":500');
});

test("DOOR-02 connections for people end a transaction that is left open", async () => {
  const { data } = await slow.client.from("my_limits").select("*");
  expect(data).toEqual([{ statement: "5s", idle_in_transaction: "5s" }]);
});

test("DOOR-02 a session check that times out is answered 504, and the next check is made again", async () => {
  const answer = await product.database.sql.begin(async (sql) => {
    await sql`lock table auth.sessions in access exclusive mode`;
    return slow.client.auth.getUser();
  });
  expect(answer.error).toMatchObject({ status: 504 });
  expect((await slow.client.auth.getUser()).error).toBeNull();
});

test("DOOR-02 one person's slow queries delay neither other people, guests nor sign-in", async () => {
  const other = await signUp(product, "other");
  let ended = 0;
  const questions = Array.from({ length: 40 }, async () => {
    const { status } = await slow.client.from("slow").select("*");
    ended += 1;
    return status;
  });
  // Wait until as many of their queries as one person may run are asleep in the database.
  await vi.waitFor(
    async () => {
      const [row] = await product.database.sql`
        select count(*)::int as asleep from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()`;
      expect(row?.asleep).toBeGreaterThanOrEqual(4);
    },
    { timeout: 60_000, interval: 50 },
  );
  expect((await other.client.from("profiles").select("id")).data).toHaveLength(1);
  expect((await product.createClient().from("demo_listings").select("demo_id")).error).toBeNull();
  const credentials = { email: other.email, password: "other-password" };
  expect((await product.createClient().auth.signInWithPassword(credentials)).error).toBeNull();
  expect(await readyz()).toBe(200);
  expect(ended).toBeLessThan(40);
  // Their remaining requests are refused, with a status that is not a server error.
  expect(new Set(await Promise.all(questions))).toEqual(new Set([504, 429]));
});

test("DOOR-02 /readyz notices that the people's connections do not answer, and when they recover", async () => {
  expect(await readyz()).toBe(200);
  const asks = product.database.sql.begin(async (sql) => {
    await sql`lock table auth.users in access exclusive mode`;
    const clients = [product.createClient(), product.createClient(), product.createClient()];
    const requests = Array.from({ length: 60 }, (_, number) =>
      clients[number % 3]?.auth.resetPasswordForEmail(`person-${number}@example.com`),
    );
    await vi.waitFor(async () => expect(await readyz()).toBe(503), { timeout: 60_000 });
    return requests;
  });
  await asks;
  await vi.waitFor(async () => expect(await readyz()).toBe(200), { timeout: 60_000 });
});

test("DOOR-02 sign-ins that wait for the database do not delay people who are signed in", async () => {
  const other = await signUp(product, "patient");
  const asked = 40;
  let answered = 0;
  const openLink = async (number: number) => {
    await fetch(`${product.url}/auth/v1/verify`, {
      method: "POST",
      headers: {
        apikey: product.publishableKey,
        "content-type": "application/json",
        "x-forwarded-for": `198.51.100.${number}`,
      },
      body: JSON.stringify({ type: "recovery", token_hash: "0".repeat(64) }),
    });
    answered += 1;
  };
  const { links } = await product.database.sql.begin(async (sql) => {
    await sql`lock table private.mailed_links in access exclusive mode`;
    const links = Array.from({ length: asked }, (_, number) => openLink(number));
    await vi.waitFor(
      async () => {
        const [row] = await product.database.sql`
          select count(*)::int as waiting from pg_stat_activity
          where wait_event_type = 'Lock' and datname = current_database()`;
        expect(row?.waiting).toBe(AUTH_CONNECTIONS);
      },
      { timeout: 60_000, interval: 50 },
    );
    expect((await other.client.from("own_places").select("id")).error).toBeNull();
    // Behind them it would have waited until only those that have a connection are left.
    expect(answered).toBeLessThan(asked - AUTH_CONNECTIONS);
    return { links };
  });
  await Promise.all(links);
});

test("DOOR-02 a pool whose connections are all busy is noticed, however often it is probed, and so is its recovery", async () => {
  const sql = openDatabase({ url: product.database.url, max: 1 });
  const answers = createPoolProbe(sql, 300);
  // The connection is open: a login may take longer than that on a busy machine.
  await sql`select 1`;
  expect(await answers()).toBe(true);
  const busy = sql`select pg_sleep(600)`.catch(() => "ended");
  expect(await Promise.all(Array.from({ length: 20 }, answers))).toEqual(Array(20).fill(false));
  await product.database.sql`
    select pg_cancel_backend(pid) from pg_stat_activity where query like '%pg_sleep(600)%' and pid <> pg_backend_pid()`;
  expect(await busy).toBe("ended");
  await vi.waitFor(async () => expect(await answers()).toBe(true), { timeout: 60_000 });
  await sql.end();
});
