import { createHash } from "node:crypto";
import { createRemoteJWKSet, decodeJwt, jwtVerify } from "jose";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createHeldTelegramClock } from "../clock.ts";
import { createPerson } from "../phone/create.ts";
import { startTelegramSimulator, type TelegramSimulator } from "../start-telegram-simulator.ts";
import { startTelegramLogin, type TelegramLogin } from "./telegram-login.ts";

const BACK = "https://sereno.example/auth/v1/callback";
const VERIFIER = "v".repeat(43);
const clock = createHeldTelegramClock(Date.now());
let telegram: TelegramSimulator;
let login: TelegramLogin;

beforeAll(async () => {
  telegram = await startTelegramSimulator({ clock });
  login = await startTelegramLogin(telegram, { redirectUris: [BACK] });
});
afterAll(() => Promise.all([telegram.close(), login.stop()]));

const newPerson = (firstName = "Ana") => String(createPerson(telegram, { firstName, lastName: "Ruiz" }).id);

function consentUrl(changes: Record<string, string> = {}): string {
  const asked = {
    client_id: login.clientId,
    redirect_uri: BACK,
    response_type: "code",
    scope: "openid profile telegram:bot_access",
    code_challenge: createHash("sha256").update(VERIFIER).digest("base64url"),
    code_challenge_method: "S256",
    state: "the-state",
    nonce: "the-nonce",
  };
  return `${login.url}/auth?${new URLSearchParams({ ...asked, ...changes })}`;
}

async function consent(form: Record<string, string>, changes?: Record<string, string>) {
  const body = new URLSearchParams(form);
  const answer = await fetch(consentUrl(changes), { method: "POST", redirect: "manual", body });
  return Object.fromEntries(new URL(answer.headers.get("location") ?? "").searchParams);
}

async function exchange(
  code: string | undefined,
  changes: Record<string, string> = {},
  secret = login.clientSecret,
) {
  const sent = { grant_type: "authorization_code", redirect_uri: BACK, code_verifier: VERIFIER };
  const answer = await fetch(`${login.url}/token`, {
    method: "POST",
    headers: {
      authorization: `Basic ${Buffer.from(`${login.clientId}:${secret}`).toString("base64")}`,
    },
    body: new URLSearchParams({ ...sent, code: code ?? "", ...changes }),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, string> };
}

test("the consent page lists the people, asks about messages and has Cancel, and escapes names", async () => {
  newPerson("<script>alert(1)</script>");
  const page = await (await fetch(consentUrl({ state: '"><script>' }))).text();
  for (const part of ["Ruiz", 'name="bot_access"', 'value="cancel"']) expect(page).toContain(part);
  expect(page).not.toContain("<script>");
  expect(await (await fetch(consentUrl({ scope: "openid" }))).text()).not.toContain('name="bot_access"');
});

test.each([
  ["invalid_client", { client_id: "7000000002" }],
  ["invalid_request", { redirect_uri: `${BACK}/` }],
  ["invalid_request", { redirect_uri: "https://evil.example/" }],
  ["unsupported_response_type", { response_type: "id_token" }],
  ["invalid_scope", { scope: "profile" }],
  ["invalid_scope", { scope: "openid email" }],
  ["invalid_request", { code_challenge: "" }],
  ["invalid_request", { code_challenge_method: "plain" }],
])("%s is shown without a redirect for %o", async (error, changes) => {
  const answer = await fetch(consentUrl(changes as Record<string, string>));
  expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining(error)]);
});

test("a code is exchanged once for an ID token that the published keys verify", async () => {
  const person = newPerson();
  const { code, state } = await consent({ person, bot_access: "yes" });
  expect(state).toBe("the-state");
  const { body } = await exchange(code);
  expect(body.scope).toBe("openid profile telegram:bot_access");
  const keys = createRemoteJWKSet(new URL(`${login.url}/.well-known/jwks.json`));
  const proven = { issuer: login.url, audience: login.clientId, algorithms: ["RS256"] };
  const { payload } = await jwtVerify(body.id_token ?? "", keys, proven);
  expect(payload).toMatchObject({ id: Number(person), name: "Ana Ruiz" });
  expect(payload).not.toHaveProperty("nonce");
  expect(payload.sub).not.toBe(person);
  expect(await exchange(code)).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
});

test.each([
  ["invalid_grant", { code: "unknown" }],
  ["invalid_grant", { code_verifier: "w".repeat(43) }],
  ["invalid_grant", { code_verifier: "" }],
  ["invalid_grant", { redirect_uri: `${BACK}/` }],
  ["invalid_client", { client_id: "7000000002" }],
  ["unsupported_grant_type", { grant_type: "password" }],
])("the token service answers %s to %o", async (error, changes) => {
  const { code } = await consent({ person: newPerson() });
  expect((await exchange(code, changes as Record<string, string>)).body.error).toBe(error);
});

test("a wrong secret and a code older than a minute are refused", async () => {
  const person = newPerson();
  expect((await exchange((await consent({ person })).code, {}, "wrong")).body.error).toBe("invalid_client");
  const { code } = await consent({ person });
  clock.advance(60_001);
  expect((await exchange(code)).body.error).toBe("invalid_grant");
});

test("messages are allowed only if the person agrees", async () => {
  const person = newPerson();
  const standing = () => telegram.chats.get(Number(person))?.standing;
  const refused = await exchange((await consent({ person })).code);
  expect([refused.body.scope, standing()]).toEqual(["openid profile", "stranger"]);
  await consent({ person, bot_access: "yes" });
  expect(standing()).toBe("ok");
});

test("Cancel redirects without a code, and a fault happens once", async () => {
  expect(await consent({ decision: "cancel" })).toEqual({ error: "access_denied", state: "the-state" });
  login.setFault("refused");
  const person = newPerson();
  expect((await consent({ person })).error).toBe("server_error");
  expect((await consent({ person })).code).toBeDefined();
});

test.each([
  ["with-nonce", "the-nonce"],
  ["foreign-nonce", "not the-nonce"],
] as const)("TIME-09 after the choice %s the ID token has the nonce %s", async (fault, nonce) => {
  login.setFault(fault);
  const { body } = await exchange((await consent({ person: newPerson() })).code);
  expect(decodeJwt(body.id_token ?? "").nonce).toBe(nonce);
});
