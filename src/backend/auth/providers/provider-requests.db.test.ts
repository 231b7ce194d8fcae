// Requests to /authorize: which parameters are accepted, what Google receives, and where people return to.
import { beforeAll, beforeEach, expect, test } from "vitest";
import type { GoogleSimulator } from "#simulators/google/google-simulator.ts";
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
});

test("A27 a plain code challenge is refused", async () => {
  for (const method of ["plain", "PLAIN", "none", ""]) {
    const answer = await browser.begin({ code_challenge: "x".repeat(43), code_challenge_method: method });
    const back = new URL(answer.headers.get("location") ?? "");
    expect([back.origin, back.searchParams.get("error_code")], method).toEqual([
      "http://localhost:3000",
      "validation_failed",
    ]);
  }
});

test("an unknown provider and the thirty-first try lead to the home page with the reason", async () => {
  const other = await browser.begin({ provider: "github", redirect_to: "http://localhost:3000/es" });
  const back = new URL(other.headers.get("location") ?? "");
  expect([back.pathname, back.searchParams.get("error_code")]).toEqual(["/es", "provider_disabled"]);
  const answers = await Promise.all(Array.from({ length: 40 }, () => browser.begin()));
  const codes = answers.map((answer) =>
    new URL(answer.headers.get("location") ?? "").searchParams.get("error_code"),
  );
  expect(codes).toContain("over_request_rate_limit");
});

const NAMES_FOR_GOOGLE = [
  ...["client_id", "code_challenge", "code_challenge_method", "nonce", "redirect_uri", "response_type"],
  ...["scope", "state"],
];

test.each([
  ["state", crypto.randomUUID()],
  ["client_id", "evil"],
  ["redirect_uri", "https://evil.example"],
  ["response_type", "token"],
  ["scopes", "https://www.googleapis.com/auth/drive"],
  ["invite_token", "x"],
  ["nonce", "x"],
  ["constructor", "x"],
])("READ-04 of an authorize URL with %s, an unknown name, nothing reaches Google", async (name, value) => {
  const { headers } = await browser.begin({ [name]: value });
  const asked = new URL(headers.get("location") ?? "");
  expect(asked.origin).toBe(google.url);
  expect([...asked.searchParams.keys()].sort()).toEqual(NAMES_FOR_GOOGLE);
  expect([...asked.searchParams.values()]).not.toContain(value);
});

test("the request to Google contains our client, our address, PKCE and a nonce", async () => {
  const begun = await browser.begin();
  const asked = new URL(begun.headers.get("location") ?? "");
  expect(`${asked.origin}${asked.pathname}`).toBe(`${google.url}/o/oauth2/v2/auth`);
  const { state, nonce, code_challenge, ...rest } = Object.fromEntries(asked.searchParams);
  expect(rest).toEqual({
    client_id: google.clientId,
    redirect_uri: "http://localhost:3000/auth/v1/callback",
    response_type: "code",
    scope: "email profile openid",
    code_challenge_method: "S256",
  });
  expect(code_challenge).toMatch(/^[\w-]{43}$/);
  expect(nonce).toMatch(/^[\w-]{43}$/);
  const [cookie = ""] = begun.headers.getSetCookie();
  expect(cookie).toMatch(
    /^google-[\da-f-]{36}=[\w-]{43}\.[\w-]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=1800$/,
  );
  expect(cookie).toContain(String(state));
});

test.each([
  "https://evil.example/",
  "//evil.example",
  "https:evil.example",
  "\\\\evil.example",
  "http://localhost:3000@evil.example/",
  "http://localhost:3000.evil.example/",
  "http://user:pw@localhost:3000/",
  "http://127.0.0.1:3000/",
  "http://[::1]:3000/",
  "http://localhost:4000/",
  "http://localhost:3000/evil",
  "http://localhost:3000/es/../evil",
  "http://localhost:3000/?next=//evil.example",
  "http://localhost:3000/#access_token=x",
  "javascript:alert(1)",
  "data:text/html,x",
  "/es",
  "",
])("A24 Google sign-in with redirect_to %j returns to the home page", async (redirectTo) => {
  const landing = await browser.signIn({ decision: "cancel" }, { redirect_to: redirectTo });
  expect(landing.page).toBe("http://localhost:3000/");
});

test("A24 the Referer is not used as the return address", async () => {
  const answer = await fetch(`${product.url}/auth/v1/authorize?provider=google`, {
    redirect: "manual",
    headers: { referer: "http://127.0.0.1:9999/evil" },
  });
  expect(answer.status).toBe(302);
  const [, home = ""] = /\.([\w-]+);/.exec(answer.headers.get("set-cookie") ?? "") ?? [];
  expect(Buffer.from(home, "base64url").toString()).toBe("http://localhost:3000");
});
