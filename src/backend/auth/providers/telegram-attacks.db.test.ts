// Attacks on the sign-in with Telegram. The issuer here signs what the test wants; its discovery document lists HS256 and
// `none`, which must not count.
import { createHash } from "node:crypto";
import { exportJWK, exportSPKI, SignJWT } from "jose";
import { beforeAll, expect, test } from "vitest";
import { type HostileIssuer, startHostileIssuer } from "#test/sign-in/hostile-issuer.ts";
import { openTelegramBrowser } from "#test/sign-in/telegram-browser.ts";
import { startTestProduct, type TestProduct } from "#test/test-product.ts";

const BOT_ID = 7_000_000_001;
const CALLBACK = "http://localhost:3000/auth/v1/callback";

let issuer: HostileIssuer;
let product: TestProduct;

beforeAll(async () => {
  issuer = await startHostileIssuer();
  product = await startTestProduct({
    TELEGRAM_BOT_TOKEN: `${BOT_ID}:AAH-simulated-bot-token-of-35-chars`,
    TELEGRAM_LOGIN_SECRET: "a-secret-from-botfather",
    TELEGRAM_LOGIN_URL: issuer.url,
    // The bot's API: nothing answers there.
    TELEGRAM_API_ROOT: "http://127.0.0.1:9",
  });
  return async () => {
    await product.stop();
    await issuer.stop();
  };
});

type Claims = Record<string, unknown>;

const nowSeconds = () => Math.floor(Date.now() / 1000);
const goodClaims = (nonce: string): Claims => ({
  ...{ iss: issuer.url, aud: String(BOT_ID), sub: "9223372036854775809", id: 5_200_000_001, name: "Ana" },
  ...{ nonce, iat: nowSeconds(), exp: nowSeconds() + 3_600 },
});

const signed = (claims: Claims, algorithm: "RS256" | "ES256" | "EdDSA" = "RS256") => {
  const { kid, pair } = issuer.keys[algorithm];
  return new SignJWT(claims).setProtectedHeader({ alg: algorithm, kid }).sign(pair.privateKey);
};

/** Presses the button, and returns from the issuer with an ID token made from the claims it should have. */
async function enter(tokenOf: (claims: Claims) => Promise<string | undefined>, more: Claims = {}) {
  const browser = openTelegramBrowser(product);
  const begun = await browser.begin();
  const asked = new URL(begun.headers.get("location") ?? "").searchParams;
  const id_token = await tokenOf(goodClaims(asked.get("nonce") ?? ""));
  issuer.answer = { ...(id_token === undefined ? {} : { id_token }), ...more };
  const { said } = await browser.land(`${CALLBACK}?code=any&state=${asked.get("state")}`);
  return { said, asked };
}

const REFUSED = { error: "server_error", error_code: "unexpected_failure" };
const without = (claims: Claims, name: string) =>
  Object.fromEntries(Object.entries(claims).filter(([key]) => key !== name));
const accounts = async () => (await product.database.sql`select from auth.users`).length;

test("START-08 the request contains the bot, the exact address, the scopes, PKCE and a nonce, and the exchange proves them", async () => {
  const { said, asked } = await enter(signed);
  expect(said.access_token).toBeDefined();
  const { state, nonce, code_challenge, ...rest } = Object.fromEntries(asked);
  expect(rest).toEqual({
    client_id: String(BOT_ID),
    redirect_uri: CALLBACK,
    response_type: "code",
    scope: "openid profile telegram:bot_access",
    code_challenge_method: "S256",
  });
  expect(state).toMatch(/^[\da-f-]{36}$/);
  const sent = Object.fromEntries(issuer.requests.at(-1) ?? []);
  const { code_verifier, ...fields } = sent;
  expect(fields).toEqual({
    grant_type: "authorization_code",
    code: "any",
    redirect_uri: CALLBACK,
    client_id: String(BOT_ID),
    client_secret: "a-secret-from-botfather",
  });
  expect(
    createHash("sha256")
      .update(code_verifier ?? "")
      .digest("base64url"),
  ).toBe(code_challenge);
  expect(nonce).not.toBe(code_challenge);
});

test.each(["RS256", "ES256", "EdDSA"] as const)(
  "START-08 an ID token signed with %s is accepted",
  async (algorithm) => {
    expect((await enter((claims) => signed(claims, algorithm))).said.access_token).toBeDefined();
  },
);

