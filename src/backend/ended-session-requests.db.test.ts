// A token is checked when its request arrives. What the request does comes later: its body may be late, and it may wait for its
// turn. Meanwhile the session may have ended.
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTelegramLogin, type TelegramLogin } from "#simulators/telegram/oidc/telegram-login.ts";
import {
  startTelegramSimulator,
  type TelegramSimulator,
} from "#simulators/telegram/start-telegram-simulator.ts";
import { type Person, signUp } from "#test/cast.ts";
import { openSocket } from "#test/raw-http.ts";
import { startTestProduct, type TestProduct } from "#test/test-product.ts";

let product: TestProduct;
let telegram: TelegramSimulator;
let login: TelegramLogin;

beforeAll(async () => {
  telegram = await startTelegramSimulator();
  login = await startTelegramLogin(telegram, { redirectUris: ["http://localhost:3000/auth/v1/callback"] });
  product = await startTestProduct({
    TELEGRAM_BOT_TOKEN: telegram.bot.token,
    TELEGRAM_BOT_USERNAME: telegram.bot.username,
    TELEGRAM_API_ROOT: telegram.url,
    TELEGRAM_LOGIN_SECRET: login.clientSecret,
    TELEGRAM_LOGIN_URL: login.url,
  });
  return async () => {
    await login.stop();
    await telegram.close();
  };
});

afterAll(() => product.stop());

const tokenOf = async ({ client }: Person) =>
  (await client.auth.getSession()).data.session?.access_token ?? "";

