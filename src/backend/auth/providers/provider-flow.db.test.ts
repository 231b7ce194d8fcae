import { createHash, randomBytes } from "node:crypto";
import { beforeAll, beforeEach, expect, test } from "vitest";
import type { GoogleSimulator } from "#simulators/google/google-simulator.ts";
import { signUp } from "#test/cast.ts";
import { type GoogleBrowser, openGoogleBrowser, startGoogleProduct } from "#test/sign-in/google-browser.ts";
import type { TestProduct } from "#test/test-product.ts";

let google: GoogleSimulator;
let product: TestProduct;
let browser: GoogleBrowser;

beforeAll(async () => {
  const started = await startGoogleProduct();
  ({ google, product } = started);
  return started.stop;
});

beforeEach(() => {
  browser = openGoogleBrowser(product);
  google.setFault(undefined);
});

const users = () =>
  product.database.sql<{ id: string; email: string }[]>`select id, email from auth.users order by id`;
const identities = (email: string) => product.database.sql<{ provider: string }[]>`
  select provider from auth.identities join auth.users on users.id = user_id where users.email = ${email} order by 1`;

async function whoIs(accessToken: string | undefined) {
  const { data, error } = await product.createClient().auth.getUser(accessToken);
  if (error) throw error;
  return data.user;
}

test("ROUTE-11 AUTH-02 signing in with Google creates an account, a profile and a session, and returns to the language it started in", async () => {
  const landing = await browser.signIn(
    { email: "lucia.ortega@gmail.example" },
    { redirect_to: "http://localhost:3000/es" },
  );
  expect(landing.page).toBe("http://localhost:3000/es");
  expect(Object.keys(landing.said).toSorted()).toEqual([
    "access_token",
    "expires_at",
    "expires_in",
    "refresh_token",
    "sb",
    "token_type",
  ]);
  const user = await whoIs(landing.said.access_token);
  expect(user.email).toBe("lucia.ortega@gmail.example");
  const profiles = await product.database
    .sql`select full_name, email from public.profiles where id = ${user.id}`;
  expect(profiles).toEqual([{ full_name: "Lucía Ortega", email: "lucia.ortega@gmail.example" }]);

  const again = await openGoogleBrowser(product).signIn({ email: "lucia.ortega@gmail.example" });
  expect((await whoIs(again.said.access_token)).id).toBe(user.id);
  expect(again.page).toBe("http://localhost:3000/");
});

test.each([
  ["whose last letter is cut in half", `x${"🏮".repeat(150)}`],
  ["with a null character", "Ana\0Pérez"],
])("an account with a name %s can sign in", async (_, name) => {
  const { email } = google.addPerson({ email: `odd-${name.length}@gmail.example`, name });
  expect((await browser.signIn({ email })).said.access_token).toBeDefined();
});

test("cancelling at Google leads to the home page with a message", async () => {
  const landing = await browser.signIn({ decision: "cancel" }, { redirect_to: "http://localhost:3000/de" });
  expect(landing.page).toBe("http://localhost:3000/de");
  expect(landing.said).toEqual({ error: "access_denied", error_description: "" });
});

test.each([
  ["refused", { error: "server_error" }],
  ["expired-code", { error: "server_error", error_code: "unexpected_failure" }],
  ["token-down", { error: "server_error", error_code: "unexpected_failure" }],
  ["bad-signature", { error: "server_error", error_code: "unexpected_failure" }],
  ["no-email", { error: "server_error", error_description: "The provider named no email address" }],
  ["unverified", { error: "access_denied", error_code: "provider_email_needs_verification" }],
] as const)("a sign-in that is %s creates no account and reports the reason", async (fault, said) => {
  const before = await users();
  google.setFault(fault);
  const landing = await browser.signIn(
    { email: `${fault}@gmail.example` },
    { redirect_to: "http://localhost:3000/fr" },
  );
  expect(landing.page).toBe("http://localhost:3000/fr");
  expect(landing.said).toMatchObject(said);
  expect(landing.said.access_token).toBeUndefined();
  expect(await users()).toEqual(before);
});

test("AUTH-02 an address that the provider names at userinfo alone is asked for there", async () => {
  google.setFault("email-at-userinfo");
  const landing = await browser.signIn({ email: "tom.baker@gmail.example" });
  expect((await whoIs(landing.said.access_token)).email).toBe("tom.baker@gmail.example");
  google.addPerson({ email: "unproved@gmail.example", isVerified: false });
  google.setFault("email-at-userinfo");
  const refused = await browser.signIn({ email: "unproved@gmail.example" });
  expect(refused.said.error_code).toBe("provider_email_needs_verification");
});

