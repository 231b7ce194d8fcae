import type { SupabaseClient } from "@supabase/supabase-js";
import type { Sql } from "postgres";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createTelegramAccount, openTelegramSession } from "#test/telegram-account.ts";
import { startTestAuth, type TestAuth } from "#test/test-auth.ts";
import { hashOf } from "./sessions.ts";

const MINUTE = 60_000;
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
  email = `ana-${people}@example.com`;
});

async function signIn({ minutesAgo = 0, userId = "" } = {}) {
  const id = userId || (await createTelegramAccount(sql)).userId;
  const { client } = world.createClient();
  const session = {
    refresh_token: await openTelegramSession(sql, id, new Date(world.clock.now() - minutesAgo * MINUTE)),
  };
  expect((await client.auth.refreshSession(session)).error).toBeNull();
  return { userId: id, client };
}

const linkTo = (address: string) =>
  world.mails.findLast(({ to, kind }) => to === address && kind === "email_change")?.tokenHash ?? "";

async function request(client: SupabaseClient, address = email) {
  const { data, error } = await client.auth.updateUser({ email: address });
  await world.auth.idle();
  return { user: data.user, code: error?.code };
}

async function open(tokenHash: string, type: "email_change" | "recovery" = "email_change") {
  const { client } = world.createClient();
  const { data, error } = await client.auth.verifyOtp({ token_hash: tokenHash, type });
  return { user: data.user, session: data.session, code: error?.code };
}

const accountOf = async (userId: string) => {
  const [row] = await sql`
    select users.email, email_change as "newEmail", email_confirmed_at is not null as "isConfirmed",
      exists (select from private.proven_addresses where user_id = users.id) as "isProved",
      (select array_agg(state) from public.chats where user_id = users.id) as chats,
      array(select provider from auth.identities where user_id = users.id order by provider) as providers
    from auth.users where id = ${userId}`;
  return row;
};

const BARE = {
  email: null,
  newEmail: null,
  isConfirmed: false,
  isProved: false,
  chats: ["connected"],
  providers: ["custom:telegram"],
};

test("START-04 an added address counts after its link is opened, and then opens the account with a password", async () => {
  const { userId, client } = await signIn();
  await sql`
    insert into public.searches (user_id, filter_url, receiver_ids)
    select ${userId}, 'https://www.idealista.com/alquiler-viviendas/madrid-madrid/', array[chat_id::text]
    from public.chats where user_id = ${userId}`;
  const asked = await request(client);
  expect(asked.user).toMatchObject({ email: "", new_email: email });
  expect(asked.user?.email_change_sent_at).toBeDefined();
  expect(await accountOf(userId)).toEqual({ ...BARE, newEmail: email });
  expect(world.mails.at(-1)).toMatchObject({ kind: "email_change", to: email });
  const stored = await sql`select token_hash as token from private.mailed_links where user_id = ${userId}`;
  expect(stored, "only a hash is stored").toEqual([{ token: hashOf(linkTo(email)) }]);

  const proved = await open(linkTo(email));
  expect(proved).toMatchObject({ user: { id: userId, email }, session: null });
  expect(proved.user?.new_email).toBeUndefined();
  const whole = {
    ...BARE,
    email,
    isConfirmed: true,
    isProved: true,
    providers: ["custom:telegram", "email"],
  };
  expect(await accountOf(userId)).toEqual(whole);

  expect((await client.auth.updateUser({ password: PASSWORD })).error).toBeNull();
  const byPassword = await world.createClient().client.auth.signInWithPassword({ email, password: PASSWORD });
  expect(byPassword.data.user?.id).toBe(userId);
  world.clock.advance(2 * MINUTE);
  await world.createClient().client.auth.resetPasswordForEmail(email);
  await world.auth.idle();
  const { client: resetting } = world.createClient();
  const token_hash = world.mails.at(-1)?.tokenHash ?? "";
  expect((await resetting.auth.verifyOtp({ token_hash, type: "recovery" })).error).toBeNull();
  expect((await resetting.auth.updateUser({ password: "amber-lantern-41" })).error).toBeNull();
  expect(await accountOf(userId), "the sign-in with Telegram and the setup stay").toEqual(whole);
});

test("START-04 an access token without a fresh sign-in adds no address", async () => {
  const { userId, client } = await signIn({ minutesAgo: 11 });
  expect((await request(client)).code).toBe("reauthentication_needed");
  expect(await accountOf(userId)).toEqual(BARE);
  expect(linkTo(email)).toBe("");
});

test("START-04 an account that has an address keeps it", async () => {
  const { client } = world.createClient();
  await client.auth.signUp({ email, password: PASSWORD });
  const change = { email: `other-${email}`, current_password: PASSWORD };
  const { error } = await client.auth.updateUser(change);
  expect([error?.status, error?.code]).toEqual([422, "validation_failed"]);
  expect(linkTo(`other-${email}`)).toBe("");
});

test("START-04 an account without an address takes no password", async () => {
  const { userId, client } = await signIn();
  expect((await client.auth.updateUser({ password: PASSWORD })).error?.code).toBe("validation_failed");
  expect((await client.auth.updateUser({ email, password: PASSWORD })).error?.code).toBe("validation_failed");
  expect(await accountOf(userId)).toEqual(BARE);
});

test("START-04 a link works once, for an hour, and only as what it is", async () => {
  const { userId, client } = await signIn();
  await request(client);
  expect((await open(linkTo(email), "recovery")).code).toBe("otp_expired");
  expect((await open("0".repeat(64))).code).toBe("otp_expired");
  world.clock.advance(61 * MINUTE);
  expect((await open(linkTo(email))).code).toBe("otp_expired");
  expect(await accountOf(userId)).toEqual({ ...BARE, newEmail: email });

  const fresh = await signIn();
  const other = `fresh-${email}`;
  await request(fresh.client, other);
  expect((await open(linkTo(other))).user?.email).toBe(other);
  expect((await open(linkTo(other))).code).toBe("otp_expired");
});