/** Sends all but the last byte. Resolves when the server waits for it; the returned function sends it. */
async function beginRequest(token: string, { method, path, body }: Late) {
  const socket = openSocket(product.url);
  let answer = "";
  const closed = new Promise<void>((resolve) => socket.on("close", () => resolve()));
  socket.on("data", (part) => (answer += part.toString("utf8")));
  const text = JSON.stringify(body);
  const headers = {
    host: "localhost",
    connection: "close",
    apikey: product.publishableKey,
    authorization: `Bearer ${token}`,
    "content-type": "application/json",
    "content-length": String(text.length),
    expect: "100-continue",
    "x-forwarded-for": "192.0.2.200",
  };
  const lines = Object.entries(headers).map((line) => line.join(": "));
  socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`);
  await expect.poll(() => answer).toContain("100 Continue");
  socket.write(text.slice(0, -1));
  return async () => {
    socket.write(text.slice(-1));
    await closed;
    return Number(answer.split("HTTP/1.1 ").at(-1)?.split(" ")[0]);
  };
}

type Late = { method: string; path: string; body: object };

const FILTER_URL = "https://www.idealista.com/alquiler-viviendas/madrid-madrid/con-precio-hasta_900/";

const requestsOf = ({ id }: Person): Late[] => [
  { method: "POST", path: "/rest/v1/own_places", body: { name: "thief", latitude: 40, longitude: -3 } },
  { method: "PATCH", path: "/rest/v1/own_places?id=not.is.null", body: { name: "thief" } },
  {
    method: "POST",
    path: "/rest/v1/filter_settings",
    body: { user_id: id, filter_url: FILTER_URL, receiver_ids: ["4711"] },
  },
  { method: "POST", path: "/rest/v1/rpc/create_telegram_link", body: {} },
  { method: "PUT", path: "/auth/v1/user", body: { data: { full_name: "thief" } } },
];

type Ending = (person: Person, another: Person["client"]) => PromiseLike<unknown>;

const ENDINGS: Record<string, Ending> = {
  "signed out everywhere": (_, another) => another.auth.signOut({ scope: "global" }),
  "password changed elsewhere": ({ email }, another) =>
    another.auth.updateUser({
      password: "violet-harbour-27",
      current_password: `${email.split("@")[0]}-password`,
    }),
  suspended: ({ id }) =>
    product.database
      .sql`update auth.users set banned_until = now() + interval '1 year' where id = ${id}`.execute(),
};

let made = 0;

async function personWithTwoSessions() {
  made += 1;
  const person = await signUp(product, `late${made}`);
  await person.client.from("own_places").insert({ name: "home", latitude: 40, longitude: -3 });
  const another = product.createClient();
  const { error } = await another.auth.signInWithPassword({
    email: person.email,
    password: `late${made}-password`,
  });
  expect(error).toBeNull();
  return { person, another };
}

async function whatIsThere({ id }: Person) {
  const { sql } = product.database;
  const [row] = await sql`
    select raw_user_meta_data ->> 'full_name' as name,
      (select array_agg(name) from public.own_places where user_id = users.id) as places,
      (select count(*)::int from public.searches where user_id = users.id) as searches,
      (select count(*)::int from public.chats where user_id = users.id) as chats,
      (select count(*)::int from watch.link_tokens where user_id = users.id) as links
    from auth.users where id = ${id}`;
  return row;
}

test.each(Object.keys(ENDINGS))(
  "TIME-01 a body that arrives after its session has ended changes nothing (%s)",
  async (how) => {
    const { person, another } = await personWithTwoSessions();
    const token = await tokenOf(person);
    const late = await Promise.all(requestsOf(person).map((request) => beginRequest(token, request)));
    const before = await whatIsThere(person);
    await ENDINGS[how]?.(person, another);
    const statuses: number[] = [];
    for (const finish of late) statuses.push(await finish());
    expect(statuses).toEqual([401, 401, 401, 401, 403]);
    expect(await whatIsThere(person)).toEqual(before);
  },
);

test("TIME-01 what a live session sends late is done", async () => {
  const { person } = await personWithTwoSessions();
  const token = await tokenOf(person);
  const late = await Promise.all(requestsOf(person).map((request) => beginRequest(token, request)));
  const statuses: number[] = [];
  for (const finish of late) statuses.push(await finish());
  expect(statuses).toEqual([201, 204, 201, 200, 200]);
  expect(await whatIsThere(person)).toMatchObject({ name: "thief", places: ["thief", "thief"], chats: 1 });
});

test("TIME-01 a change that waits while its session ends is refused", async () => {
  const { person } = await personWithTwoSessions();
  const { id, client } = person;
  const ending = product.database.sql.begin(async (db) => {
    await db`select private.lock_person(${id})`;
    const place = { name: "late", latitude: 40, longitude: -3 };
    const answers = [
      client
        .from("own_places")
        .insert(place)
        .then(({ status }) => status),
      client.auth.updateUser({ data: { full_name: "late" } }).then(({ error }) => error?.name),
    ];
    await expect.poll(() => waitingForPeople()).toBe(2);
    await db`delete from auth.sessions where user_id = ${id}`;
    return { answers };
  });
  const { answers } = await ending;
  expect(await Promise.all(answers)).toEqual([401, "AuthSessionMissingError"]);
  expect(await whatIsThere(person)).toMatchObject({ places: ["home"] });
});

async function waitingForPeople(): Promise<number> {
  const { sql } = product.database;
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and wait_event = 'advisory'`;
  return row.count;
}

test("TIME-01 DOOR-10 a link that begins while its account is deleted leaves nothing of it", async () => {
  const { person } = await personWithTwoSessions();
  const { id } = person;
  const token = await tokenOf(person);
  const { sql } = product.database;
  let asked: Promise<Response> | undefined;
  await sql.begin(async (db) => {
    await db`delete from auth.users where id = ${id}`;
    asked = fetch(
      `${product.url}/auth/v1/user/identities/authorize?provider=custom%3Atelegram&skip_http_redirect=true`,
      { headers: { apikey: product.publishableKey, authorization: `Bearer ${token}` } },
    );
    const isWaiting = async () => {
      const rows = await sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      return rows.length;
    };
    await expect.poll(isWaiting).toBe(1);
  });
  expect((await asked)?.status).toBe(403);
  expect(await sql`select from auth.flow_state where linking_target_id = ${id}`).toHaveLength(0);
});
