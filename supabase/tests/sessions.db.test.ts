import type { SupabaseClient } from "@supabase/supabase-js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Person, signUp, signUpCast } from "#test/cast.ts";
import { startTestProduct, type TestProduct } from "#test/test-product.ts";

let product: TestProduct;
let alice: Person;
let bob: Person;
let guest: SupabaseClient;

beforeAll(async () => {
  product = await startTestProduct({ TRUSTED_PROXIES: "1" });
  ({ alice, bob, guest } = await signUpCast(product));
});

afterAll(() => product.stop());

type Session = {
  id: string;
  user_agent: string | null;
  created_at: string;
  last_used_at: string;
  is_current: boolean;
};

async function sessionsOf(client: SupabaseClient): Promise<Session[]> {
  const { data, error } = await client.rpc("my_sessions");
  expect(error).toBeNull();
  return data as Session[];
}

const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

/** Signs in with this user agent. */
async function signedInWith(userAgent: string, email: string, password: string): Promise<string> {
  const answer = await fetch(`${product.url}/auth/v1/token?grant_type=password`, {
    method: "POST",
    headers: {
      apikey: product.publishableKey,
      "content-type": "application/json",
      "user-agent": userAgent,
      "x-forwarded-for": "203.0.113.77",
    },
    body: JSON.stringify({ email, password }),
  });
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { refresh_token: string }).refresh_token;
}

test("DOOR-09 a person sees their own sessions, the current one first, each with its browser and times", async () => {
  const refreshToken = await signedInWith(FIREFOX, alice.email, "alice-password");
  const sessions = await sessionsOf(alice.client);
  expect(sessions).toEqual([
    expect.objectContaining({ is_current: true }),
    expect.objectContaining({ is_current: false, user_agent: FIREFOX }),
  ]);
  const [, other] = sessions;
  expect(Date.parse(other?.created_at ?? "")).toBeGreaterThan(Date.now() - 600_000);
  await product.database.sql`
    update auth.sessions set created_at = created_at - interval '2 days', updated_at = now() where id = ${other?.id ?? ""}`;
  await product.createClient().auth.refreshSession({ refresh_token: refreshToken });
  const [, refreshed] = await sessionsOf(alice.client);
  expect(Date.parse(refreshed?.last_used_at ?? "")).toBeGreaterThan(Date.now() - 600_000);
  expect(Object.keys(refreshed ?? {}).toSorted()).toEqual([
    "created_at",
    "id",
    "is_current",
    "last_used_at",
    "user_agent",
  ]);
});

test("DOOR-09 Bob can neither see nor end Alice's sessions, and a guest has no access", async () => {
  const hers = await sessionsOf(alice.client);
  const his = await sessionsOf(bob.client);
  expect(his).toHaveLength(1);
  expect(hers.map(({ id }) => id)).not.toContain(his[0]?.id);
  for (const { id } of hers) {
    expect((await bob.client.rpc("end_my_session", { session_id: id })).data).toBe(false);
  }
  expect(await sessionsOf(alice.client)).toEqual(hers);
  const answers = await Promise.all([
    guest.rpc("my_sessions"),
    guest.rpc("end_my_session", { session_id: hers[0]?.id }),
    guest.rpc("has_password"),
  ]);
  expect(answers.map(({ error }) => error?.code)).toEqual(["42501", "42501", "42501"]);
});

test("DOOR-09 a session can be ended at once, with its tokens, and no other is affected", async () => {
  const dora = await signUp(product, "dora");
  const phone = product.createClient();
  await phone.auth.signInWithPassword({ email: dora.email, password: "dora-password" });
  const [, other] = await sessionsOf(dora.client);
  expect((await dora.client.rpc("end_my_session", { session_id: other?.id })).data).toBe(true);
  expect((await phone.from("profiles").select("id")).error?.code).toBe("PGRST303");
  expect((await phone.auth.refreshSession()).error?.code).toBe("refresh_token_not_found");
  expect(await sessionsOf(dora.client)).toHaveLength(1);
  // Ending one's own session is a sign-out.
  const [own] = await sessionsOf(dora.client);
  expect((await dora.client.rpc("end_my_session", { session_id: own?.id })).data).toBe(true);
  expect((await dora.client.rpc("my_sessions")).error).not.toBeNull();
});

test("DOOR-09 the functions themselves refuse an ended session", async () => {
  const { sql } = product.database;
  const claims = JSON.stringify({ sub: alice.id, role: "authenticated", session_id: crypto.randomUUID() });
  const [row] = await sql.begin(async (tx) => {
    await tx`select set_config('request.jwt.claims', ${claims}, true), set_config('role', 'authenticated', true)`;
    return tx<{ sessions: Session[] }[]>`select public.my_sessions() as sessions`;
  });
  expect(row?.sessions).toEqual([]);
  const attempt = sql.begin(async (tx) => {
    await tx`select set_config('request.jwt.claims', ${claims}, true), set_config('role', 'authenticated', true)`;
    await tx`select public.end_my_session(${crypto.randomUUID()})`;
  });
  await expect(attempt).rejects.toThrow("The session of this JWT has ended");
});

test("a person can see whether they have a password, and never its hash", async () => {
  expect((await alice.client.rpc("has_password")).data).toBe(true);
  await product.database.sql`update auth.users set encrypted_password = null where id = ${bob.id}`;
  expect((await bob.client.rpc("has_password")).data).toBe(false);
});

test("an unknown user agent is truncated", async () => {
  const erin = await signUp(product, "erin");
  await signedInWith(`Odd/${"x".repeat(3_000)}`, erin.email, "erin-password");
  const agents = (await sessionsOf(erin.client)).map(({ user_agent }) => user_agent?.length ?? 0);
  expect(Math.max(...agents)).toBeLessThanOrEqual(400);
});
