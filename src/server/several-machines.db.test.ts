import { randomUUID } from "node:crypto";
import { expect, inject, test } from "vitest";
import { openDatabase } from "#platform/database/open-database.ts";
import { startTelegramSimulator } from "#simulators/telegram/start-telegram-simulator.ts";
import { run } from "#test/postgres/migrated-postgres.ts";
import { createTestDatabase } from "#test/test-database.ts";
import { startTestProduct } from "#test/test-product.ts";
import { addPeople } from "#test/watching/world.ts";
import { type Config, ROLES } from "./config.ts";
import { createReadiness } from "./readiness.ts";

test("SERV-02 two machines that start at once on an empty database accept each other's keys and sessions", async () => {
  const name = `several_${randomUUID().replaceAll("-", "")}`;
  await run(inject("serverUrl"), `create database ${name} template template0`);
  const url = new URL(inject("serverUrl"));
  url.pathname = `/${name}`;
  const start = () => startTestProduct({ DATABASE_URL: url.href });
  const [one, other] = await Promise.all([start(), start()]);
  expect(one.publishableKey).toBe(other.publishableKey);

  const { data } = await one
    .createClient()
    .auth.signUp({ email: "ana@example.com", password: "a-long-password" });
  const headers = {
    apikey: one.publishableKey,
    authorization: `Bearer ${data.session?.access_token}`,
    "content-type": "application/json",
  };
  const own = await fetch(`${other.url}/rest/v1/profiles?select=id`, { headers });
  expect([own.status, await own.json()]).toEqual([200, [{ id: data.user?.id }]]);
  const body = JSON.stringify({ refresh_token: data.session?.refresh_token });
  const refreshed = await fetch(`${other.url}/auth/v1/token?grant_type=refresh_token`, {
    method: "POST",
    headers,
    body,
  });
  expect(refreshed.status).toBe(200);
  await Promise.all([one.stop(), other.stop()]);
  await run(inject("serverUrl"), `drop database ${name} with (force)`);
});

test("SERV-02 a machine without the web role needs no mail settings and serves only its own state", async () => {
  const watcher = await startTestProduct({
    ...{ ROLES: "watcher", SMTP_URL: "", MAIL_FROM: "" },
    ...{ IDEALISTA_API_KEY: "key", IDEALISTA_API_SECRET: "secret", IDEALISTA_API_URL: "http://127.0.0.1:1" },
  });
  const statusOf = async (path: string) => (await fetch(`${watcher.url}${path}`)).status;
  const paths = ["/livez", "/readyz", "/", "/config.json", "/auth/v1/health", "/rest/v1/profiles"];
  expect(await Promise.all(paths.map(statusOf))).toEqual([200, 200, 404, 404, 404, 404]);
  await watcher.stop();
});

test("COVER-06 readiness follows completed checks and an emptied outbox, per role", async () => {
  const database = await createTestDatabase();
  const { sql, url: databaseUrl } = database;
  const workers = { webhook: undefined, isTokenRefused: () => false, stop: async () => {} };
  const config = { roles: ["web" as const], databaseUrl, dataDir: "" };
  const failing = createReadiness({ config, sql, backend: undefined, workers });
  await sql`
    insert into watch.feeds (key, source, query, interval_seconds, last_ok_at, next_check_at, live_since)
    values ('one', 'official', '{}', 600, now() - interval '25 minutes', now() - interval '15 minutes', now() - interval '1 day')`;
  expect(await failing(["watcher"])).toEqual([]);
  await sql`update watch.feeds set last_ok_at = now() - interval '31 minutes'`;
  expect(await failing()).toEqual([]);
  expect(await failing(["watcher"])).toEqual(["checks"]);
  expect(await failing(ROLES)).toEqual(["checks"]);
  // One late feed of many is not a dead watcher; that of the canary is.
  await sql`
    insert into watch.feeds (key, source, query, interval_seconds, last_ok_at, next_check_at)
    select 'feed ' || number, 'official', '{}', 600, now(), now() from generate_series(1, 5) as number`;
  expect(await failing(["watcher"])).toEqual([]);
  await sql`
    insert into watch.demo_filters (filter_id, filter_url, feed_key) values (gen_random_uuid(), 'demo', 'one')`;
  expect(await failing(["watcher"])).toEqual(["checks"]);
  expect(await failing(["bot"])).toEqual([]);
  const [person] = await addPeople(sql, [
    { url: "https://www.idealista.com/venta-viviendas/madrid-madrid/" },
  ]);
  const [chatId = ""] = person?.chatIds ?? [];
  await sql`
    insert into watch.alerts (user_id, chat_id, kind, payload, not_before, created_at)
    values (${person?.userId ?? ""}, ${chatId}, 'test', '{}', now() - interval '20 minutes', now() - interval '20 minutes')`;
  expect(await failing(["bot"])).toEqual(["outbox"]);
  // While Telegram does not answer, alerts wait as they should.
  await sql`update watch.sender set away_since = now()`;
  expect(await failing(["bot"])).toEqual([]);
  await database.drop();
});

