import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestAuth, type TestAuth } from "#test/test-auth.ts";

let world: TestAuth;

beforeAll(async () => {
  world = await startTestAuth();
});

afterAll(() => world.stop());

async function call(path: string, request: { body: unknown }) {
  const answer = await world.send(path, request);
  return { status: answer.status, body: (await answer.json()) as { error_code?: string } };
}

test.each([
  ["A30 a password of 73 bytes", { email: "p1@example.com", password: "x".repeat(73) }],
  [
    "A30 a password of 40 characters that are 80 bytes",
    { email: "p2@example.com", password: "ñ".repeat(40) },
  ],
  ["A30 a password with a null character", { email: "p3@example.com", password: "secret\0more" }],
  ["A30 a password that is a list", { email: "p4@example.com", password: ["violet-harbour-27"] }],
  [
    "A32 a line break in the address",
    { email: "p5@example.com\r\nBcc: all@example.com", password: "violet-harbour-27" },
  ],
  [
    "a second recipient in the address",
    { email: "p6@example.com,p7@example.com", password: "violet-harbour-27" },
  ],
  ["an invisible character in the address", { email: "p8\u200b@example.com", password: "violet-harbour-27" }],
  [
    "an address of 300 characters",
    { email: `${"p".repeat(300)}@example.com`, password: "violet-harbour-27" },
  ],
  [
    "metadata of 5,000 characters",
    { email: "p9@example.com", password: "violet-harbour-27", data: { a: "x".repeat(5_000) } },
  ],
])("%s creates no account", async (_, body) => {
  const before = await world.database.sql`select count(*) from auth.users`;
  const answer = await call("signup", { body });
  const code = /address/.test(_) ? "email_address_invalid" : "validation_failed";
  expect([answer.status, answer.body.error_code]).toEqual([400, code]);
  expect(await world.database.sql`select count(*) from auth.users`).toEqual(before);
});

test.each([
  ["a list", []],
  ["a text", "full_name"],
  ["null", null],
  ["a null character", { full_name: "a\0b" }],
  ["half a character", { full_name: "\ud83c" }],
  ["a key with a null character", { "a\0": 1 }],
])("U35 user data that is or contains %s creates no account and causes no server error", async (_, data) => {
  const answer = await call("signup", {
    body: { email: "odd@example.com", password: "violet-harbour-27", data },
  });
  expect([answer.status, answer.body.error_code]).toEqual([400, "validation_failed"]);
});

test("U33 U36 a name in any script, right to left, or containing code is stored as typed", async () => {
  const names = [
    "Ана \u202eевил",
    "\\u0000",
    "🏮 Sereno",
    "'; drop table auth.users; --",
    "{{ .TokenHash }}",
  ];
  for (const [index, name] of names.entries()) {
    const data = { full_name: name, constructor: "x", __proto__: { role: "admin" } };
    const answer = await call("signup", {
      body: { email: `name${index}@example.com`, password: "violet-harbour-27", data },
    });
    expect(answer.status, name).toBe(200);
    expect(
      await world.database
        .sql`select full_name from public.profiles where email = ${`name${index}@example.com`}`,
    ).toEqual([{ full_name: name }]);
  }
});

test.each([
  ["token?grant_type=refresh_token", { refresh_token: { $gt: "" } }],
  ["token?grant_type=refresh_token", { refresh_token: ["x"] }],
  ["token?grant_type=pkce", { auth_code: 1, code_verifier: 1 }],
  ["verify", { token_hash: { a: 1 }, type: "recovery" }],
  ["verify", { token_hash: "x", type: ["recovery"] }],
  ["token?grant_type=password", { email: { a: 1 }, password: "x" }],
])("%s with a value of another type is refused without a server error", async (path, body) => {
  expect(await call(path, { body })).toMatchObject({
    status: 400,
    body: { error_code: "validation_failed" },
  });
});

test.each([
  ["token?grant_type=refresh_token", { refresh_token: "a\0b" }],
  ["token?grant_type=refresh_token", { refresh_token: "\ud83c" }],
  ["token?grant_type=password", { email: "alice@example.com", password: "a\ud83c" }],
  ["token?grant_type=pkce", { auth_code: "\0", code_verifier: "\0" }],
  ["verify", { token_hash: "\0", type: "recovery" }],
  ["verify", { token: "\0", email: "alice@example.com", type: "recovery" }],
  ["recover", { email: "alice@example.com", code_challenge: "\0" }],
  ["signup", { email: "nul@example.com", password: "secret1", code_challenge: "a\0b" }],
  [
    "signup",
    { email: "nul@example.com", password: "secret1", gotrue_meta_security: { captcha_token: "\0" } },
  ],
  ["token?grant_type=refresh_token&x=%00", { refresh_token: "x" }],
  ["token?grant_type=%FF", { refresh_token: "x" }],
  ["token?grant_type=%zz", { refresh_token: "x" }],
])(
  "DOOR-12 %s with a character that cannot be stored is refused without a server error",
  async (path, body) => {
    expect(await call(path, { body })).toMatchObject({
      status: 400,
      body: { error_code: "validation_failed" },
    });
  },
);

test("DOOR-12 no unusual value in an auth request causes a server error", async () => {
  const odd = ["", "x".repeat(10_000), "' or 1=1 --", "%00", "\u202e🏮", "{}", "[]", "null", "-1", "1e400"];
  const routes = [
    "token?grant_type=refresh_token",
    "token?grant_type=pkce",
    "verify",
    "resend",
    "recover",
    "signup",
    "logout",
  ];
  for (const path of [...routes, ...odd.map((grant) => `token?grant_type=${encodeURIComponent(grant)}`)]) {
    for (const value of odd) {
      const body = Object.fromEntries(
        [
          "refresh_token",
          "auth_code",
          "code_verifier",
          "token",
          "token_hash",
          "type",
          "email",
          "password",
        ].map((name) => [name, value]),
      );
      const { status } = await call(path, { body });
      expect([path, value, status < 500]).toEqual([path, value, true]);
    }
  }
});

test.each([["{bad"], ["[]"], ["null"], ['"text"'], [""]])(
  "a body of %j is refused because it is not a JSON object",
  async (body) => {
    const answer = await call("signup", { body });
    expect([answer.status, answer.body.error_code]).toEqual([400, "bad_json"]);
  },
);

test("a body of 100 kB is refused", async () => {
  const answer = await call("signup", {
    body: { email: "big@example.com", password: "x", extra: "x".repeat(100_000) },
  });
  expect(answer.status).toBe(413);
});
