// The link of a sign-up: what it says, its two answers, and what it is not.
import type { Sql } from "postgres";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openSession } from "#test/proven-address.ts";
import { startTestAuth, type TestAuth } from "#test/test-auth.ts";

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;
const PASSWORD = "violet-harbour-27";

let world: TestAuth;
let sql: Sql;
let people = 0;
let email = "";

beforeAll(async () => {
  world = await startTestAuth();
  ({ sql } = world.database);
});

afterAll(() => world.stop());

beforeEach(() => {
  people += 1;
  email = `rosa-${people}@example.com`;
});

const tokensTo = (address = email) =>
  world.mails
    .filter(({ to, kind }) => to === address && kind === "confirmation")
    .map((mail) => mail.tokenHash);

async function signUp(address = email) {
  const { client } = world.createClient();
  const { data, error } = await client.auth.signUp({
    email: address,
    password: PASSWORD,
    options: { data: { full_name: "Rosa", language: "de" }, emailRedirectTo: "http://localhost:3000/es" },
  });
  await world.auth.idle();
  return { client, data, code: error?.code, userId: data.user?.id ?? "" };
}

const resend = async (address = email) => {
  const { error } = await world.createClient().client.auth.resend({ type: "signup", email: address });
  await world.auth.idle();
  return error?.code;
};

const verify = async (
  token_hash: string,
  type: "signup" | "email" | "recovery" | "email_change" = "signup",
) => {
  const { data, error } = await world.createClient().client.auth.verifyOtp({ token_hash, type });
  return { session: data.session, user: data.user, code: error?.code };
};

const isProved = async (userId: string) =>
  (await sql`select from private.proven_addresses where user_id = ${userId}`).length > 0;

const callAsGuest = (name: "describe_address_link" | "refuse_address", token: string) =>
  sql.begin(async (db) => {
    await db`set local role anon`;
    const [row] = await db<{ value: unknown }[]>`select ${db(`public.${name}`)}(${token}) as value`;
    return row?.value;
  });

test("READ-10 AUTH-10 a sign-up gives a session at once and mails one link, of which only a hash is stored", async () => {
  const { data, userId } = await signUp();
  expect(data.session?.access_token).toBeDefined();
  expect(data.user?.email_confirmed_at).toBeUndefined();
  expect(world.mails.filter(({ to }) => to === email)).toMatchObject([
    { kind: "confirmation", redirectTo: "http://localhost:3000/es", metadata: { full_name: "Rosa" } },
  ]);
  const [token = ""] = tokensTo();
  expect(token).toMatch(/^[\da-f]{64}$/);
  const kept = JSON.stringify([
    await sql`select * from private.mailed_links where user_id = ${userId}`,
    await sql`select * from auth.users where id = ${userId}`,
  ]);
  expect(kept).not.toContain(token);
  expect(await isProved(userId)).toBe(false);
});

test("READ-10 START-06 “yes” proves the address in any browser, once, keeps everything and signs nobody in", async () => {
  const { userId, client } = await signUp();
  const [token = ""] = tokensTo();
  const answers = await Promise.all([verify(token), verify(token, "email"), verify(token)]);
  expect(answers.map(({ code }) => code ?? "proved").sort()).toEqual([
    "otp_expired",
    "otp_expired",
    "proved",
  ]);
  expect(answers.every(({ session }) => session === null)).toBe(true);
  expect(answers.find(({ user }) => user)?.user).toMatchObject({ id: userId, email });
  expect(await isProved(userId)).toBe(true);
  expect((await client.auth.getUser()).data.user?.email_confirmed_at).toBeDefined();
  expect((await client.auth.refreshSession()).error).toBeNull();
});

test("READ-10 the page is told what the account is, and opening it changes nothing", async () => {
  const { userId } = await signUp();
  await sql`
    insert into private.security_events (user_id, kind, browser, platform, began_at, happened_at)
    values (${userId}, 'sign_up', 'Firefox', 'Windows', now(), now())`;
  await sql`
    insert into auth.identities (user_id, provider, provider_id, identity_data)
    values (${userId}, 'custom:telegram', ${`9${people}`}, '{"full_name": "Mallory\\u202e Marsh"}')`;
  await sql`
    insert into public.chats (user_id, chat_id, kind, title, state, confirmed_at)
    values (${userId}, ${81_000 + people}, 'group', 'Our flat', 'connected', now()),
      (${userId}, 92001234, null, null, 'connected', null), (${userId}, 93, null, null, 'declined', null)`;
  const [token = ""] = tokensTo();
  const before = await sql`select xmin::text from auth.users where id = ${userId}`;
  const told = await callAsGuest("describe_address_link", token);
  expect(told).toEqual({
    kind: "signup",
    email,
    opened_at: expect.any(String),
    browser: { family: "Firefox", platform: "Windows" },
    has_password: true,
    sign_ins: [{ provider: "custom:telegram", name: "Mallory Marsh" }],
    chats: [
      { kind: "group", name: "Our flat", digits: String(81_000 + people).slice(-4) },
      { kind: null, name: null, digits: "1234" },
    ],
    searches: 0,
  });
  expect(await callAsGuest("describe_address_link", token)).toEqual(told);
  expect(await sql`select xmin::text from auth.users where id = ${userId}`).toEqual(before);
  const [stored] = await sql`select token_hash from private.mailed_links where user_id = ${userId}`;
  for (const wrong of [stored?.token_hash, "0".repeat(64), "", token.slice(1)]) {
    expect(await callAsGuest("describe_address_link", wrong)).toBeNull();
    expect(await callAsGuest("refuse_address", wrong)).toBeNull();
  }
});