test.each<[string, Claims]>([
  ["the bot's id as a number in aud", { aud: BOT_ID }],
  ["aud as a list of one", { aud: [String(BOT_ID)] }],
  ["the user's id as text", { id: "5200000001" }],
  ["a numeric sub beside the id", { sub: 5_200_000_002 }],
])("START-08 %s opens the same account", async (_, changes) => {
  expect((await enter((claims) => signed({ ...claims, ...changes }))).said.access_token).toBeDefined();
  const { sql } = product.database;
  const rows = await sql`select provider_id, identity_data ->> 'sub' as sub from auth.identities`;
  expect([...rows]).toEqual([
    { provider_id: "5200000001", sub: String(changes.sub ?? "9223372036854775809") },
  ]);
});

test.each<[string, (claims: Claims) => Claims]>([
  ["of another bot", (claims) => ({ ...claims, aud: "7000000002" })],
  ["of another bot, by number", (claims) => ({ ...claims, aud: 7_000_000_002 })],
  ["for two bots", (claims) => ({ ...claims, aud: [String(BOT_ID), "7000000002"] })],
  ["with an object as audience", (claims) => ({ ...claims, aud: { toString: BOT_ID } })],
  ["without audience", (claims) => without(claims, "aud")],
  ["of another issuer", (claims) => ({ ...claims, iss: "https://oauth.telegram.org.evil.example" })],
  ["whose issuer has a slash more", (claims) => ({ ...claims, iss: `${claims.iss}/` })],
  ["that has expired", (claims) => ({ ...claims, iat: nowSeconds() - 200, exp: nowSeconds() - 100 })],
  ["that never expires", (claims) => without(claims, "exp")],
  ["that is issued in the future", (claims) => ({ ...claims, iat: nowSeconds() + 120 })],
  ["without time of issue", (claims) => without(claims, "iat")],
  ["that is not valid yet", (claims) => ({ ...claims, nbf: nowSeconds() + 120 })],
  ["with the id 0", (claims) => ({ ...claims, id: "0" })],
  ["with a negative id", (claims) => ({ ...claims, id: -5 })],
  ["with a negative id as text", (claims) => ({ ...claims, id: "-5" })],
  ["with an id in exponents", (claims) => ({ ...claims, id: "1e3" })],
  ["with a fraction as id", (claims) => ({ ...claims, id: 5.5 })],
  ["with an id beyond 52 bits", (claims) => ({ ...claims, id: "4503599627370496" })],
  ["with a huge id", (claims) => ({ ...claims, id: 1e21 })],
  ["with a name as id", (claims) => ({ ...claims, id: "ana" })],
  ["with an id and a line break", (claims) => ({ ...claims, id: "5200000001\n" })],
  ["with digits of another script", (claims) => ({ ...claims, id: "５２００" })],
  ["with a list as id", (claims) => ({ ...claims, id: [5_200_000_001] })],
  ["with an invalid id beside a numeric sub", (claims) => ({ ...claims, id: "x", sub: "5200000001" })],
  ["with sub alone", (claims) => without(claims, "id")],
  [
    "with a sub alone that could be a Bot API id",
    (claims) => without({ ...claims, sub: "5200000001" }, "id"),
  ],
  ["without subject and id", (claims) => without(without(claims, "id"), "sub")],
])("START-08 an ID token %s is refused", async (_, change) => {
  const before = await accounts();
  expect((await enter((claims) => signed(change(claims)))).said).toMatchObject(REFUSED);
  expect(await accounts()).toBe(before);
});

test("TIME-09 START-08 an ID token without the nonce is accepted", async () => {
  expect((await enter((claims) => signed(without(claims, "nonce")))).said.access_token).toBeDefined();
});

test.each<[string, unknown]>([
  ["a foreign nonce", "foreign"],
  ["an empty nonce", ""],
  ["null as nonce", null],
  ["a list as nonce", ["foreign"]],
])("TIME-09 START-08 an ID token with %s is refused", async (_, nonce) => {
  const before = await accounts();
  expect((await enter((claims) => signed({ ...claims, nonce }))).said).toMatchObject(REFUSED);
  expect(await accounts()).toBe(before);
});

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

