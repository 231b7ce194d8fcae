import { randomBytes } from "node:crypto";
import type { SupabaseClient } from "@supabase/supabase-js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type GoogleSimulator, startGoogleSimulator } from "#simulators/google/google-simulator.ts";
import { startTestAuth, type TestAuth } from "#test/test-auth.ts";
import { challengeOf } from "./providers/flow-states.ts";
import { googleProvider } from "./providers/providers.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

let google: GoogleSimulator;
let world: TestAuth;
let people = 0;

beforeAll(async () => {
  google = await startGoogleSimulator({ redirectUris: ["http://localhost:3000/auth/v1/callback"] });
  world = await startTestAuth({ providers: [googleProvider(google)] });
});

afterAll(async () => {
  await world.stop();
  await google.stop();
});

async function signedUp() {
  people += 1;
  const email = `person-${people}@example.com`;
  const { client, requests } = world.createClient();
  const { data, error } = await client.auth.signUp({ email, password: "violet-harbour-27" });
  expect(error).toBeNull();
  return { client, requests, email, session: data.session };
}

const refreshWith = (refresh_token: string) =>
  world.createClient().client.auth.refreshSession({ refresh_token });
const refreshTokenIn = async (client: SupabaseClient) =>
  (await client.auth.getSession()).data.session?.refresh_token ?? "";
const isAlive = async (token: string | undefined) => (await world.auth.checkToken(token ?? "")).ok;

/** Everything that the auth service has stored, as one text. */
async function everythingStored(): Promise<string> {
  const { sql } = world.database;
  const tables = await sql<{ name: string }[]>`
    select format('%I.%I', nspname, relname) as name from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where relkind = 'r' and nspname in ('auth', 'private')`;
  const texts = await Promise.all(
    tables.map(({ name }) =>
      sql.unsafe(`select coalesce(string_agg(t::text, ' '), '') as text from ${name} t`),
    ),
  );
  return texts.map(([row]) => row?.text).join(" ");
}

/** Runs a Google sign-in up to the code for our page. */
async function codeFromGoogle(verifier: string): Promise<string> {
  const query = `provider=google&code_challenge=${challengeOf(verifier)}&code_challenge_method=s256`;
  const begun = await world.send(`authorize?${query}`, { method: "GET" });
  const consent = await fetch(begun.headers.get("location") ?? "", {
    method: "POST",
    redirect: "manual",
    body: new URLSearchParams({ email: "tom.baker@gmail.example" }),
  });
  const { search } = new URL(consent.headers.get("location") ?? "");
  const cookie = begun.headers.get("set-cookie")?.split(";")[0] ?? "";
  const landed = await world.send(`callback${search}`, { method: "GET", headers: { cookie } });
  return new URL(landed.headers.get("location") ?? "").searchParams.get("code") ?? "";
}

const exchange = async (auth_code: string, code_verifier: string) => {
  const answer = await world.send("token?grant_type=pkce", { body: { auth_code, code_verifier } });
  return [answer.status, ((await answer.json()) as { error_code?: string }).error_code];
};

test("READ-05 A27 the code of a provider sign-in works once, for five minutes, with the verifier of its challenge", async () => {
  const [mine, other] = [randomBytes(32).toString("base64url"), randomBytes(32).toString("base64url")];
  const code = await codeFromGoogle(mine);
  expect(await exchange(code, other)).toEqual([400, "bad_code_verifier"]);
  expect(await exchange(await codeFromGoogle(other), mine)).toEqual([400, "bad_code_verifier"]);
  const outcomes = await Promise.all(Array.from({ length: 5 }, () => exchange(code, mine)));
  expect(outcomes.filter(([status]) => status === 200)).toHaveLength(1);
  const late = await codeFromGoogle(mine);
  world.clock.advance(5 * MINUTE_MS + 1_000);
  expect(await exchange(late, mine)).toEqual([422, "flow_state_expired"]);
});

test("TIME-03 a code opens nothing once the identity that it came from is gone", async () => {
  const verifier = randomBytes(32).toString("base64url");
  const code = await codeFromGoogle(verifier);
  const { sql } = world.database;
  await sql`update auth.identities set provider = 'gone' where provider = 'google'`;
  expect(await exchange(code, verifier)).toEqual([404, "flow_state_not_found"]);
  await sql`update auth.identities set provider = 'google' where provider = 'gone'`;
  expect((await exchange(code, verifier))[0]).toBe(200);
});

test("READ-05 no refresh token, link, state, code or cookie is stored in plain text", async () => {
  const { client, email } = await signedUp();
  const secrets = [await refreshTokenIn(client)];
  await client.auth.refreshSession();
  secrets.push(await refreshTokenIn(client));
  await client.auth.resetPasswordForEmail(email);
  await world.auth.idle();
  const mails = world.mails.filter(({ to }) => to === email);
  expect(mails.map(({ kind }) => kind).sort()).toEqual(["confirmation", "recovery"]);
  secrets.push(...mails.map(({ tokenHash }) => tokenHash));
  const begun = await world.send("authorize?provider=google", { method: "GET" });
  secrets.push(new URL(begun.headers.get("location") ?? "").searchParams.get("state") ?? "");
  secrets.push(/=([\w-]{43})\./.exec(begun.headers.get("set-cookie") ?? "")?.[1] ?? "");
  secrets.push(await codeFromGoogle(randomBytes(32).toString("base64url")));
  const stored = await everythingStored();
  expect(stored).toContain(email);
  for (const secret of secrets) {
    expect(secret.length).toBeGreaterThan(30);
    expect(stored).not.toContain(secret);
  }
});