test("START-04 another pending address replaces the earlier link", async () => {
  const { userId, client } = await signIn();
  await request(client);
  const second = `second-${email}`;
  expect((await request(client, second)).user?.new_email).toBe(second);
  expect((await open(linkTo(email))).code).toBe("otp_expired");
  await open(linkTo(second));
  expect(await accountOf(userId)).toMatchObject({ email: second });
});

test("START-04 the answer is the same for an address that has an account, which gets no mail", async () => {
  await world.createClient().client.auth.signUp({ email, password: PASSWORD });
  const [free, taken] = [await signIn(), await signIn()];
  const other = `free-${email}`;
  const shapes = [await request(free.client, other), await request(taken.client)].map(({ user, code }) => [
    code,
    user?.new_email?.replace("free-", ""),
    Object.keys(user ?? {}).sort(),
  ]);
  expect(shapes[0]).toEqual(shapes[1]);
  expect([linkTo(other) === "", linkTo(email)]).toEqual([false, ""]);
});

test("START-04 an address that was taken between request and proof is refused, and its owner keeps it", async () => {
  const { userId, client } = await signIn();
  await request(client);
  const owner = await world.createClient().client.auth.signUp({ email, password: PASSWORD });
  expect((await open(linkTo(email))).code).toBe("email_exists");
  expect(await accountOf(userId)).toEqual(BARE);
  const [row] = await sql`select id from auth.users where email = ${email}`;
  expect(row?.id).toBe(owner.data.user?.id);
});

test("START-04 of two accounts that asked for one address, the first to open its link gets it", async () => {
  const [ana, bob] = [await signIn(), await signIn()];
  await request(ana.client);
  const first = linkTo(email);
  world.clock.advance(2 * MINUTE);
  await request(bob.client);
  const outcomes = await Promise.all([open(first), open(linkTo(email))]);
  expect(outcomes.map(({ code }) => code ?? "added").sort()).toEqual(["added", "email_exists"]);
  const owners = await sql`select id from auth.users where email = ${email}`;
  expect(owners).toHaveLength(1);
});

test("START-04 a link opened by somebody else's browser gives no session and changes only its own account", async () => {
  const [ana, bob] = [await signIn(), await signIn()];
  await request(ana.client);
  const { data } = await bob.client.auth.verifyOtp({ token_hash: linkTo(email), type: "email_change" });
  expect(data.session).toBeNull();
  expect((await bob.client.auth.getUser()).data.user?.id).toBe(bob.userId);
  expect([(await accountOf(ana.userId))?.email, (await accountOf(bob.userId))?.email]).toEqual([email, null]);
});

test("START-04 a squatter's pending address gives nothing and does not stop its owner from signing up", async () => {
  const squatter = await signIn();
  await request(squatter.client);
  const owner = await world.createClient().client.auth.signUp({ email, password: PASSWORD });
  expect(owner.error).toBeNull();
  expect(owner.data.user?.identities?.map(({ provider }) => provider)).toEqual(["email"]);
  expect(await accountOf(squatter.userId)).toEqual({ ...BARE, newEmail: email });
  expect((await squatter.client.auth.getUser()).data.user?.email).toBe("");
});

test("START-04 a suspended account's link does nothing", async () => {
  const { userId, client } = await signIn();
  await request(client);
  await sql`update auth.users set banned_until = 'infinity' where id = ${userId}`;
  expect((await open(linkTo(email))).code).toBe("otp_expired");
});

test.each([
  ["a line break", "ana@example.com\r\nBcc: all@example.com"],
  ["two addresses", "ana@example.com,bob@example.com"],
  ["a name", "Ana <ana@example.com>"],
  ["a mark that turns the text", "ana@example\u202emoc.com"],
  ["no domain", "ana"],
  ["a list", ["ana@example.com"]],
  ["nothing", ""],
])("START-04 %s is not an address, and nothing is mailed", async (_what, address) => {
  const { userId, client } = await signIn();
  const before = world.mails.length;
  const { code } = await request(client, address as string);
  expect(code).toBe(typeof address === "string" ? "email_address_invalid" : "validation_failed");
  expect([world.mails.length, await accountOf(userId)]).toEqual([before, BARE]);
});

test("START-04 a thousand requests of one account mail five links", { tags: "long" }, async () => {
  const { userId } = await createTelegramAccount(sql);
  const { client } = await signIn({ userId });
  const token = (await client.auth.getSession()).data.session?.access_token ?? "";
  const before = world.mails.length;
  const statuses = new Map<number, number>();
  for (let n = 0; n < 1_000; n += 1) {
    const headers = { authorization: `Bearer ${token}` };
    const body = { email: `many-${n}@example.com` };
    const { status } = await world.send("user", { method: "PUT", body, headers });
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  await world.auth.idle();
  expect(world.mails.length - before).toBe(5);
  expect(Object.fromEntries(statuses)).toEqual({ 200: 5, 429: 995 });
});

test("START-04 TIME-06 one mailbox gets at most one link a minute and twelve a day, from all accounts and in all spellings", async () => {
  const before = world.mails.length;
  const codes: (string | undefined)[] = [];
  for (let n = 0; n < 25; n += 1) {
    const { client } = await signIn();
    if (n === 1) codes.push((await request(client)).code);
    world.clock.advance(MINUTE);
    await request(client, email.replace("@", n % 2 ? "@" : `+${n}@`));
  }
  expect(codes).toEqual(["over_email_send_rate_limit"]);
  expect(world.mails.length - before).toBe(12);
});
