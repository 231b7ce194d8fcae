import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { signUp } from "#test/cast.ts";
import { startTestProduct, type TestProduct } from "#test/test-product.ts";
import { REFRESH_GRACE_MS } from "./sessions.ts";

let product: TestProduct;

beforeAll(async () => {
  product = await startTestProduct();
});

afterAll(() => product.stop());

async function signedIn(email: string, password: string): Promise<SupabaseClient> {
  const client = product.createClient();
  const { error } = await client.auth.signInWithPassword({ email, password });
  if (error) throw error;
  return client;
}

const refreshTokenOf = async (client: SupabaseClient) =>
  (await client.auth.getSession()).data.session?.refresh_token ?? "";

const refresh = (refresh_token: string) => product.createClient().auth.refreshSession({ refresh_token });

/** Makes the last use of everything that much older. */
const age = (ms: number) => product.database.sql`
  update auth.refresh_tokens set updated_at = updated_at - ${ms} * interval '1 millisecond' where revoked`;

test("RESET-09 A14 changing the password ends every other session and keeps the one that changed it", async () => {
  const alice = await signUp(product, "alice");
  const bob = await signUp(product, "bob");
  const others = [
    await signedIn(alice.email, "alice-password"),
    await signedIn(alice.email, "alice-password"),
  ];
  const { error } = await alice.client.auth.updateUser({
    password: "a-new-password",
    current_password: "alice-password",
  });
  expect(error).toBeNull();
  for (const other of others) {
    expect((await refresh(await refreshTokenOf(other))).error?.code).toBe("refresh_token_not_found");
    expect((await other.from("profiles").select("id")).error?.code).toBe("PGRST303");
    expect((await other.auth.getUser()).error?.name).toBe("AuthSessionMissingError");
  }
  expect((await alice.client.auth.getUser()).data.user?.id).toBe(alice.id);
  expect((await refresh(await refreshTokenOf(alice.client))).error).toBeNull();
  expect((await bob.client.auth.getUser()).error).toBeNull();
  const old = await product
    .createClient()
    .auth.signInWithPassword({ email: alice.email, password: "alice-password" });
  expect(old.error?.code).toBe("invalid_credentials");
});

test("a refused password and other changes end no session", async () => {
  const carol = await signUp(product, "carol");
  const other = await signedIn(carol.email, "carol-password");
  const current_password = "carol-password";
  for (const [password, code] of [
    ["short", "weak_password"],
    ["iloveyou", "weak_password"],
    ["carol-password", "same_password"],
  ] as const) {
    expect((await carol.client.auth.updateUser({ password, current_password })).error?.code).toBe(code);
  }
  expect((await carol.client.auth.updateUser({ data: { full_name: "Carolina" } })).error).toBeNull();
  expect((await other.auth.getUser()).error).toBeNull();
});

test("A12 concurrent refreshes, and repeated ones within the grace period, both succeed", async () => {
  const dave = await signUp(product, "dave");
  const token = await refreshTokenOf(dave.client);
  const answers = await Promise.all(Array.from({ length: 8 }, () => refresh(token)));
  await age(REFRESH_GRACE_MS - 5_000);
  answers.push(await refresh(token));
  for (const { data, error } of answers) {
    expect(error).toBeNull();
    expect((await product.createClient().auth.getUser(data.session?.access_token)).error).toBeNull();
    expect((await refresh(data.session?.refresh_token ?? "")).error).toBeNull();
  }
});

test("A11 a refresh token whose successor was used ends its session and no other", async () => {
  const erin = await signUp(product, "erin");
  const elsewhere = await signedIn(erin.email, "erin-password");
  const first = await refreshTokenOf(erin.client);
  const second = (await refresh(first)).data.session;
  const third = (await refresh(second?.refresh_token ?? "")).data.session;
  await age(REFRESH_GRACE_MS + 1_000);
  expect((await refresh(first)).error?.code).toBe("refresh_token_already_used");
  expect((await refresh(third?.refresh_token ?? "")).error?.code).toBe("refresh_token_not_found");
  const stolen = await product.createClient().auth.getUser(third?.access_token);
  expect(stolen.error?.name).toBe("AuthSessionMissingError");
  expect((await elsewhere.auth.getUser()).error).toBeNull();
});

test("AUTH-12 global sign-out ends every session, local sign-out only this one", async () => {
  const frank = await signUp(product, "frank");
  const [second, third] = [
    await signedIn(frank.email, "frank-password"),
    await signedIn(frank.email, "frank-password"),
  ];
  expect(await second.auth.signOut({ scope: "local" })).toEqual({ error: null });
  expect((await third.auth.getUser()).error).toBeNull();
  expect(await frank.client.auth.signOut({ scope: "global" })).toEqual({ error: null });
  expect((await third.auth.getUser()).error?.name).toBe("AuthSessionMissingError");
});

test("TIME-05 a device whose answer to a refresh was lost comes back a day later and is still signed in", async () => {
  const gina = await signUp(product, "gina");
  const first = await refreshTokenOf(gina.client);
  const lost = (await refresh(first)).data.session?.refresh_token;
  await age(24 * 60 * 60_000);
  const again = await refresh(first);
  expect([again.error, again.data.session?.refresh_token]).toEqual([null, lost]);
  expect((await product.createClient().auth.getUser(again.data.session?.access_token)).error).toBeNull();
  // It goes on as if nothing had happened, and the parent still gives the token in use.
  const next = await refresh(lost ?? "");
  expect(next.error).toBeNull();
  await age(24 * 60 * 60_000);
  expect((await refresh(lost ?? "")).data.session?.refresh_token).toBe(next.data.session?.refresh_token);
});