test("A28 an address that Google has not verified is not linked to an account", async () => {
  const victim = await signUp(product, "victim");
  google.addPerson({ email: victim.email, isVerified: false });
  const landing = await browser.signIn({ email: victim.email });
  expect(landing.said.error_code).toBe("provider_email_needs_verification");
  expect(await identities(victim.email)).toEqual([{ provider: "email" }]);
  expect((await victim.client.auth.getUser()).data.user?.id).toBe(victim.id);
});

test("A28 a verified address is linked to its account, and what was set up without proof of the address ends", async () => {
  const squatter = await signUp(product, "owner");
  google.addPerson({ email: squatter.email, isVerified: true });
  const landing = await browser.signIn({ email: squatter.email });
  expect((await whoIs(landing.said.access_token)).id).toBe(squatter.id);
  expect(await identities(squatter.email)).toEqual([{ provider: "email" }, { provider: "google" }]);
  expect((await squatter.client.auth.getUser()).error?.name).toBe("AuthSessionMissingError");
  const password = { email: squatter.email, password: "owner-password" };
  expect((await product.createClient().auth.signInWithPassword(password)).error?.code).toBe(
    "invalid_credentials",
  );

  // From now on the owner's password and sessions remain, however often they sign in with Google.
  const owner = product.createClient();
  const { access_token = "", refresh_token = "" } = landing.said;
  await owner.auth.setSession({ access_token, refresh_token });
  expect((await owner.auth.updateUser({ password: "chosen-by-owner" })).error).toBeNull();
  await openGoogleBrowser(product).signIn({ email: squatter.email });
  expect((await owner.auth.getUser()).error).toBeNull();
  const chosen = { email: squatter.email, password: "chosen-by-owner" };
  expect((await product.createClient().auth.signInWithPassword(chosen)).error).toBeNull();
});

test("A29 another Google account with the same address cannot sign in", async () => {
  const email = "sold.domain@gmail.example";
  await browser.signIn({ email });
  const before = await product.database.sql`select * from auth.identities order by id`;
  google.setFault("other-account");
  const landing = await openGoogleBrowser(product).signIn({ email });
  expect(landing.said).toMatchObject({ error: "access_denied", error_code: "email_exists" });
  expect(await product.database.sql`select * from auth.identities order by id`).toEqual(before);
});

const BAD_STATE = { error: "invalid_request", error_code: "bad_oauth_state" };

test("A25 a callback without a state or with an invalid one is refused", async () => {
  for (const query of [
    "",
    "?code=x",
    "?code=x&state=",
    "?code=x&state=1",
    `?code=x&state=${crypto.randomUUID()}`,
  ]) {
    const landing = await browser.land(`http://localhost:3000/auth/v1/callback${query}`);
    expect([landing.page, landing.said], query).toEqual([
      "http://localhost:3000/",
      expect.objectContaining(BAD_STATE),
    ]);
  }
});

test("A25 a state started in another browser is refused, and its owner can still use it", async () => {
  const begun = await browser.begin();
  const callback = await browser.choose(begun.headers.get("location") ?? "", {
    email: "tom.baker@gmail.example",
  });
  const other = openGoogleBrowser(product);
  await other.begin();
  expect((await other.land(callback)).said).toMatchObject(BAD_STATE);
  expect((await browser.land(callback)).said.access_token).toBeDefined();
});

test("A25 A26 a repeated callback and a code with another state are refused", async () => {
  const first = await browser.signIn({ email: "tom.baker@gmail.example" });
  expect((await browser.land(first.callback)).said).toMatchObject(BAD_STATE);

  const code = new URL(first.callback).searchParams.get("code") ?? "";
  const begun = await browser.begin();
  const fresh = new URL(
    await browser.choose(begun.headers.get("location") ?? "", { email: "tom.baker@gmail.example" }),
  );
  fresh.searchParams.set("code", code);
  expect((await browser.land(fresh.href)).said).toMatchObject({ error: "server_error" });
});

test("A26 a code given to one browser is refused in another's flow, even with the right state", async () => {
  const attacker = openGoogleBrowser(product);
  const begun = await attacker.begin();
  const stolen = new URL(
    await attacker.choose(begun.headers.get("location") ?? "", { email: "tom.baker@gmail.example" }),
  );
  const own = await browser.begin();
  const state = new URL(own.headers.get("location") ?? "").searchParams.get("state") ?? "";
  stolen.searchParams.set("state", state);
  expect((await browser.land(stolen.href)).said).toMatchObject({ error: "server_error" });
});

