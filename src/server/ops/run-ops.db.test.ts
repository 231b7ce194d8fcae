import { spawn } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@supabase/supabase-js";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { findOpenRecipients } from "#telegram/send/rows/recipients.ts";
import { type Person, signUp } from "#test/cast.ts";
import { startTestProduct, type TestProduct } from "#test/test-product.ts";
import { findDueFeeds } from "#watcher/rows/feeds/feeds.ts";
import { setAside } from "#watcher/rows/quarantine.ts";
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

test("SERV-06 the operator sees an overview and finds a person by address in any case", async () => {
  expect(await ops("status")).toMatchObject({ pausedSince: null, filters: { active: expect.any(Number) } });
  expect(await run("status")).toMatch(/^pausedSince +–$/m);
  expect(await ops("find", alice.email.toUpperCase())).toMatchObject({
    userId: alice.id,
    isSuspended: false,
    searches: { active: 1, paused: 0 },
    chatsByState: { waiting: 1 },
  });
  for (const args of [[], ["sing"], ["find", "a", "b"], ["status", "--what"]]) {
    await expect(run(...args)).rejects.toThrow(USAGE);
  }
  await expect(run("find")).rejects.toThrow("Name the person");
  await expect(run("suspend", "nobody@example.com")).rejects.toThrow("Nobody has an account");
});

test("COVER-02 COVER-05 the operator sees the gaps by feed and cause, and what is set aside with its reason", async () => {
  const { sql } = product.database;
  const [search] = await sql`select id from public.searches where user_id = ${alice.id}`;
  await sql`
    insert into watch.gaps (search_id, feed_key, cause, from_at, until_at, tell_at, told_at)
    values (${search?.id}, 'official rent homes madrid', 'outage', ${NOW}::timestamptz - interval '4 hours', ${NOW}, ${NOW}, ${NOW})`;
  await setAside(sql, { kind: "search", subject: search?.id, error: new Error("a link without end") }, NOW);
  await setAside(sql, { kind: "plan", subject: "merges", error: new Error("no costs") }, NOW);
  const status = await ops("status");
  expect(status.gaps).toEqual([{ feed: "official rent homes madrid", cause: "outage", searches: 1 }]);
  expect(status.setAside.counts).toEqual({ search: 1, advert: 0, feed: 0, plan: 1 });
  expect(status.setAside.newest).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        kind: "search",
        subject: search?.id,
        reason: "Error: a link without end",
        tries: 1,
      }),
      expect.objectContaining({ kind: "plan", subject: "merges", reason: "Error: no costs" }),
    ]),
  );
  expect(await run("status")).toContain("a link without end");
  await sql`delete from watch.quarantine`;
});

test("READ-07: the operator reads the security events of one person or of everybody, newest first", async () => {
  const { sql } = product.database;
  await sql`
    insert into private.security_events (user_id, kind, browser, platform, times, began_at, happened_at) values
      (${alice.id}, 'wrong_password', 'Chrome', 'Windows', 7, ${NOW}, '2126-11-19T10:00:00Z'),
      (${alice.id}, 'export', null, null, 1, ${NOW}, '2126-11-19T11:00:00Z')`;
  const { email } = alice;
  const [downloaded, guessed] = (await ops("events", email)).events;
  const none = { browser: null, platform: null };
  expect(downloaded).toEqual({
    happenedAt: "2126-11-19T11:00:00.000Z",
    email,
    kind: "export",
    times: 1,
    ...none,
  });
  expect(guessed).toMatchObject({ kind: "wrong_password", times: 7, browser: "Chrome", platform: "Windows" });
  const text = await run("events");
  expect(text).toContain(`  2126-11-19T11:00:00.000Z  ${email}  export  1  –  –\n`);
  expect(text).toContain(`  2126-11-19T10:00:00.000Z  ${email}  wrong_password  7  Chrome  Windows`);
  await sql`delete from private.security_events`;
  expect(await run("events", email)).toBe("events  –");
  await expect(run("events", "nobody@example.com")).rejects.toThrow("Nobody has an account");
});

