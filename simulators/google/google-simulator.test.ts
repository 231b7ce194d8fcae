import { createHash } from "node:crypto";
import { createRemoteJWKSet, jwtVerify } from "jose";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type GoogleSimulator, startGoogleSimulator } from "./google-simulator.ts";

const BACK = "http://localhost:3000/auth/v1/callback";
let google: GoogleSimulator;

beforeAll(async () => {
  google = await startGoogleSimulator({ redirectUris: [BACK] });
});

afterAll(() => google.stop());

const query = (changes: Record<string, string> = {}) =>
  new URLSearchParams({
    client_id: google.clientId,
    redirect_uri: BACK,
    response_type: "code",
    scope: "openid email profile",
    state: "the-state",
    nonce: "the-nonce",
    ...changes,
  });

const authorize = (changes?: Record<string, string>) =>
  fetch(`${google.url}/o/oauth2/v2/auth?${query(changes)}`);

async function consent(changes: Record<string, string> = {}, form: Record<string, string> = {}) {
  const answer = await fetch(`${google.url}/o/oauth2/v2/auth?${query(changes)}`, {
    method: "POST",
    redirect: "manual",
    body: new URLSearchParams({ email: "tom.baker@gmail.example", ...form }),
  });
  return new URL(answer.headers.get("location") ?? "");
}

async function exchange(code: string, changes: Record<string, string> = {}) {
  const answer = await fetch(`${google.url}/token`, {
    method: "POST",
    body: new URLSearchParams({
      client_id: google.clientId,
      client_secret: google.clientSecret,
      grant_type: "authorization_code",
      redirect_uri: BACK,
      code,
      ...changes,
    }),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, string> };
}

const codeIn = (url: URL) => url.searchParams.get("code") ?? "";

test("the consent page offers everyone known, a field for others and a way out", async () => {
  const answer = await authorize();
  const page = await answer.text();
  expect(answer.status).toBe(200);
  expect(page).toContain("Lucía Ortega");
  expect(page).toContain('name="email"');
  expect(page).toContain('value="cancel"');
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
])("%s is shown, and nobody is sent anywhere, for %o", async (error, changes) => {
  const answer = await authorize(changes);
  expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining(error)]);
});

test("a name or an address typed by somebody is shown, not run", async () => {
  google.addPerson({ email: "x@example.com", name: "<script>alert(1)</script>" });
  expect(await (await authorize()).text()).not.toContain("<script>");
  expect(await (await authorize({ state: '"><script>' })).text()).not.toContain("<script>");
});

test("a code is exchanged for an ID token that its published keys prove", async () => {
  const back = await consent();
  expect(`${back.origin}${back.pathname}`).toBe(BACK);
  expect(back.searchParams.get("state")).toBe("the-state");
  const { status, body } = await exchange(codeIn(back));
  expect(status).toBe(200);
  const discovery = (await (await fetch(`${google.url}/.well-known/openid-configuration`)).json()) as {
    issuer: string;
    jwks_uri: string;
    userinfo_endpoint: string;
  };
  const { payload, protectedHeader } = await jwtVerify(
    body.id_token ?? "",
    createRemoteJWKSet(new URL(discovery.jwks_uri)),
    { issuer: discovery.issuer, audience: google.clientId },
  );
  expect(protectedHeader.alg).toBe("RS256");
  expect(payload).toMatchObject({
    email: "tom.baker@gmail.example",
    email_verified: true,
    name: "Tom Baker",
    nonce: "the-nonce",
    sub: expect.stringMatching(/^\d{21}$/),
  });
  const headers = { authorization: `Bearer ${body.access_token}` };
  expect(await (await fetch(discovery.userinfo_endpoint, { headers })).json()).toMatchObject({
    sub: payload.sub,
    email: "tom.baker@gmail.example",
  });
  expect((await fetch(discovery.userinfo_endpoint)).status).toBe(401);
});

test("a code is good once", async () => {
  const code = codeIn(await consent());
  expect((await exchange(code)).status).toBe(200);
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
  expect((await exchange(codeIn(await consent()), changes)).body.error).toBe(error);
});

test("a code asked for with a challenge needs its verifier", async () => {
  const verifier = "v".repeat(43);
  const challenge = {
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
  };
  for (const [sent, status] of [
    [{}, 400],
    [{ code_verifier: "w".repeat(43) }, 400],
    [{ code_verifier: verifier }, 200],
  ] as const) {
    expect((await exchange(codeIn(await consent(challenge)), sent)).status).toBe(status);
  }
});

test("who cancels is sent back without a code", async () => {
  const back = await consent({}, { decision: "cancel" });
  expect(Object.fromEntries(back.searchParams)).toEqual({ error: "access_denied", state: "the-state" });
});

test("a typed address becomes a person, the same one each time, and nonsense does not", async () => {
  await consent({}, { email: "New.One@gmail.example" });
  const [first] = google.people().filter(({ email }) => email === "New.One@gmail.example");
  expect(first).toMatchObject({ name: "New One", isVerified: true });
  await consent({}, { email: "new.one@gmail.example" });
  expect(google.people().filter(({ sub }) => sub === first?.sub)).toHaveLength(1);
  const answer = await fetch(`${google.url}/o/oauth2/v2/auth?${query()}`, {
    method: "POST",
    body: new URLSearchParams({ email: "nonsense" }),
  });
  expect([answer.status, await answer.text()]).toEqual([
    400,
    expect.stringContaining("Enter an e-mail address."),
  ]);
});

test("a fault happens once", async () => {
  google.setFault("refused");
  expect((await consent()).searchParams.get("error")).toBe("server_error");
  expect((await consent()).searchParams.get("error")).toBeNull();
  google.setFault("expired-code");
  expect((await exchange(codeIn(await consent()))).body.error).toBe("invalid_grant");
  google.setFault("wrong-state");
  expect((await consent()).searchParams.get("state")).not.toBe("the-state");
});
