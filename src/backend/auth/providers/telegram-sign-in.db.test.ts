import { afterEach, beforeAll, expect, test } from "vitest";
import type { TelegramLogin } from "#simulators/telegram/oidc/telegram-login.ts";
import { createPerson } from "#simulators/telegram/phone/create.ts";
import type { TelegramSimulator } from "#simulators/telegram/start-telegram-simulator.ts";
import { openTelegramBrowser, startTelegramProduct } from "#test/sign-in/telegram-browser.ts";
import type { TestProduct } from "#test/test-product.ts";
import { AUTH_LOGIN } from "../../login-roles.ts";
import { AUTH_FUNCTIONS } from "../auth-schema.ts";

let telegram: TelegramSimulator;
let login: TelegramLogin;
let product: TestProduct;

beforeAll(async () => {
  const started = await startTelegramProduct({ SIGN_UPS_PER_ADDRESS_PER_DAY: "3" });
  ({ telegram, login, product } = started);
  return started.stop;
});

afterEach(() => login.setFault(undefined));

const newPerson = (firstName = "Ana") => createPerson(telegram, { firstName, lastName: "Ruiz" }).id;

async function signIn(person: number, options: { isBotAllowed?: boolean; page?: string } = {}) {
  const { isBotAllowed = true, page = "http://localhost:3000/de" } = options;
  const choice = { person: String(person), ...(isBotAllowed ? { bot_access: "yes" as const } : {}) };
  return openTelegramBrowser(product).signIn(choice, { redirect_to: page });
}

async function userOf(landing: Awaited<ReturnType<typeof signIn>>) {
  const client = product.createClient();
  const { access_token = "", refresh_token = "" } = landing.said;
  const { data, error } = await client.auth.setSession({ access_token, refresh_token });
  if (error || !data.user) throw new Error(JSON.stringify(landing.said));
  return { client, user: data.user };
}

const chatOf = async (person: number) => {
  const [row] = await product.database.sql`
    select user_id, state, title, confirmed_at is not null as is_confirmed from public.chats where chat_id = ${person}`;
  return row && { ...row };
};

test("START-01 START-08 one consent makes an account without an address in the page's language, and connects the private chat", async () => {
  const person = newPerson();
  const landing = await signIn(person);
  expect(landing.page).toBe("http://localhost:3000/de");
  const { client, user } = await userOf(landing);
  expect(user).toMatchObject({
    email: "",
    app_metadata: { provider: "custom:telegram", providers: ["custom:telegram"] },
    user_metadata: { full_name: "Ana Ruiz", id: String(person), sub: expect.stringMatching(/^\d{19,20}$/) },
    identities: [{ provider: "custom:telegram", id: String(person) }],
  });
  expect((await client.from("profiles").select("full_name, email, language").single()).data).toEqual({
    full_name: "Ana Ruiz",
    email: null,
    language: "de",
  });
  expect(await chatOf(person)).toEqual({
    user_id: user.id,
    state: "connected",
    title: "Ana Ruiz",
    is_confirmed: true,
  });
  expect(telegram.chats.get(person)?.standing).toBe("ok");
});

test("START-08 without bot access the account is made, and no chat is connected until it is allowed", async () => {
  const person = newPerson();
  const { user } = await userOf(await signIn(person, { isBotAllowed: false }));
  expect(await chatOf(person)).toBeUndefined();
  expect(telegram.chats.get(person)?.standing).toBe("stranger");
  expect((await userOf(await signIn(person))).user.id).toBe(user.id);
  expect(await chatOf(person)).toMatchObject({ user_id: user.id, state: "connected" });
});

test("START-08 signing in again opens the same account, and two people without an address have two", async () => {
  const [ana, ben] = [newPerson("Ana"), newPerson("Ben")];
  const first = await userOf(await signIn(ana));
  expect((await userOf(await signIn(ana))).user.id).toBe(first.user.id);
  expect((await userOf(await signIn(ben))).user.id).not.toBe(first.user.id);
});

test.each([
  ["stopped", (person: number) => product.database.sql`select watch.stop_chat(${person})`, "declined"],
  [
    "blocked",
    (person: number) =>
      product.database
        .sql`update public.chats set state = 'blocked', reason = 'blocked' where chat_id = ${person}`,
    "blocked",
  ],
  [
    "removed",
    (person: number) => product.database.sql`delete from public.chats where chat_id = ${person}`,
    undefined,
  ],
])("START-08 a chat that its owner %s is not connected again by a sign-in", async (_, leave, state) => {
  const person = newPerson();
  await signIn(person);
  await leave(person);
  await userOf(await signIn(person));
  expect((await chatOf(person))?.state).toBe(state);
});

test("START-08 the number of new accounts per network address is limited, and known people can still sign in", async () => {
  const browser = openTelegramBrowser(product);
  const people = [1, 2, 3, 4].map(() => String(newPerson()));
  for (const person of people.slice(0, 3)) {
    expect((await browser.signIn({ person })).said.access_token).toBeDefined();
  }
  expect((await browser.signIn({ person: people[3] ?? "" })).said).toMatchObject({
    error_code: "over_sign_up_rate_limit",
  });
  expect((await browser.signIn({ person: people[0] ?? "" })).said.access_token).toBeDefined();
});

