import type { SupabaseClient } from "@supabase/supabase-js";
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

test("A11 a refresh token reused after the grace period ends its session and no other", async () => {
  const erin = await signUp(product, "erin");
  const elsewhere = await signedIn(erin.email, "erin-password");
  const first = await refreshTokenOf(erin.client);
  const second = (await refresh(first)).data.session;
  await age(REFRESH_GRACE_MS + 1_000);
  expect((await refresh(first)).error?.code).toBe("refresh_token_already_used");
  expect((await refresh(second?.refresh_token ?? "")).error?.code).toBe("refresh_token_not_found");
  const stolen = await product.createClient().auth.getUser(second?.access_token);
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
