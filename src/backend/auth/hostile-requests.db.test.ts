import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestAuth, type TestAuth } from "#test/test-auth.ts";

let world: TestAuth;
let token: string;

const PASSWORD = "violet-harbour-27";

beforeAll(async () => {
  world = await startTestAuth();
  await meetAlice();
});

afterAll(() => world.stop());

let people = 0;
let email: string;

/** A new account, for tests that change it. */
async function meetAlice(): Promise<void> {
  people += 1;
  email = `alice-${people}@example.com`;
  const answer = await world.send("signup", { body: { email, password: PASSWORD } });
  ({ access_token: token } = (await answer.json()) as { access_token: string });
}

const codeOf = async (answer: Response) => [
  answer.status,
  ((await answer.json()) as { error_code?: string }).error_code,
];

test.each([
  "grant%5Ftype=x&grant_type=password",
  "grant_type=password&grant%5Ftype=x",
  "grant_type=password&grant_type=password",
  "grant_type=password&%67rant_type=refresh_token",
  "grant_type=password&grant_type",
  "grant_type=password&x=1",
  "grant_type=password&__proto__=1",
  "grant_type=password&apikey=1",
  "GRANT_TYPE=password",
  "grant_type[]=password",
  "grant_type=password&%FF=1",
  "grant_type=password;grant_type=x",
  "grant_type=Password",
  "grant_type=password%00",
  "grant_type=%20password",
  "grant_type=",
  "",
])("READ-04 POST /token?%s is refused before any password is checked", async (query) => {
  const answer = await world.send(`token?${query}`, { body: { email, password: PASSWORD } });
  expect(await codeOf(answer)).toEqual([400, "validation_failed"]);
});

test("READ-04 a parameter name in another encoding is read as the same name", async () => {
  await meetAlice();
  for (let guess = 0; guess < 10; guess += 1) {
    const body = { email, password: `guess-${guess}` };
    expect((await world.send("token?grant%5Ftype=password", { body })).status).toBe(400);
  }
  expect(
    (await world.send("token?grant%5Ftype=password", { body: { email, password: PASSWORD } })).status,
  ).toBe(429);
});

test("READ-04 a suspended person cannot sign in with any spelling of any route", async () => {
  await meetAlice();
  await world.database
    .sql`update auth.users set banned_until = now() + interval '1 day' where email = ${email}`;
  for (const query of ["grant_type=password", "grant%5Ftype=password", "%67rant_type=%70assword"]) {
    const answer = await world.send(`token?${query}`, { body: { email, password: PASSWORD } });
    expect(await codeOf(answer)).toEqual([400, "user_banned"]);
  }
});

test.each([
  ["signup?redirect_to=a&redirect_to=b", "POST"],
  ["recover?redirect%5Fto=a&redirect_to=b", "POST"],
  ["verify?type=recovery", "POST"],
  ["user?x=1", "GET"],
  ["user?redirect_to=a&redirect_to=a", "PUT"],
  ["logout?scope=local&scope=global", "POST"],
  ["logout?scope=local&sc%6Fpe=global", "POST"],
  ["settings?x", "GET"],
])("READ-04 %s (%s) with a repeated or unknown parameter is refused", async (path, method) => {
  await meetAlice();
  const body = method === "GET" ? undefined : { email, password: PASSWORD, data: {} };
  const answer = await world.send(path, { method, body, headers: { authorization: `Bearer ${token}` } });
  expect(await codeOf(answer)).toEqual([400, "validation_failed"]);
  expect((await world.auth.checkToken(token)).ok).toBe(true);
});

test("READ-04 of a repeated name in a body, the value that is checked is the value that is used", async () => {
  await meetAlice();
  const body = `{"email":"nobody@example.com","password":"x","email":"${email}","password":"${PASSWORD}"}`;
  const answer = await world.send("token?grant_type=password", { body });
  expect(((await answer.json()) as { user: { email: string } }).user.email).toBe(email);
});

test("READ-04 additional fields of supabase-js are accepted, null challenges and captcha included", async () => {
  const ignored = { gotrue_meta_security: {}, code_challenge: null, code_challenge_method: null };
  const fresh = { email: `fresh-${people}@example.com`, password: PASSWORD, data: {}, ...ignored };
  expect((await world.send("signup", { body: fresh })).status).toBe(200);
  expect((await world.send("recover", { body: { email, ...ignored } })).status).toBe(200);
  const body = { data: { full_name: "Ana" }, ...ignored };
  const headers = { authorization: `Bearer ${token}` };
  expect((await world.send("user", { method: "PUT", body, headers })).status).toBe(200);
});

