import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { findDueFeeds } from "#store/feeds/feeds.ts";
import { findOpenRecipients } from "#store/outbox/outbox.ts";
import { type Person, signUp } from "#test/cast.ts";
import { startTestProduct, type TestProduct } from "#test/test-product.ts";
import { runOps, USAGE } from "./run-ops.ts";

let product: TestProduct;
let alice: Person;
let people = 0;
const NOW = new Date();

beforeAll(async () => {
  product = await startTestProduct({ TRUSTED_PROXIES: "1" });
});
afterAll(() => product.stop());

beforeEach(async () => {
  people += 1;
  alice = await signUp(product, `alice-${people}`);
  await alice.client.from("filter_settings").insert({
    user_id: alice.id,
    filter_url: "https://www.idealista.com/alquiler-viviendas/madrid-madrid/",
    receiver_ids: ["7001234567"],
  });
  await product.database.sql`delete from watch.alerts`;
});

const run = (...args: string[]) =>
  runOps(args, { databaseUrl: product.database.url, dataDir: "/nowhere" }, NOW);
const ops = async (...args: string[]) => JSON.parse(await run(...args, "--json"));
const alertStates = async () =>
  (await product.database.sql`select state from watch.alerts order by position`).map(({ state }) => state);
const write = (listing: string, state: string) => product.database.sql`
  insert into watch.alerts (user_id, chat_id, kind, listing_id, payload, state, sent_at)
  values (${alice.id}, 7001234567, 'new', ${listing}, '{}', ${state}, ${state === "sent" ? NOW : null})`;

test("SERV-06 the operator sees the whole and finds a person by address, however it is spelt", async () => {
  expect(await ops("status")).toMatchObject({ pausedSince: null, filters: { active: expect.any(Number) } });
  expect(await run("status")).toMatch(/^pausedSince +–$/m);
  expect(await ops("find", alice.email.toUpperCase())).toMatchObject({
    userId: alice.id,
    isSuspended: false,
    isPaused: false,
    chatsByState: { waiting: 1 },
  });
  for (const args of [[], ["sing"], ["find", "a", "b"], ["status", "--what"]]) {
    await expect(run(...args)).rejects.toThrow(USAGE);
  }
  await expect(run("find")).rejects.toThrow("Name the person");
  await expect(run("suspend", "nobody@example.com")).rejects.toThrow("Nobody has an account");
});

test("SERV-06 a person or everybody is paused and resumed", async () => {
  const { sql } = product.database;
  expect(await ops("pause", alice.email)).toEqual({ changed: 1 });
  expect((await alice.client.from("filter_settings").select("is_paused")).data).toEqual([
    { is_paused: true },
  ]);
  expect(await ops("resume", alice.email)).toEqual({ changed: 1 });
  await write("1", "pending");
  await sql`insert into watch.feeds (key, source, query, interval_seconds) values (${`k${people}`}, 'official', '{}', 60)`;
  const later = new Date(Date.now() + 3_600_000);
  const isIdle = async () => [
    (await findDueFeeds(sql, later, 9)).length,
    (await findOpenRecipients(sql)).length,
  ];
  expect(await isIdle()).toEqual([1, 1]);
  await ops("pause", "--all");
  expect(await isIdle()).toEqual([0, 0]);
  expect((await ops("status")).pausedSince).not.toBeNull();
  await ops("resume", "--all");
  expect(await isIdle()).toEqual([1, 1]);
});

test("SERV-06 a suspended person is signed out, cannot sign in and is told nothing, until it is undone", async () => {
  await write("1", "pending");
  await ops("suspend", alice.email);
  expect((await alice.client.auth.getUser()).error).not.toBeNull();
  const password = `alice-${people}-password`;
  const signIn = () => product.createClient().auth.signInWithPassword({ email: alice.email, password });
  expect((await signIn()).error).not.toBeNull();
  expect(await alertStates()).toEqual(["undeliverable"]);
  await ops("unsuspend", alice.email);
  expect((await signIn()).error).toBeNull();
});

test("SERV-06 what failed is tried again, what was told is told again, and what waits is given up", async () => {
  await write("1", "undeliverable");
  await write("2", "expired");
  await write("3", "sent");
  expect(await ops("retry", alice.email)).toEqual({ alerts: 2, mails: 0 });
  expect(await alertStates()).toEqual(["pending", "pending", "sent"]);
  expect(await ops("resend", alice.email, "--count", "5")).toEqual({ alerts: 1 });
  expect(await ops("drain")).toEqual({ alerts: 3 });
  expect(await alertStates()).toEqual(["expired", "expired", "expired"]);
  await expect(run("resend", alice.email, "--count", "0")).rejects.toThrow("--count");
});

test("SERV-06 after new keys who is signed in stays so, with the key of the old page too, for a day", async () => {
  const { database } = product;
  await ops("rotate-keys");
  const next = await startTestProduct({ DATABASE_URL: database.url });
  try {
    expect(next.publishableKey).not.toBe(product.publishableKey);
    const { data } = await alice.client.auth.getSession();
    const ask = () =>
      fetch(`${next.url}/rest/v1/profiles?select=id`, {
        headers: {
          apikey: product.publishableKey,
          authorization: `Bearer ${data.session?.access_token}`,
        },
      });
    const answer = await ask();
    expect([answer.status, await answer.json()]).toEqual([200, [{ id: alice.id }]]);
    const user = await fetch(`${next.url}/auth/v1/user`, {
      headers: { apikey: product.publishableKey, authorization: `Bearer ${data.session?.access_token}` },
    });
    expect(user.status).toBe(200);
  } finally {
    await next.stop();
  }
  await database.sql`update private.server_keys set honoured_until = now() - interval '1 minute'
    where honoured_until is not null`;
  const later = await startTestProduct({ DATABASE_URL: database.url });
  try {
    const { data } = await alice.client.auth.getSession();
    const answer = await fetch(`${later.url}/rest/v1/profiles?select=id`, {
      headers: { apikey: later.publishableKey, authorization: `Bearer ${data.session?.access_token}` },
    });
    expect(answer.status).toBe(401);
  } finally {
    await later.stop();
  }
});