test("A25 a state changed by Google is refused", async () => {
  google.setFault("wrong-state");
  const landing = await browser.signIn({ email: "tom.baker@gmail.example" });
  expect(landing.said).toMatchObject(BAD_STATE);
});

test("A25 a state older than five minutes is refused, in the language it started in", async () => {
  const begun = await browser.begin({ redirect_to: "http://localhost:3000/ru" });
  const callback = await browser.choose(begun.headers.get("location") ?? "", {
    email: "tom.baker@gmail.example",
  });
  await product.database.sql`update auth.flow_state set created_at = now() - interval '6 minutes'`;
  const landing = await browser.land(callback);
  expect(landing.page).toBe("http://localhost:3000/ru");
  expect(landing.said).toMatchObject(BAD_STATE);
});

test("two concurrent sign-ins in two tabs both succeed", async () => {
  const [first, second] = [await browser.begin(), await browser.begin()];
  for (const begun of [second, first]) {
    const callback = await browser.choose(begun.headers.get("location") ?? "", {
      email: "tom.baker@gmail.example",
    });
    expect((await browser.land(callback)).said.access_token).toBeDefined();
  }
});

const hashOf = (text: string) => createHash("sha256").update(text).digest("base64url");

async function exchange(authCode: string, codeVerifier: unknown) {
  const answer = await fetch(`${product.url}/auth/v1/token?grant_type=pkce`, {
    method: "POST",
    headers: { apikey: product.publishableKey, "content-type": "application/json" },
    body: JSON.stringify({ auth_code: authCode, code_verifier: codeVerifier }),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

test("A27 with PKCE the code works once, and only with the verifier", async () => {
  const verifier = randomBytes(32).toString("base64url");
  const begun = await browser.begin({ code_challenge: hashOf(verifier), code_challenge_method: "s256" });
  const callback = await browser.choose(begun.headers.get("location") ?? "", {
    email: "tom.baker@gmail.example",
  });
  const answer = await fetch(callback.replace("http://localhost:3000", product.url), {
    redirect: "manual",
    headers: { cookie: begun.headers.get("set-cookie")?.split(";")[0] ?? "" },
  });
  const code = new URL(answer.headers.get("location") ?? "").searchParams.get("code") ?? "";
  for (const wrong of [
    randomBytes(32).toString("base64url"),
    hashOf(verifier),
    "",
    undefined,
    { verifier },
  ]) {
    expect((await exchange(code, wrong)).status, String(wrong)).toBe(400);
  }
  expect(await exchange(code, verifier)).toMatchObject({
    status: 200,
    body: { access_token: expect.any(String) },
  });
  expect((await exchange(code, verifier)).body.error_code).toBe("flow_state_not_found");
});

test("READ-04 a repeated state, code, error or iss in Google's answer is refused, and unknown parameters are ignored", async () => {
  const begun = await browser.begin();
  const callback = new URL(
    await browser.choose(begun.headers.get("location") ?? "", { email: "tom.baker@gmail.example" }),
  );
  // As Google sends them, and the simulator too.
  expect([...callback.searchParams.keys()]).toEqual(
    expect.arrayContaining(["iss", "scope", "authuser", "prompt"]),
  );
  for (const name of ["state", "code", "error", "iss", "%63ode", "st%61te"]) {
    const repeated = `${callback.href}&${name}=x${name === "error" ? "&error=y" : ""}`;
    expect((await browser.land(repeated)).said, name).toMatchObject({ error: "invalid_request" });
  }
  const { said } = await browser.land(`${callback.href}&scope=again&authuser=1&__proto__=x`);
  expect(said.access_token).toBeDefined();
});

test("READ-04 an answer signed by another issuer is refused", async () => {
  const begun = await browser.begin();
  const callback = new URL(
    await browser.choose(begun.headers.get("location") ?? "", { email: "tom.baker@gmail.example" }),
  );
  callback.searchParams.set("iss", "https://evil.example");
  expect((await browser.land(callback.href)).said).toMatchObject({ error: "server_error" });
});

test("the log of these tests contains no code, token or address", () => {
  const log = product.log();
  expect(log).toContain('"path":"/auth/v1/callback"');
  expect(log).not.toMatch(/gmail\.example|ya29|eyJ|4\/[\w-]{20}|simulated-google-secret/);
});
