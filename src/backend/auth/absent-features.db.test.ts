// What supabase-js users ask for and this server does not offer is answered with GoTrue's codes.
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestAuth, type TestAuth } from "#test/test-auth.ts";

let tested: TestAuth;

beforeAll(async () => {
  tested = await startTestAuth();
});

afterAll(() => tested.stop());

const client = () => tested.createClient().client.auth;

test.each<
  [
    string,
    () => Promise<{ error: { code?: string | undefined; status?: number | undefined } | null }>,
    string,
  ]
>([
  ["signInWithOtp", () => client().signInWithOtp({ email: "a@example.com" }), "otp_disabled"],
  [
    "verifyOtp",
    () => client().verifyOtp({ email: "a@example.com", token: "1", type: "email" }),
    "otp_disabled",
  ],
  ["signInAnonymously", () => client().signInAnonymously(), "anonymous_provider_disabled"],
  ["a sign-up by phone", () => client().signUp({ phone: "34600", password: "x" }), "phone_provider_disabled"],
  [
    "a sign-in by phone",
    () => client().signInWithPassword({ phone: "34600", password: "x" }),
    "phone_provider_disabled",
  ],
  [
    "signInWithIdToken",
    () => client().signInWithIdToken({ provider: "google", token: "x" }),
    "provider_disabled",
  ],
  ["signInWithSSO", () => client().signInWithSSO({ domain: "example.com" }), "saml_provider_disabled"],
])("%s", async (_, ask, code) => {
  const { error } = await ask();
  expect(error?.code).toBe(code);
  expect(error?.status).toBeGreaterThanOrEqual(400);
  expect(error?.status).toBeLessThan(500);
});

test.each([
  ["POST", "factors", "mfa_totp_enroll_not_enabled"],
  ["POST", "factors/1/challenge", "mfa_totp_verify_not_enabled"],
  ["POST", "factors/1/verify", "mfa_totp_verify_not_enabled"],
  ["DELETE", "factors/1", "mfa_totp_verify_not_enabled"],
  ["GET", "reauthenticate", "otp_disabled"],
  ["DELETE", "user/identities/1", "manual_linking_disabled"],
  ["POST", "token?grant_type=web3", "web3_provider_disabled"],
  ["POST", "factors/1/else/more", "not_found"],
  ["GET", "otp", "not_found"],
])("%s %s is answered with %s", async (method, path, code) => {
  const answer = await tested.send(path, method === "POST" ? { body: {} } : { method });
  expect(((await answer.json()) as { error_code: string }).error_code).toBe(code);
});

test("a sign-up or sign-in with an address is not taken for another", async () => {
  const email = "someone@example.com";
  const made = await client().signUp({ email, password: "a-long-password" });
  expect(made.error).toBeNull();
  expect((await client().signInWithPassword({ email, password: "a-long-password" })).error).toBeNull();
  const nothing = await tested.send("signup", { body: { email: "", password: "x" } });
  expect(await nothing.json()).toMatchObject({ error_code: "email_address_invalid" });
});