const NAMES = [
  "email",
  "password",
  "data",
  "refresh_token",
  "auth_code",
  "code_verifier",
  "token_hash",
  "type",
  "current_password",
  "phone",
  "gotrue_meta_security",
];
const VALUES: unknown[] = [
  null,
  true,
  0,
  -1,
  1e308,
  "",
  " ",
  "\0",
  "\ud83c",
  "x".repeat(20_000),
  "' or 1=1 --",
  "$1; select 1",
  "{}",
  "\u202e🏮",
  "K@example.com",
  [],
  ["a"],
  [[[[]]]],
  {},
  { a: { b: {} } },
  { __proto__: null },
  { constructor: { prototype: { role: "admin" } } },
  JSON.parse('{"__proto__": {"role": "service_role"}}'),
  { $gt: "" },
];
const ROUTES: [path: string, method: string][] = [
  ["signup", "POST"],
  ["token?grant_type=password", "POST"],
  ["token?grant_type=refresh_token", "POST"],
  ["token?grant_type=pkce", "POST"],
  ["recover", "POST"],
  ["verify", "POST"],
  ["user", "PUT"],
  ["logout", "POST"],
];

/** A body with one unusual value; all others are valid. */
const bodyWith = (name: string, value: unknown) => ({
  ...{ email, password: "amber-lantern-41", data: { a: 1 }, refresh_token: "x", auth_code: "x" },
  ...{ code_verifier: "x", token_hash: "x", type: "recovery" },
  [name]: value,
});

test.each(ROUTES)(
  "READ-04 %s: no unusual value of any field causes a server error",
  { tags: "long" },
  async (path, method) => {
    await meetAlice();
    for (const name of NAMES) {
      for (const value of VALUES) {
        const headers = { authorization: `Bearer ${token}` };
        const answer = await world.send(path, { method, body: bodyWith(name, value), headers });
        expect([name, value, answer.status < 500]).toEqual([name, value, true]);
      }
    }
    const inborn: Record<string, unknown> = {};
    expect([inborn.role, Object.keys(Object.prototype)]).toEqual([undefined, []]);
  },
);

test("READ-04 deeply nested bodies and bodies with many names cause no server error", async () => {
  const headers = { authorization: `Bearer ${token}` };
  for (const depth of [1_000, 2_000, 5_000, 30_000]) {
    const nested = `${"[".repeat(depth)}${"]".repeat(depth)}`;
    for (const body of [`{"data":{"a":${nested}}}`, `{"x":${nested},"email":"${email}"}`]) {
      for (const [path, method] of ROUTES) {
        const answer = await world.send(path, { method, body, headers });
        expect([path, depth, answer.status < 500]).toEqual([path, depth, true]);
      }
    }
  }
  const names = Object.fromEntries(Array.from({ length: 5_000 }, (_, number) => [`n${number}`, 1]));
  expect((await world.send("signup", { body: { ...names, email: 1 } })).status).toBe(400);
});

test("READ-04 a key named __proto__ in a person's data is stored and merged as data", async () => {
  await meetAlice();
  const headers = { authorization: `Bearer ${token}` };
  for (const data of ['{"__proto__":{"role":"admin"},"a":1}', '{"constructor":"x","a":null}']) {
    const answer = await world.send("user", { method: "PUT", body: `{"data":${data}}`, headers });
    expect(answer.status).toBe(200);
  }
  const [row] = await world.database.sql`
    select raw_user_meta_data::text as text, role from auth.users where email = ${email}`;
  expect(JSON.parse(row?.text)).toEqual(JSON.parse('{"__proto__":{"role":"admin"},"constructor":"x"}'));
  expect(row?.role).toBe("authenticated");
});

test("a person's data stays small, however often it is added to", async () => {
  await meetAlice();
  const headers = { authorization: `Bearer ${token}` };
  const statuses: number[] = [];
  for (const name of ["a", "b", "c"]) {
    const body = { data: { [name]: "x".repeat(2_000) } };
    statuses.push((await world.send("user", { method: "PUT", body, headers })).status);
  }
  expect(statuses).toEqual([200, 200, 400]);
});

test("A33 of concurrent sign-ups with one address in different case, one gets an account", async () => {
  const spellings = ["One", "ONE", "one", "oNe", "onE", "One"].map((name) => `${name}-${people}@Example.com`);
  const answers = await Promise.all(
    spellings.map(async (spelling) =>
      codeOf(await world.send("signup", { body: { email: spelling, password: PASSWORD } })),
    ),
  );
  expect(answers.toSorted()).toEqual([[200, undefined], ...Array(5).fill([422, "user_already_exists"])]);
});

test("without an API key only routes opened by browser navigation are served", async () => {
  for (const apikey of ["", "sb_publishable_other", "__proto__"]) {
    const answer = await world.send("settings", { method: "GET", headers: { apikey } });
    expect(answer.status, apikey).toBe(401);
  }
  expect(
    (await world.send("authorize?provider=google", { method: "GET", headers: { apikey: "" } })).status,
  ).toBe(303);
});