test("SERV-02 readiness covers the roles of the process, judged by the last attempts", async () => {
  const database = await createTestDatabase();
  const { sql, url: databaseUrl } = database;
  const failing = (roles: Config["roles"], asked = sql) => {
    const workers = { webhook: undefined, isTokenRefused: () => false, stop: async () => {} };
    const config = { roles, databaseUrl, dataDir: "" };
    return createReadiness({ config, sql: asked, backend: undefined, workers })();
  };
  expect(await failing(["web", "watcher", "bot", "mail"])).toEqual([]);
  await sql`update watch.sender set refused_since = now()`;
  await sql`
    insert into watch.feeds (key, source, query, interval_seconds, failing_since, failure_reason)
    values ('one', 'official', '{}', 600, now(), 'unreachable')`;
  expect(await failing(["web", "mail"])).toEqual([]);
  expect(await failing(["watcher"])).toEqual(["source"]);
  expect(await failing(["bot", "web"])).toEqual(["bot"]);
  // A spent monthly quota is not an outage, and neither is a single failing search.
  await sql`update watch.feeds set failure_reason = 'quota-spent'`;
  expect(await failing(["watcher"])).toEqual([]);
  const name = new URL(databaseUrl).pathname.slice(1);
  await run(databaseUrl, `alter database ${name} set default_transaction_read_only = on`);
  const copy = openDatabase({ url: databaseUrl, max: 1 });
  expect(await failing(["mail"], copy)).toEqual(["database"]);
  await copy.end();
  await database.drop();
});

test("RUN-07 with a token that Telegram refuses the site is served, and only the bot is not ready", async () => {
  const telegram = await startTelegramSimulator();
  telegram.isTokenRevoked = true;
  const product = await startTestProduct({
    ...{ ROLES: "web,bot", TELEGRAM_BOT_TOKEN: telegram.bot.token, TELEGRAM_API_ROOT: telegram.url },
  });
  const readiness = async () => (await fetch(`${product.url}/readyz`)).json();
  await expect.poll(readiness).toEqual({ status: "not ready", failing: ["bot"] });
  expect((await fetch(product.url)).status).toBe(200);
  expect(product.log()).toContain("Telegram refuses TELEGRAM_BOT_TOKEN");
  await Promise.all([product.stop(), telegram.close()]);
});

test("RUN-07 beside DATABASE_URL a DATA_DIR that cannot be written only keeps the scripts of earlier builds from being served", async () => {
  const product = await startTestProduct({ DATA_DIR: "/dev/null/sereno" });
  expect(await (await fetch(`${product.url}/readyz`)).json()).toEqual({ status: "ready" });
  expect((await fetch(product.url)).status).toBe(200);
  expect(product.log()).toContain("DATA_DIR is not writable");
  await product.stop();
});

test("SERV-04 pages of an allowed origin can call the API, others cannot, and by default none can", async () => {
  const [site, stranger] = ["https://sereno.example", "https://stranger.example"];
  const [closed, open] = await Promise.all([startTestProduct(), startTestProduct({ ALLOWED_ORIGINS: site })]);
  const ask = async (product: { url: string; publishableKey: string }, origin: string) => {
    const address = `${product.url}/rest/v1/profiles?select=id`;
    const preflight = await fetch(address, {
      method: "OPTIONS",
      headers: {
        origin,
        "access-control-request-method": "GET",
        "access-control-request-headers": "apikey,authorization",
      },
    });
    const answer = await fetch(address, { headers: { origin, apikey: product.publishableKey } });
    return [preflight, answer].map(({ headers }) => headers.get("access-control-allow-origin"));
  };
  expect(await ask(open, site)).toEqual([site, site]);
  expect(await ask(open, stranger)).toEqual([null, null]);
  expect(await ask(closed, site)).toEqual([null, null]);
  expect((await fetch(`${open.url}/`, { headers: { origin: site } })).headers.get("vary")).not.toContain(
    "origin",
  );
  await Promise.all([closed.stop(), open.stop()]);
});