test("SERV-06 one person or everybody can be paused and resumed", async () => {
  const { sql } = product.database;
  const { error } = await alice.client.from("searches").insert({
    user_id: alice.id,
    filter_url: "https://www.idealista.com/venta-viviendas/madrid-madrid/",
    receiver_ids: ["7001234567"],
  });
  expect(error).toBeNull();
  expect(await ops("pause", alice.email)).toEqual({ changed: 2 });
  expect((await alice.client.from("searches").select("is_paused")).data).toEqual([
    { is_paused: true },
    { is_paused: true },
  ]);
  expect((await ops("find", alice.email)).searches).toEqual({ active: 0, paused: 2 });
  expect(await ops("resume", alice.email)).toEqual({ changed: 2 });
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

test("SERV-06 a suspended person is signed out, cannot sign in and gets no alerts until the suspension is lifted", async () => {
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

test("SERV-06 failed alerts can be retried, sent ones repeated and waiting ones dropped", async () => {
  await write("1", "undeliverable");
  await write("2", "expired");
  await write("3", "sent");
  expect(await ops("retry", alice.email)).toEqual({ alerts: 2, mails: 0 });
  expect(await alertStates()).toEqual(["pending", "pending", "sent"]);
  expect(await ops("resend", alice.email, "--count", "5")).toEqual({ alerts: 1 });
  expect(await ops("drain", "--all")).toEqual({ alerts: 3 });
  expect(await alertStates()).toEqual(["expired", "expired", "expired"]);
  await expect(run("resend", alice.email, "--count", "0")).rejects.toThrow("--count");
});

test("SERV-06 a wrong person or argument is reported and changes nothing", async () => {
  const { sql } = product.database;
  await write("1", "pending");
  for (const args of [
    ["drain"],
    ["retry"],
    ["pause"],
    ["drain", alice.email, "--all"],
    ["pause", alice.email, "--all"],
  ]) {
    await expect(run(...args)).rejects.toThrow("Name one person");
  }
  await expect(run("suspend", alice.email, "--all")).rejects.toThrow("leave out --all");
  for (const name of ["drain", "pause", "suspend", "resend"]) {
    await expect(run(name, `x${alice.email}`)).rejects.toThrow("Nobody has an account");
  }
  expect(await alertStates()).toEqual(["pending"]);
  expect(await sql`select from watch.pause`).toHaveLength(0);
  const empty = new URL(product.database.url);
  empty.pathname = "/postgres";
  const elsewhere = (databaseUrl: string) =>
    runOps(["drain", "--all"], { databaseUrl, dataDir: "/nowhere" }, NOW);
  await expect(elsewhere(empty.href)).rejects.toThrow("has no Sereno schema");
  empty.pathname = "/no_such_database";
  await expect(elsewhere(empty.href)).rejects.toThrow("has no database of that name");
});

test("SERV-06 a mistyped database URL does not fall back to the embedded database", async () => {
  const folder = await mkdtemp(join(tmpdir(), "sereno-ops-"));
  const child = spawn(process.execPath, ["scripts/ops.ts", "restore", "some.backup"], {
    env: { DATA_DIR: join(folder, "data"), DATABASE_URL: "postgre://sereno:hunter22@db.example/sereno" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (said += chunk));
  expect(await new Promise((resolve) => child.once("close", resolve))).toBe(1);
  expect(said).toMatch(/^DATABASE_URL: .*Nothing was changed\.\n$/);
  expect(said).not.toMatch(/hunter22|\n\s+at /);
  expect(await readdir(folder)).toEqual([]);
  await rm(folder, { recursive: true });
});

test("SERV-02 SERV-06 while keys are replaced people stay signed in, at processes with the old and with the new keys", async () => {
  const { database } = product;
  await ops("rotate-keys");
  const next = await startTestProduct({ DATABASE_URL: database.url, TRUSTED_PROXIES: "1" });
  const ask = async (at: TestProduct, apikey: string, client: Person["client"]) => {
    const { data } = await client.auth.getSession();
    const headers = { apikey, authorization: `Bearer ${data.session?.access_token}` };
    const [user, rows] = await Promise.all(
      ["auth/v1/user", "rest/v1/profiles?select=id"].map((path) => fetch(`${at.url}/${path}`, { headers })),
    );
    return [user?.status, rows?.status, await rows?.json()];
  };
  try {
    expect(next.publishableKey).not.toBe(product.publishableKey);
    const own = [200, 200, [{ id: alice.id }]];
    expect(await ask(next, product.publishableKey, alice.client)).toEqual(own);
    // The new process's page calls the old process, which has not been restarted yet.
    const later = next.createClient();
    const password = `alice-${people}-password`;
    expect((await later.auth.signInWithPassword({ email: alice.email, password })).error).toBeNull();
    expect(await ask(product, next.publishableKey, later)).toEqual(own);
    const heard = createClient(product.url, next.publishableKey, { auth: { persistSession: false } });
    const { data } = await later.auth.getSession();
    await heard.realtime.setAuth(data.session?.access_token ?? "");
    const joined = new Promise((resolve) =>
      heard
        .channel("profile")
        .on(
          "postgres_changes",
          {
            event: "*",
            schema: "public",
            table: "searches",
            filter: `user_id=eq.${alice.id}`,
          },
          () => {},
        )
        .subscribe((status) => resolve(status)),
    );
    expect(await joined).toBe("SUBSCRIBED");
    await heard.removeAllChannels();
  } finally {
    await next.stop();
  }
});

test("READ-06 revoked keys are refused at once, sockets close, and sessions continue or end as requested", async () => {
  const { data } = await alice.client.auth.getSession();
  const before = { apikey: product.publishableKey, authorization: `Bearer ${data.session?.access_token}` };
  const statusOf = async (headers: Record<string, string>, path = "auth/v1/user") =>
    (await fetch(`${product.url}/${path}`, { headers })).status;
  const refresh = async (apikey: string, refresh_token = data.session?.refresh_token) => {
    const answer = await fetch(`${product.url}/auth/v1/token?grant_type=refresh_token`, {
      method: "POST",
      headers: { apikey, "content-type": "application/json" },
      body: JSON.stringify({ refresh_token }),
    });
    return [
      answer.status,
      (await answer.json()) as { access_token?: string; refresh_token?: string },
    ] as const;
  };
  const keyNow = async () =>
    ((await (await fetch(`${product.url}/config.json`)).json()) as { publishableKey: string }).publishableKey;
  const statuses: string[] = [];
  const socket = new WebSocket(
    `${product.url.replace("http", "ws")}/realtime/v1/websocket?apikey=${await keyNow()}&vsn=1.0.0`,
  );
  socket.addEventListener("open", () => statuses.push("open"));
  socket.addEventListener("close", ({ code }) => statuses.push(`closed ${code}`));
  await expect.poll(() => statuses).toEqual(["open"]);

  expect(await ops("rotate-keys", "--now")).toEqual({ oldKeys: "revoked", endedSessions: 0 });
  await expect.poll(() => statusOf(before)).toBe(401);
  await expect.poll(() => statuses).toEqual(["open", "closed 1008"]);
  const apikey = await keyNow();
  expect(await statusOf({ ...before, apikey })).toBe(403);
  expect(await statusOf({ ...before, apikey }, "rest/v1/profiles?select=id")).toBe(401);
  // The session itself continues, with the new keys.
  const [status, renewed] = await refresh(apikey);
  expect(status).toBe(200);
  expect(await statusOf({ apikey, authorization: `Bearer ${renewed.access_token}` })).toBe(200);

  const { endedSessions } = await ops("rotate-keys", "--now", "--end-sessions");
  expect(endedSessions).toBeGreaterThan(0);
  await expect
    .poll(async () => (await refresh(await keyNow(), renewed.refresh_token))[1])
    .toMatchObject({
      error_code: "refresh_token_not_found",
    });
});
