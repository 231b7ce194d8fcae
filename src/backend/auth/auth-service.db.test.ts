import { afterAll, beforeAll, expect, test } from "vitest";
import { signUp } from "#test/cast.ts";
import { withoutSignUps } from "#test/sign-in/sign-up-mails.ts";
import { startTestProduct, type TestProduct } from "#test/test-product.ts";

let product: TestProduct;
// Each test uses its own client addresses, as if behind one proxy.
let nextAddress = 1;
const freshAddress = () => `203.0.113.${nextAddress++}`;

beforeAll(async () => {
  product = await startTestProduct({ TRUSTED_PROXIES: "1" });
  await signUp(product, "alice");
});

afterAll(() => product.stop());

type Call = { method?: string; body?: unknown; address?: string; headers?: Record<string, string> };

async function call(path: string, { method = "POST", body, address = freshAddress(), headers }: Call = {}) {
  const answer = await fetch(`${product.url}/auth/v1/${path}`, {
    method,
    headers: {
      apikey: product.publishableKey,
      "content-type": "application/json",
      "x-forwarded-for": address,
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  return { status: answer.status, body: (await answer.json()) as { error_code?: string } };
}

const signIn = (email: string, password: string, address?: string) =>
  call("token?grant_type=password", { body: { email, password }, ...(address ? { address } : {}) });

test("A22 one network address has a burst of thirty tries for all accounts together", async () => {
  const address = freshAddress();
  const body = { refresh_token: "wrong" };
  const answers = await Promise.all(
    Array.from({ length: 60 }, () => call("token?grant_type=refresh_token", { address, body })),
  );
  const admitted = answers.filter(({ status }) => status !== 429).length;
  // Meanwhile the allowance refills at one every two seconds.
  expect(admitted).toBeGreaterThanOrEqual(30);
  expect(admitted).toBeLessThan(40);
});

test("A23 a spoofed X-Forwarded-For resets nothing", async () => {
  const address = freshAddress();
  for (let attempt = 0; attempt < 30; attempt += 1) await call("recover", { address, body: { email: "x" } });
  const spoofed = await call("recover", { address: `198.51.100.7, ${address}`, body: { email: "x" } });
  expect(spoofed.status).toBe(429);
  expect(spoofed.body).toEqual({
    code: 429,
    error_code: "over_request_rate_limit",
    msg: "Request rate limit reached",
  });
});

test("A21 wrong passwords are counted per account over all network addresses, and the owner can still sign in from a known one", async () => {
  const home = freshAddress();
  await signUp(product, "owner");
  expect((await signIn("owner@example.com", "owner-password", home)).status).toBe(200);
  const statuses = [];
  for (let guess = 0; guess < 12; guess += 1)
    statuses.push((await signIn("OWNER@example.com", `guess-${guess}`)).status);
  expect(statuses).toEqual([...Array(10).fill(400), 429, 429]);
  expect((await signIn("owner@example.com", "owner-password")).status).toBe(429);
  expect((await signIn("owner@example.com", "owner-password", home)).status).toBe(200);
});

test("A18 an unknown address and a wrong password get the same answer", async () => {
  const wrong = await signIn("alice@example.com", "not-hers");
  const unknown = await signIn("nobody@example.com", "not-hers");
  expect(unknown.body).toEqual(wrong.body);
  expect([wrong.status, wrong.body.error_code]).toEqual([400, "invalid_credentials"]);
});

test("A18 an unknown address also costs a password hash", async () => {
  const timeOf = async (email: string) => {
    const startedAt = performance.now();
    await signIn(email, "not-hers");
    return performance.now() - startedAt;
  };
  const known: number[] = [];
  const unknown: number[] = [];
  for (let round = 0; round < 9; round += 1) {
    known.push(await timeOf("alice@example.com"));
    unknown.push(await timeOf(`nobody-${round}@example.com`));
  }
  const median = (times: number[]) => times.toSorted((a, b) => a - b)[4] ?? 0;
  // Without the hash the ratio is about twenty to one.
  expect(median(known) / median(unknown)).toBeLessThan(3);
});

test("A19 password resets get the same answer for known and unknown addresses, the first and the second time", async () => {
  const answers = [];
  for (const email of [
    "alice@example.com",
    "alice@example.com",
    "nobody@example.com",
    "nobody@example.com",
  ]) {
    const { status, body } = await call("recover", { body: { email } });
    answers.push({ status, body });
  }
  expect(answers).toEqual(Array(4).fill({ status: 200, body: {} }));
  await expect.poll(() => withoutSignUps(product.mail.mails()).length).toBe(1);
  expect(withoutSignUps(product.mail.mails())[0]?.to).toEqual(["alice@example.com"]);
});

test("A30 a password of 64 characters, with emoji or surrounding spaces, must be entered exactly", async () => {
  for (const [name, password] of [
    ["long", "x".repeat(64)],
    ["emoji", "🏮🏮🏮🏮🏮🏮"],
    ["blanks", " violet harbour "],
  ] as const) {
    expect((await call("signup", { body: { email: `${name}@example.com`, password } })).status).toBe(200);
    expect((await signIn(`${name}@example.com`, password)).status).toBe(200);
    expect((await signIn(`${name}@example.com`, password.trim().slice(0, -1))).status).toBe(400);
  }
});

test("A33 an address in different case is the same account", async () => {
  const answer = await call("signup", {
    body: { email: "ALICE@Example.com", password: "violet-harbour-27" },
  });
  expect([answer.status, answer.body.error_code]).toEqual([422, "user_already_exists"]);
});

test("A20 signing up with a taken address says so: sign-up gives a session at once, so it cannot hide this", async () => {
  const before = await product.database.sql`select * from auth.users order by id`;
  const answer = await call("signup", { body: { email: "alice@example.com", password: "not-alices" } });
  expect([answer.status, answer.body.error_code]).toEqual([422, "user_already_exists"]);
  expect(await product.database.sql`select * from auth.users order by id`).toEqual(before);
});

test("A37 sign-up uses only address, password and data", async () => {
  const forged = {
    id: crypto.randomUUID(),
    user_id: crypto.randomUUID(),
    role: "service_role",
    aud: "admin",
    email_confirmed_at: "2000-01-01",
    is_sso_user: true,
    app_metadata: { provider: "admin" },
    raw_app_meta_data: { provider: "admin" },
  };
  const body = {
    email: "mass@example.com",
    password: "violet-harbour-27",
    ...forged,
    data: { ...forged, full_name: "Mass" },
  };
  expect((await call("signup", { body })).status).toBe(200);
  const [user] = await product.database.sql`
    select id, role, aud, is_sso_user, email_confirmed_at, raw_app_meta_data from auth.users where email = 'mass@example.com'`;
  expect(user).toMatchObject({ role: "authenticated", aud: "authenticated", is_sso_user: false });
  expect(user?.id).not.toBe(forged.id);
  expect(JSON.stringify(user?.raw_app_meta_data)).not.toContain("admin");
  // The link of the sign-up mail has not been opened.
  expect(user?.email_confirmed_at).toBeNull();
});

test("A37 a signed-in person can change their password and data, and nothing else of the account", async () => {
  const person = await signUp(product, "climber");
  const authorization = `Bearer ${(await person.client.auth.getSession()).data.session?.access_token}`;
  const put = (body: object) => call("user", { method: "PUT", headers: { authorization }, body });
  const row = () => product.database.sql`
    select id, role, aud, email, phone, raw_app_meta_data from auth.users where id = ${person.id}`;
  const before = await row();
  const forged = {
    role: "service_role",
    aud: "admin",
    app_metadata: { provider: "admin" },
    id: crypto.randomUUID(),
  };
  expect((await put({ ...forged, data: { full_name: "Climber" } })).status).toBe(200);
  for (const change of [{ email: "other@example.com", data: {} }, { phone: "+34600000000" }]) {
    const answer = await put(change);
    expect([answer.status, answer.body.error_code]).toEqual([422, "validation_failed"]);
  }
  expect((await put({ email: "" })).status).toBe(422);
  expect(await row()).toEqual(before);
});

test("DOOR-12 a body that is not UTF-8 is refused", async () => {
  const answer = await fetch(`${product.url}/auth/v1/signup`, {
    method: "POST",
    headers: { apikey: product.publishableKey, "content-type": "application/json" },
    body: Uint8Array.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
  });
  expect([answer.status, await answer.json()]).toEqual([
    400,
    expect.objectContaining({ error_code: "bad_json" }),
  ]);
});

test("A36 no response of auth or data may be framed", async () => {
  for (const path of ["/auth/v1/settings", "/auth/v1/authorize?provider=google", "/rest/v1/profiles"]) {
    const { headers } = await fetch(`${product.url}${path}`, { redirect: "manual" });
    expect(headers.get("x-frame-options")).toBe("DENY");
    expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
  }
});

test("A34 a form or plain text, which another site's page could send, is refused", async () => {
  for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"]) {
    const answer = await call("signup", {
      headers: { "content-type": type },
      body: '{"email":"csrf@example.com","password":"violet-harbour-27"}',
    });
    expect(answer.status).toBe(415);
  }
});

test("A35 no response can be read by another origin", async () => {
  const headers = { origin: "https://evil.example", "access-control-request-method": "POST" };
  for (const method of ["GET", "OPTIONS"]) {
    const answer = await fetch(`${product.url}/auth/v1/settings`, { method, headers });
    expect([...answer.headers.keys()].filter((name) => name.startsWith("access-control-"))).toEqual([]);
  }
});

test("routes of GoTrue that belong to no feature of a client do not exist", async () => {
  for (const path of ["invite", "admin/users", "generate_link"]) {
    expect((await call(path, { body: {} })).status, path).toBe(404);
  }
  expect((await call(".well-known/openid-configuration", { method: "GET" })).status).toBe(404);
});

test("GoTrue's address of mailed links, which a browser opens, leads to the home page and opens nothing", async () => {
  const answer = await fetch(`${product.url}/auth/v1/verify?token=x&type=recovery`, { redirect: "manual" });
  const home = new URL(answer.headers.get("location") ?? "");
  expect([home.origin, home.searchParams.get("error_code")]).toEqual([
    "http://localhost:3000",
    "otp_expired",
  ]);
  expect(home.hash).not.toContain("token");
});

test("the log of these tests contains no password, address or session", () => {
  const log = product.log();
  expect(log).toContain('"path":"/auth/v1/token"');
  expect(log).not.toMatch(/example\.com|owner-password|violet-harbour-27|eyJ/);
});