test("READ-10 DOOR-10 “that wasn't me” deletes the account with everything, as its owner would", async () => {
  const { userId, client } = await signUp();
  await openSession(sql, userId);
  const [token = ""] = tokensTo();
  expect(await callAsGuest("refuse_address", token)).toBe("deleted");
  expect(await sql`select from auth.users where id = ${userId}`).toHaveLength(0);
  expect((await client.auth.getUser()).error).not.toBeNull();
  expect((await verify(token)).code).toBe("otp_expired");
  expect(await callAsGuest("refuse_address", token)).toBeNull();
  expect(await sql`select email from private.account_mails where kind = 'account-deleted'`).toContainEqual({
    email,
  });
  expect((await signUp()).code).toBeUndefined();
});

test("READ-10 TIME-03 of two opposite answers at once one wins, and a proved account is not deleted", async () => {
  for (let round = 0; round < 5; round += 1) {
    const address = `round-${round}-${email}`;
    const { userId } = await signUp(address);
    const [token = ""] = tokensTo(address);
    const [yes, no] = await Promise.all([verify(token), callAsGuest("refuse_address", token)]);
    const isThere = (await sql`select from auth.users where id = ${userId}`).length > 0;
    expect([yes.code === undefined, no === "deleted"]).toEqual([isThere, !isThere]);
    expect(await isProved(userId)).toBe(isThere);
  }
});

test("TIME-01 a link is only what it is, and ends with a week, a suspension or a deletion", async () => {
  const { userId } = await signUp();
  const [token = ""] = tokensTo();
  for (const type of ["recovery", "email_change"] as const) {
    expect((await verify(token, type)).code).toBe("otp_expired");
  }
  await sql`update auth.users set banned_until = 'infinity' where id = ${userId}`;
  expect((await verify(token)).code).toBe("otp_expired");
  expect(await callAsGuest("describe_address_link", token)).toBeNull();
  expect(await callAsGuest("refuse_address", token)).toBeNull();
  await sql`update auth.users set banned_until = null where id = ${userId}`;
  const other = `week-${email}`;
  await signUp(other);
  world.clock.advance(7 * DAY);
  expect((await verify(tokensTo(other)[0] ?? "")).code).toBe("otp_expired");
  await world.auth.deleteExpired();
  expect(await sql`select from private.mailed_links where expires_at < now()`).toHaveLength(0);
});

test("READ-10 an earlier link works until one is used, and the three latest are kept", async () => {
  const { userId } = await signUp();
  for (let n = 0; n < 3; n += 1) {
    world.clock.advance(MINUTE);
    expect(await resend()).toBeUndefined();
  }
  const [first = "", second = "", , fourth = ""] = tokensTo();
  expect((await verify(first)).code).toBe("otp_expired");
  expect((await verify(second)).user?.id).toBe(userId);
  expect((await verify(fourth)).code).toBe("otp_expired");
});

test("TIME-06 the mail is sent again once a minute and twelve times a day to one mailbox, and says nothing about accounts", async () => {
  await signUp();
  expect(await resend()).toBe("over_email_send_rate_limit");
  let sent = tokensTo().length;
  for (let n = 0; n < 20; n += 1) {
    world.clock.advance(MINUTE);
    await resend();
  }
  sent = tokensTo().length;
  expect(sent).toBe(12);
  const unknown = `unknown-${email}`;
  expect([await resend(unknown), await resend(unknown)]).toEqual([undefined, "over_email_send_rate_limit"]);
  expect(tokensTo(unknown)).toEqual([]);
});

test("TIME-06 what a stranger asks for other spellings of a mailbox keeps nobody from their link", async () => {
  for (let n = 0; n < 15; n += 1) {
    await resend(email.replace("@", `+${n}@`));
    world.clock.advance(MINUTE);
  }
  await signUp();
  expect(tokensTo()).toHaveLength(1);
});

test("READ-10 a proved address gets no link again", async () => {
  await signUp();
  await verify(tokensTo()[0] ?? "");
  world.clock.advance(2 * MINUTE);
  const before = tokensTo().length;
  expect(await resend()).toBeUndefined();
  expect(tokensTo()).toHaveLength(before);
});

test("TIME-06 spellings of one mailbox share its mails, and each is an account of its own", async () => {
  const spellings = ["", "+1", "+2"].map((tag) => email.replace("@", `${tag}@`));
  const made = [];
  for (const spelling of spellings) made.push(await signUp(spelling));
  expect(new Set(made.map(({ userId }) => userId)).size).toBe(3);
  expect(spellings.map((spelling) => tokensTo(spelling).length)).toEqual([1, 0, 0]);
});

test.each([
  "(1)rosa@example.com",
  "rosa(2)@example.com",
  "g:rosa@example.com",
  "rosa@ｅxample.com",
  "x@[y]",
  "x@example.com.",
])(
  "TIME-06 %s neither signs up, in nor recovers, with a code that is shown as a sentence",
  async (address) => {
    const before = world.mails.length;
    for (const path of ["signup", "token?grant_type=password", "recover", "resend"]) {
      const answer = await world.send(path, { body: { email: address, password: PASSWORD, type: "signup" } });
      expect([path, answer.status, ((await answer.json()) as { error_code?: string }).error_code]).toEqual([
        path,
        400,
        "email_address_invalid",
      ]);
    }
    expect(world.mails).toHaveLength(before);
  },
);

test("TIME-06 an international domain is one account, however it is written", async () => {
  const { userId } = await signUp(`rosa-${people}@España.example`);
  for (const written of [`ROSA-${people}@xn--espaa-rta.example`, `rosa-${people}@espan\u0303a.example`]) {
    expect((await signUp(written)).code).toBe("user_already_exists");
    const { client } = world.createClient();
    const { data } = await client.auth.signInWithPassword({ email: written, password: PASSWORD });
    expect(data.user?.id).toBe(userId);
  }
});