const askForTokens = (grant_type: string, body: object, address: string) =>
  fetch(`${product.url}/auth/v1/token?grant_type=${grant_type}`, {
    method: "POST",
    headers: {
      apikey: product.publishableKey,
      "content-type": "application/json",
      "x-forwarded-for": address,
    },
    body: JSON.stringify(body),
  });

test("TIME-05 a refresh is not refused because the neighbours of an address have guessed too often", async () => {
  const neighbours = "192.0.2.250";
  const jack = await signUp(product, "jack");
  const refresh_token = await refreshTokenOf(jack.client);
  const ask = async (token: string) =>
    (await askForTokens("refresh_token", { refresh_token: token }, neighbours)).status;
  const guesses = Array.from({ length: 60 }, () => ask("none"));
  // The second repeats the first, as after a lost answer.
  const own = [ask(refresh_token), ask(refresh_token)];
  const later = Array.from({ length: 5 }, () => ask("none"));
  expect(new Set(await Promise.all(guesses))).toEqual(new Set([400, 429]));
  expect(await Promise.all(own)).toEqual([200, 200]);
  expect(await Promise.all(later)).toContain(429);
});

test("TIME-05 beyond the budget of an address a device keeps its expired session and tries again", async () => {
  const crowded = await startTestProduct({ API_REQUESTS_PER_MINUTE_PER_ADDRESS: "8" });
  const kate = await signUp(crowded, "kate");
  const { session } = (await kate.client.auth.getSession()).data;
  const stored = new Map([["kept", JSON.stringify({ ...session, expires_at: 1 })]]);
  const storage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  };
  const from = (address: string) => ({ apikey: crowded.publishableKey, "x-forwarded-for": address });
  const health = () => fetch(`${crowded.url}/auth/v1/health`, { headers: from("192.0.2.250") });
  await Promise.all(Array.from({ length: 4 }, health));
  expect((await health()).status).toBe(429);
  const statuses: number[] = [];
  const device = createClient(crowded.url, crowded.publishableKey, {
    auth: { storageKey: "kept", storage },
    global: {
      fetch: async (input, init) => {
        // After the first attempt it is in another network.
        const headers = new Headers(init?.headers);
        headers.set("x-forwarded-for", statuses.length === 0 ? "192.0.2.250" : "192.0.2.251");
        const answer = await fetch(input, { ...init, headers });
        statuses.push(answer.status);
        return answer;
      },
    },
  });
  expect((await device.auth.getUser()).data.user?.id).toBe(kate.id);
  expect(statuses.slice(0, 2)).toEqual([503, 200]);
  await device.auth.stopAutoRefresh();
  await crowded.stop();
});

const countOf = async (userId: string) => {
  const [row] = await product.database.sql<[{ sessions: number; tokens: number }]>`
    select (select count(*) from auth.sessions where user_id = ${userId})::int as sessions,
      (select count(*) from auth.refresh_tokens where user_id = ${userId})::int as tokens`;
  return row;
};

test("TIME-07 a person has 30 live sessions at most: the one unused for longest ends", async () => {
  const henry = await signUp(product, "henry");
  const { sql } = product.database;
  const [first] = await sql<[{ id: string }]>`select id from auth.sessions where user_id = ${henry.id}`;
  await sql`
    insert into auth.sessions (user_id, created_at, refreshed_at)
    select ${henry.id}, now() - n * interval '1 day', case when n = 40 then now() at time zone 'utc' end
    from generate_series(40, 1, -1) as n`;
  expect((await countOf(henry.id)).sessions).toBe(30);
  const kept = await sql<{ days: number }[]>`
    select round(extract(epoch from now() - created_at) / 86400)::int as days from auth.sessions
    where user_id = ${henry.id} order by days`;
  // The oldest was used last, and stays.
  expect(kept.map(({ days }) => days)).toEqual([...Array.from({ length: 29 }, (_, day) => day), 40]);
  await Promise.all(Array.from({ length: 5 }, () => signedIn(henry.email, "henry-password")));
  expect((await countOf(henry.id)).sessions).toBe(30);
  const shown = await henry.client.rpc("my_sessions");
  expect(shown.data).toHaveLength(30);
  expect(shown.data).toContainEqual(expect.objectContaining({ id: first.id, is_current: true }));
});

test("TIME-07 a session keeps a limited number of used refresh tokens, and cannot be refreshed without end", async () => {
  const irene = await signUp(product, "irene");
  const { sql } = product.database;
  await sql`
    insert into auth.refresh_tokens (token, user_id, session_id, revoked, created_at)
    select 'older ' || n, user_id, id, true, now() - interval '2 days'
    from auth.sessions, generate_series(1, 1500) as n where user_id = ${irene.id}`;
  // The token in use is the newest.
  await sql`update auth.refresh_tokens set id = default where user_id = ${irene.id} and not revoked`;
  let token = await refreshTokenOf(irene.client);
  const used = [token];
  for (let turn = 0; turn < 60; turn += 1) {
    const { data, error } = await refresh(token);
    expect(error).toBeNull();
    token = data.session?.refresh_token ?? "";
    used.push(token);
  }
  expect((await countOf(irene.id)).tokens).toBeLessThanOrEqual(1_001);
  const refused = await askForTokens("refresh_token", { refresh_token: token }, "192.0.2.252");
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "60"]);
  expect(await refused.json()).toMatchObject({ error_code: "over_request_rate_limit" });
  // A copy of the first token is still recognised.
  await age(REFRESH_GRACE_MS + 1_000);
  expect((await refresh(used[0] ?? "")).error?.code).toBe("refresh_token_already_used");
  expect((await countOf(irene.id)).sessions).toBe(0);
});