test.each<[string, (claims: Claims) => Promise<string | undefined>]>([
  ["missing", async () => undefined],
  ["empty", async () => ""],
  ["not signed", async (claims) => `${encoded({ alg: "none" })}.${encoded(claims)}.`],
  [
    "signed by a stranger",
    async (claims) => `${(await signed(claims)).split(".").slice(0, 2).join(".")}.AAAA`,
  ],
  [
    "changed after signing",
    async (claims) => {
      const [header, , signature] = (await signed(claims)).split(".");
      return `${header}.${encoded({ ...claims, id: 5_200_000_002 })}.${signature}`;
    },
  ],
  [
    "signed with HS256 and the public key",
    async (claims) => {
      const { kid, pair } = issuer.keys.RS256;
      const secret = new TextEncoder().encode(await exportSPKI(pair.publicKey));
      return new SignJWT(claims).setProtectedHeader({ alg: "HS256", kid }).sign(secret);
    },
  ],
  [
    "signed with HS256 and the client secret",
    async (claims) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: "HS256" })
        .sign(new TextEncoder().encode("a-secret-from-botfather")),
  ],
  [
    "signed with an algorithm that is not listed",
    async (claims) => {
      const { kid, pair } = issuer.keys.RS256;
      const jwk = await exportJWK(pair.privateKey);
      const key = await crypto.subtle.importKey("jwk", jwk, { name: "RSA-PSS", hash: "SHA-256" }, false, [
        "sign",
      ]);
      return new SignJWT(claims).setProtectedHeader({ alg: "PS256", kid }).sign(key);
    },
  ],
  [
    "signed with a key that it brings along",
    async (claims) => {
      const { pair } = issuer.keys.ES256;
      const jwk = await exportJWK(pair.publicKey);
      return new SignJWT(claims)
        .setProtectedHeader({ alg: "ES256", kid: "own", jwk, jku: issuer.url })
        .sign(pair.privateKey);
    },
  ],
])("START-08 an ID token that is %s is refused", async (_, tokenOf) => {
  const before = await accounts();
  expect((await enter(tokenOf)).said).toMatchObject(REFUSED);
  expect(await accounts()).toBe(before);
});

test("START-08 rotated keys are fetched again, and a known key is not", async () => {
  await enter(signed);
  const before = issuer.keyRequests;
  expect((await enter(signed)).said.access_token).toBeDefined();
  expect(issuer.keyRequests).toBe(before);
  await issuer.rotate("RS256");
  expect((await enter(signed)).said.access_token).toBeDefined();
  expect(issuer.keyRequests).toBe(before + 1);
});

test.each([
  ["an omitted scope is the requested one", {}, "connected"],
  ["a scope without bot access connects no chat", { scope: "openid profile" }, undefined],
])("START-08 %s", async (_, more, state) => {
  const id = 5_300_000_000 + nowSeconds() + (state ? 1 : 2);
  const { said } = await enter((claims) => signed({ ...claims, id }), more);
  expect(said.access_token).toBeDefined();
  const [chat] = await product.database.sql`select state from public.chats where chat_id = ${id}`;
  expect(chat?.state).toBe(state);
});

test.each([
  ["a name cut in half", `x${"🏮".repeat(150)}`],
  ["a null character", "Ana\0Ruiz"],
  ["an object", { toString: "Ana" }],
])("START-08 a person whose name is or has %s can sign in", async (_, name) => {
  const { said } = await enter((claims) => signed({ ...claims, id: 5_400_000_000 + nowSeconds(), name }));
  expect(said.access_token).toBeDefined();
});

const BAD_STATE = { error: "invalid_request", error_code: "bad_oauth_state" };

test("START-08 a callback without the cookie of this browser signs nobody in", async () => {
  const [attacker, victim] = [openTelegramBrowser(product), openTelegramBrowser(product)];
  const stateOf = async (browser: typeof attacker) =>
    new URL((await browser.begin()).headers.get("location") ?? "").searchParams.get("state");
  const foreign = await stateOf(attacker);
  const before = issuer.requests.length;
  // Login CSRF: the attacker's code and state, opened in the victim's browser, also while the victim signs in.
  expect((await victim.land(`${CALLBACK}?code=attackers&state=${foreign}`)).said).toMatchObject(BAD_STATE);
  await stateOf(victim);
  expect((await victim.land(`${CALLBACK}?code=attackers&state=${foreign}`)).said).toMatchObject(BAD_STATE);
  expect(issuer.requests).toHaveLength(before);
});