test("START-06 a fresh sign-in with Telegram allows its owner to delete the account, an old one does not", async () => {
  const { client, user } = await userOf(await signIn(newPerson()));
  const { sql } = product.database;
  await sql`update auth.mfa_amr_claims set updated_at = updated_at - interval '11 minutes'`;
  const refused = await client.rpc("delete_my_account");
  expect(refused.error).toMatchObject({ code: "PT403", details: "reauthentication_needed" });
  expect(refused.error?.message).not.toContain("Google");
  await sql`update auth.mfa_amr_claims set updated_at = updated_at + interval '11 minutes'`;
  expect((await client.rpc("delete_my_account")).error).toBeNull();
  expect([...(await sql`select from auth.users where id = ${user.id}`)]).toEqual([]);
});

test.each([
  ["refused", { error: "server_error" }],
  ["expired-code", { error_code: "unexpected_failure" }],
  ["token-down", { error_code: "unexpected_failure" }],
  ["bad-signature", { error_code: "unexpected_failure" }],
  ["other-bot", { error_code: "unexpected_failure" }],
] as const)("START-08 a sign-in that is %s makes no account and reports the reason", async (fault, said) => {
  login.setFault(fault);
  const person = newPerson();
  expect((await signIn(person)).said).toMatchObject(said);
  const { sql } = product.database;
  expect([...(await sql`select from auth.identities where provider_id = ${String(person)}`)]).toEqual([]);
});

test("START-08 a suspended account is refused, and neither its chat nor its identity changes", async () => {
  const person = newPerson();
  const { user } = await userOf(await signIn(person, { isBotAllowed: false }));
  const { sql } = product.database;
  const identityOf = async () => [...(await sql`select * from auth.identities where user_id = ${user.id}`)];
  const before = await identityOf();
  await sql`update auth.users set banned_until = 'infinity' where id = ${user.id}`;
  const page = { redirect_to: "http://localhost:3000/de" };
  const choice = { person: String(person), bot_access: "yes" as const };
  for (const challenge of [{}, { code_challenge: "a".repeat(43), code_challenge_method: "s256" }]) {
    const { said } = await openTelegramBrowser(product).signIn(choice, { ...page, ...challenge });
    expect(said).toMatchObject({ error: "access_denied", error_code: "user_banned" });
  }
  expect(await chatOf(person)).toBeUndefined();
  expect(await identityOf()).toEqual(before);
});

test("START-08 cancelling returns to the page, without an account", async () => {
  const landing = await openTelegramBrowser(product).signIn(
    { decision: "cancel" },
    { redirect_to: "http://localhost:3000/fr" },
  );
  expect(landing).toMatchObject({
    page: "http://localhost:3000/fr",
    said: { error: "access_denied", error_description: "" },
  });
});

test("START-08 keys that Telegram rotates while they are cached are fetched again", async () => {
  const person = newPerson();
  await userOf(await signIn(person));
  await login.rotateKeys();
  await userOf(await signIn(person));
});

test("TIME-09 Telegram may return the nonce that was sent or none, and no other", async () => {
  const person = newPerson();
  login.setFault("with-nonce");
  await userOf(await signIn(person));
  login.setFault("foreign-nonce");
  expect((await signIn(person)).said).toMatchObject({ error_code: "unexpected_failure" });
  await userOf(await signIn(person));
});

test("START-07 a Telegram user who makes and deletes accounts on the website is slowed, from any network", async () => {
  const person = newPerson();
  for (let turn = 0; turn < 2; turn += 1) {
    const { user } = await userOf(await signIn(person));
    await userOf(await signIn(person));
    await product.database.sql`delete from auth.users where id = ${user.id}`;
  }
  expect((await signIn(person)).said).toMatchObject({ error_code: "over_request_rate_limit" });
  expect(
    await product.database.sql`select from watch.telegram_identities where telegram_id = ${person}`,
  ).toHaveLength(0);
  await product.database
    .sql`update private.guard_allowances set refilled_at = refilled_at - interval '8 days'`;
  await userOf(await signIn(person));
});

test("START-05 only the auth service's role may enter accounts by Telegram", async () => {
  const { sql } = product.database;
  // The lock of a person gives nothing; everybody's own writes take it.
  const open = await sql`
    select role, name from unnest(array['anon', 'authenticated', 'service_role']) as role,
      unnest(${[...AUTH_FUNCTIONS]}::text[]) as name
    where has_function_privilege(role, name, 'execute') and name <> 'private.lock_person(uuid)'`;
  expect([...open]).toEqual([]);
  const own = await sql`
    select oid::regprocedure::text as name from pg_proc
    where pronamespace = 'private'::regnamespace and has_function_privilege(${AUTH_LOGIN}, oid, 'execute')`;
  expect(own).toHaveLength(AUTH_FUNCTIONS.length);
  const { client } = await userOf(await signIn(newPerson()));
  const { error } = await client.schema("private").rpc("enter_by_telegram", { telegram_id: 1, metadata: {} });
  expect(error).not.toBeNull();
});

test("the log of these tests contains no code, token or secret", () => {
  const log = product.log();
  expect(log).toContain('"path":"/auth/v1/callback"');
  expect(log).not.toMatch(/eyJ|simulated-telegram-login-secret|code=[\w-]{20}/);
});