test("READ-05 A12 twenty concurrent refreshes, and one whose answer was lost, all get the same successor", async () => {
  const { session } = await signedUp();
  const token = session?.refresh_token ?? "";
  const answers = await Promise.all(Array.from({ length: 20 }, () => refreshWith(token)));
  world.clock.advance(30_000);
  answers.push(await refreshWith(token));
  const successors = new Set(answers.map(({ data }) => data.session?.refresh_token));
  expect(answers.map(({ error }) => error)).toEqual(Array(21).fill(null));
  expect(successors.size).toBe(1);
  expect(successors.has(token)).toBe(false);
});

test("READ-05 A11 a refresh token whose successor was used ends the session for everyone who holds it", async () => {
  const { session } = await signedUp();
  const token = session?.refresh_token ?? "";
  const first = await refreshWith(token);
  const { data } = await refreshWith(first.data.session?.refresh_token ?? "");
  world.clock.advance(61_000);
  expect((await refreshWith(token)).error?.code).toBe("refresh_token_already_used");
  expect((await refreshWith(data.session?.refresh_token ?? "")).error?.code).toBe("refresh_token_not_found");
  expect(await isAlive(data.session?.access_token)).toBe(false);
  await world.auth.idle();
  expect(world.events.at(-1)).toMatchObject({ kind: "session_ended", userId: session?.user.id });
});

test.each([
  [3, "behind"],
  [-3, "ahead"],
])(
  "READ-05 a device whose clock is %i hours %s stays signed in without refreshing repeatedly",
  async (hours) => {
    world.clock.advance(hours * 60 * MINUTE_MS);
    const { client, requests } = await signedUp();
    for (let turn = 0; turn < 20; turn += 1) {
      const { data } = await client.auth.getSession();
      expect(await isAlive(data.session?.access_token)).toBe(true);
    }
    expect((await client.auth.getUser()).error).toBeNull();
    expect((await client.auth.refreshSession()).error).toBeNull();
    await client.auth.getSession();
    const refreshes = requests.filter((path) => path.includes("refresh_token"));
    expect(refreshes).toHaveLength(1);
    world.clock.advance(-hours * 60 * MINUTE_MS);
  },
);

test("READ-05 a session ends after 30 days without use and is then deleted by housekeeping", async () => {
  const { session } = await signedUp();
  const used = await signedUp();
  world.clock.advance(29 * DAY_MS);
  const renewed = await refreshWith(used.session?.refresh_token ?? "");
  world.clock.advance(2 * DAY_MS);
  expect((await refreshWith(session?.refresh_token ?? "")).error?.code).toBe("session_expired");
  const later = await refreshWith(renewed.data.session?.refresh_token ?? "");
  expect(later.error).toBeNull();
  world.clock.advance(31 * DAY_MS);
  expect((await world.database.sql`select from auth.sessions`).length).toBeGreaterThan(0);
  await world.auth.deleteExpired();
  expect(await world.database.sql`select from auth.sessions`).toHaveLength(0);
  expect(await world.database.sql`select from auth.refresh_tokens`).toHaveLength(0);
  expect(await world.database.sql`select from auth.flow_state`).toHaveLength(0);
});

test("READ-05 a session ends after 180 days, however often it is used", async () => {
  const { client } = await signedUp();
  for (let month = 0; month < 7; month += 1) {
    world.clock.advance(25 * DAY_MS);
    expect((await client.auth.refreshSession()).error).toBeNull();
  }
  // Half an hour before the end it gets a token that would live for an hour.
  world.clock.advance(5 * DAY_MS - 30 * MINUTE_MS);
  const { data } = await client.auth.refreshSession();
  expect(await isAlive(data.session?.access_token)).toBe(true);
  world.clock.advance(31 * MINUTE_MS);
  expect(await isAlive(data.session?.access_token)).toBe(false);
  expect((await client.auth.refreshSession()).error?.code).toBe("session_expired");
});

test("READ-05 a mailed link works once in any browser, and not after the password was changed", async () => {
  const { client, email } = await signedUp();
  const linkFor = async () => {
    world.clock.advance(2 * MINUTE_MS);
    await client.auth.resetPasswordForEmail(email);
    await world.auth.idle();
    return world.mails.findLast(({ kind }) => kind === "recovery")?.tokenHash ?? "";
  };
  const open = (token_hash: string) =>
    world.createClient().client.auth.verifyOtp({ token_hash, type: "recovery" });
  const first = await linkFor();
  const answers = await Promise.all(Array.from({ length: 5 }, () => open(first)));
  expect(answers.filter(({ error }) => error === null)).toHaveLength(1);
  const second = await linkFor();
  const change = { password: "amber-lantern-41", current_password: "violet-harbour-27" };
  expect((await client.auth.updateUser(change)).error).toBeNull();
  expect((await open(second)).error?.code).toBe("otp_expired");
});
