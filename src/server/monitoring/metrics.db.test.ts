import { afterAll, beforeAll, expect, test } from "vitest";
import { signUp } from "#test/cast.ts";
import { startTestProduct, type TestProduct } from "#test/test-product.ts";
import { recordDefects } from "#watcher/rows/feeds/source-defects.ts";
import { createCounters } from "./counters.ts";
import { createMetrics } from "./metrics.ts";

const TOKEN = "a-token-for-metrics-0123456789";
let product: TestProduct;

beforeAll(async () => {
  product = await startTestProduct({ METRICS_TOKEN: TOKEN, ROLES: "web" });
});

afterAll(() => product.stop());

const ask = (authorization?: string) =>
  fetch(`${product.url}/metrics`, { headers: authorization ? { authorization } : {} });

test("P21 the metrics require the token", async () => {
  for (const authorization of [undefined, "Bearer wrong", `Bearer ${TOKEN}x`, TOKEN]) {
    const answer = await ask(authorization);
    expect([authorization, answer.status]).toEqual([authorization, 401]);
    expect(await answer.text()).toBe("Unauthorized\n");
  }
});

test("the metrics count waiting alerts by state, without identifying anyone", async () => {
  const alice = await signUp(product, "alice");
  await alice.client.from("filter_settings").insert({
    user_id: alice.id,
    filter_url: "https://www.idealista.com/alquiler-viviendas/madrid-madrid/",
    receiver_ids: ["7001234567"],
  });
  const text = await (await ask(`Bearer ${TOKEN}`)).text();
  expect(text).toContain('alerts{state="pending"} 1');
  expect(text).toContain('chats{state="waiting"} 1');
  expect(text).toContain('filters{state="active"} 1');
  expect(text).toContain("watcher_promised_interval_seconds 600");
  expect(text).not.toContain("7001234567");
  expect(text).not.toContain(alice.id);
});

test("RUN-07 a guest's refused requests write no warning into the log", async () => {
  const apikey = product.publishableKey;
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`${product.url}${path}`, { ...init, headers: { apikey, "content-type": "application/json" } });
  const body = JSON.stringify({ email: "nobody@example.com", password: "a-wrong-password" });
  const answers = await Promise.all([
    ask("/rest/v1/profiles?select=id"),
    ask("/rest/v1/no_such_table"),
    ask("/rest/v1/searches", { method: "POST", body: "{}" }),
    ask("/rest/v1/rpc/my_finds", { method: "POST", body: "{}" }),
    ask("/auth/v1/user"),
    ask("/auth/v1/token?grant_type=password", { method: "POST", body }),
    ask("/wp-login.php"),
  ]);
  expect(answers.every(({ status }) => status >= 400 && status < 500)).toBe(true);
  expect(product.log().match(/"level":"(?:warn|error)".*/g) ?? []).toEqual([]);
});

test("RUN-05 without the database the metrics of the process are answered, and no old figures", async () => {
  const metrics = createMetrics({
    token: TOKEN,
    registry: createCounters().registry,
    readFigures: () => Promise.reject(new Error("Connection terminated")),
    limits: { checkIntervalSeconds: 600, monthlyRequests: undefined },
    logger: { info: () => {}, warn: () => {}, error: () => {} },
  });
  const answer = await metrics.answer(`Bearer ${TOKEN}`);
  const text = await answer.text();
  expect(answer.status).toBe(200);
  expect(text).toContain("\nsereno_database_up 0\n");
  expect(text).toMatch(/^sereno_build_info\{version="\d+\.\d+\.\d+",node="24\.[\d.]+"\} 1$/m);
  expect(text).not.toContain("sereno_alerts{");
  const whole = await (await ask(`Bearer ${TOKEN}`)).text();
  expect(whole).toContain("\nsereno_database_up 1\n");
  expect(whole).toMatch(/^sereno_database_size_bytes \d{6,}$/m);
});

test("DOOR-16 the metrics count unusable source data by source and reason", async () => {
  const { sql } = product.database;
  for (let process = 0; process < 2; process++) {
    await recordDefects(sql, "official", [
      { kind: "unread-listing", reason: "price", count: 2 },
      { kind: "filter-not-applied", reason: "terrance", count: 1 },
      { kind: "gap", reason: "page-limit", count: 1 },
    ]);
  }
  const text = await (await ask(`Bearer ${TOKEN}`)).text();
  expect(text).toContain('source_unread_listings{source="official",field="price"} 4');
  expect(text).toContain('source_filters_not_applied{source="official",filters="terrance"} 2');
  expect(text).toContain('watcher_gaps{source="official"} 2');
});

test("MAIL-11 the metrics show by source how soon Telegram accepted alerts, and which source saw an event first", async () => {
  const { sql } = product.database;
  const { id } = await signUp(product, "bob");
  for (const [n, seconds] of [1, 2, 3, 4, 100].entries()) {
    await sql`
      insert into watch.alerts (user_id, chat_id, kind, listing_id, payload, state, source, seen_at, sent_at)
      values (${id}, 9, 'new', ${`${n}`}, '{}', 'sent', 'mail', now() - ${seconds} * interval '1 second', now())`;
  }
  // Quiet hours delay alerts on purpose. Rows without a source are not counted.
  await sql`
    insert into watch.alerts (user_id, chat_id, kind, listing_id, payload, state, source, seen_at, sent_at, held_at) values
      (${id}, 9, 'new', '8', '{}', 'sent', 'mail', now() - interval '9 hours', now(), now()),
      (${id}, 9, 'new', '9', '{}', 'sent', null, null, now(), null)`;
  await sql`
    insert into watch.sightings (listing_id, source, seen_at) values
      ('1', 'mail', now() - interval '1 hour'), ('1', 'official', now()), ('2', 'mail', now())`;
  await sql`
    insert into watch.request_budgets (name, month, used, monthly_requests)
    values ('idealista-api', date_trunc('month', now() at time zone 'UTC'), 80, 100)`;
  const text = await (await ask(`Bearer ${TOKEN}`)).text();
  for (const window of ["24h", "7d"]) {
    expect(text).toContain(`alert_latency_seconds{source="mail",window="${window}",quantile="0.5"} 3\n`);
    expect(text).toContain(`alert_latency_seconds{source="mail",window="${window}",quantile="0.95"} 80.8\n`);
    expect(text).toContain(`alert_latency_alerts{source="mail",window="${window}"} 5`);
  }
  expect(text).toContain('source_lead_seconds{earlier="mail",later="official"} 3600\n');
  expect(text).toContain('source_lead_events{earlier="mail",later="official"} 1\n');
  expect(text).toContain('provider_requests_left{source="idealista-api"} 20');
  expect(text).toContain('provider_requests_used_share{source="idealista-api"} 0.8');
});
