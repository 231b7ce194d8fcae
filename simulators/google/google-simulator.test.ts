import { createHash } from "node:crypto";
import { createRemoteJWKSet, jwtVerify } from "jose";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type GoogleSimulator, startGoogleSimulator } from "./google-simulator.ts";

const BACK = "http://localhost:3000/auth/v1/callback";
const TOM = "tom.baker@gmail.example";
let google: GoogleSimulator;

beforeAll(async () => {
  google = await startGoogleSimulator({ redirectUris: [BACK] });
});
afterAll(() => google.stop());

function consentUrl(changes: Record<string, string> = {}): string {
  const asked = {
    client_id: google.clientId,
    redirect_uri: BACK,
    response_type: "code",
    scope: "openid email",
  };
  return `${google.url}/o/oauth2/v2/auth?${new URLSearchParams({ ...asked, state: "the-state", nonce: "the-nonce", ...changes })}`;
}

function press(form: Record<string, string>, changes?: Record<string, string>) {
  return fetch(consentUrl(changes), { method: "POST", redirect: "manual", body: new URLSearchParams(form) });
}

async function consent(form: Record<string, string> = { email: TOM }, changes?: Record<string, string>) {
  const answer = await press(form, changes);
  return Object.fromEntries(new URL(answer.headers.get("location") ?? "").searchParams);
}

async function exchange(code: string | undefined, changes: Record<string, string> = {}) {
  const { clientId: client_id, clientSecret: client_secret } = google;
  const client = { client_id, client_secret, grant_type: "authorization_code", redirect_uri: BACK };
  const body = new URLSearchParams({ ...client, code: code ?? "", ...changes });
  const answer = await fetch(`${google.url}/token`, { method: "POST", body });
  return { status: answer.status, body: (await answer.json()) as Record<string, string> };
}

test("the consent page lists all accounts, has a field for others and Cancel, and escapes typed text", async () => {
  google.addPerson({ email: "x@example.com", name: "<script>alert(1)</script>" });
  const answer = await fetch(consentUrl({ state: '"><script>' }));
  const page = await answer.text();
  expect(answer.status).toBe(200);
  for (const part of ["Lucía Ortega", 'name="email"', 'value="cancel"']) expect(page).toContain(part);
  expect(page).not.toContain("<script>");
});

test.each([
  ["invalid_client", { client_id: "other" }],
  ["redirect_uri_mismatch", { redirect_uri: `${BACK}/` }],
  ["redirect_uri_mismatch", { redirect_uri: "https://evil.example/" }],
  ["unsupported_response_type", { response_type: "token" }],
  ["invalid_scope", { scope: "drive" }],
  ["invalid_scope", { scope: "" }],
  ["invalid_request", { code_challenge: "short", code_challenge_method: "S256" }],
  ["invalid_request", { code_challenge: "x".repeat(43), code_challenge_method: "md5" }],
  ["invalid_request", { code_challenge_method: "S256" }],
])("%s is shown without a redirect for %o", async (error, changes) => {
  const answer = await fetch(consentUrl(changes as Record<string, string>));
  expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining(error)]);
});

test("the discovery document lists every endpoint under its own URL, and the redirect contains the issuer", async () => {
  const answer = await fetch(`${google.url}/.well-known/openid-configuration`);
  expect(await answer.json()).toMatchObject({
    issuer: google.url,
    authorization_endpoint: `${google.url}/o/oauth2/v2/auth`,
    token_endpoint: `${google.url}/token`,
    jwks_uri: `${google.url}/oauth2/v3/certs`,
  });
  expect(await consent()).toMatchObject({
    iss: google.url,
    authuser: "0",
    prompt: "none",
    scope: "openid email",
  });
});

test("a code is exchanged once for an ID token that the published keys verify", async () => {
  const { code, state } = await consent();
  expect(state).toBe("the-state");
  const { body } = await exchange(code);
  const keys = createRemoteJWKSet(new URL(`${google.url}/oauth2/v3/certs`));
  const proven = { issuer: google.url, audience: google.clientId, algorithms: ["RS256"] };
  const { payload } = await jwtVerify(body.id_token ?? "", keys, proven);
  const claims = { email: TOM, email_verified: true, name: "Tom Baker", nonce: "the-nonce" };
  expect(payload).toMatchObject({ ...claims, sub: expect.stringMatching(/^\d{21}$/) });
  expect(await exchange(code)).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
});

test.each([
  ["invalid_client", { client_secret: "wrong" }],
  ["invalid_client", { client_id: "wrong" }],
  ["unsupported_grant_type", { grant_type: "password" }],
  ["redirect_uri_mismatch", { redirect_uri: "https://evil.example/" }],
  ["invalid_grant", { code: "4/unknown" }],
  ["invalid_grant", { code_verifier: "not asked for" }],
])("the token service answers %s to %o", async (error, changes) => {
  const { code } = await consent();
  expect((await exchange(code, changes as Record<string, string>)).body.error).toBe(error);
});

test.each([
  [undefined, "invalid_grant"],
  ["wrong", "invalid_client"],
])("a client may name itself in the header: with the secret %s the answer is %s", async (secret, error) => {
  const { clientId, clientSecret } = google;
  const credentials = Buffer.from(`${clientId}:${secret ?? clientSecret}`).toString("base64");
  const answer = await fetch(`${google.url}/token`, {
    method: "POST",
    headers: { authorization: `Basic ${credentials}` },
    body: new URLSearchParams({ grant_type: "authorization_code", code: "4/unknown", redirect_uri: BACK }),
  });
  expect(await answer.json()).toMatchObject({ error });
});

test.each([
  [400, {}],
  [400, { code_verifier: "w".repeat(43) }],
  [200, { code_verifier: "v".repeat(43) }],
])("a code requested with a challenge gives %i for %o", async (status, sent) => {
  const challenge = createHash("sha256").update("v".repeat(43)).digest("base64url");
  const { code } = await consent(undefined, { code_challenge: challenge, code_challenge_method: "S256" });
  expect((await exchange(code, sent as Record<string, string>)).status).toBe(status);
});

test("Cancel redirects without a code", async () => {
  const answer = { error: "access_denied", state: "the-state", iss: google.url };
  expect(await consent({ decision: "cancel" })).toEqual(answer);
});

test("a typed address becomes an account, the same one each time; an invalid one does not", async () => {
  await consent({ email: "New.One@gmail.example" });
  await consent({ email: "new.one@gmail.example" });
  const found = google.people().filter(({ email }) => email.toLowerCase() === "new.one@gmail.example");
  expect(found).toMatchObject([{ name: "New One", isVerified: true }]);
  const answer = await press({ email: "nonsense" });
  expect([answer.status, await answer.text()]).toEqual([
    400,
    expect.stringContaining("Enter an e-mail address."),
  ]);
});

test("a fault happens once", async () => {
  google.setFault("refused");
  expect((await consent()).error).toBe("server_error");
  expect((await consent()).error).toBeUndefined();
  google.setFault("expired-code");
  expect((await exchange((await consent()).code)).body.error).toBe("invalid_grant");
  google.setFault("wrong-state");
  expect((await consent()).state).not.toBe("the-state");
});
