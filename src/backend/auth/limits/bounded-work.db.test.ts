// What one caller can make the auth service do or an account hold is bounded.
import { availableParallelism } from "node:os";
import { decodeJwt } from "jose";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { startTestAuth, type TestAuth } from "#test/test-auth.ts";
import { passwordHashes } from "../passwords/hash-threads.ts";

let tested: TestAuth;

beforeAll(async () => {
  tested = await startTestAuth();
});

afterAll(() => tested.stop());

afterEach(() => vi.restoreAllMocks());

const PASSWORD = "a-long-password";

const signUp = (email: string, address: string, data?: object) =>
  tested.send("signup", { body: { email, password: PASSWORD, ...(data ? { data } : {}) }, address });

const signIn = (email: string, address: string, password = PASSWORD) =>
  tested.send("token?grant_type=password", { body: { email, password }, address });

/** Replaces the comparison of passwords, which takes a tenth of a second. */
const compareBy = (act: (password: string) => Promise<boolean>) =>
  vi.spyOn(passwordHashes, "compare").mockImplementation(((password: string) => act(password)) as never);

test("TIME-07 beyond a bounded queue passwords are refused at once, and an account's known address goes first", async () => {
  const home = "192.0.2.77";
  expect((await signUp("known@example.com", home)).status).toBe(200);
  const atOnce = Math.max(1, availableParallelism() - 1);
  const waiting = 24 * atOnce;
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  const compared: string[] = [];
  compareBy(async (password) => {
    await opened;
    compared.push(password);
    return password === PASSWORD;
  });
  const answers: Response[] = [];
  const flood = Array.from({ length: waiting + atOnce + 20 }, async (_, n) => {
    answers.push(await signIn(`nobody-${n}@example.com`, `198.18.${n % 200}.1`, "wrong"));
  });
  await expect.poll(() => answers.length).toBe(20);
  for (const { status, headers } of answers) expect([status, headers.get("retry-after")]).toEqual([429, "5"]);
  const before = await writesOf();
  expect((await signIn("nobody@example.com", "198.19.1.1", "wrong")).status).toBe(429);
  expect(await writesOf()).toEqual(before);
  const honest = signIn("known@example.com", home);
  // Its guess has been counted, so it waits for its turn.
  await expect.poll(async () => (await writesOf()).length).toBeGreaterThan(before.length);
  await tested.send("health", { method: "GET" });
  open();
  expect((await honest).status).toBe(200);
  await Promise.all(flood);
  expect(compared.indexOf(PASSWORD)).toBeLessThanOrEqual(2 * atOnce);
  expect(compared).toHaveLength(waiting + atOnce + 1);
});

/** The counts of guesses, and the transactions that wrote them. */
const writesOf = () => tested.database.sql`
  select key, tokens, xmin::text as "writtenBy" from private.guard_allowances order by key`;

test("TIME-07 wrong passwords are counted per network, for known and unknown accounts alike", async () => {
  const home = "203.0.113.200";
  expect((await signUp("neighbour@example.com", home)).status).toBe(200);
  expect((await signUp("elsewhere@example.com", "192.0.2.9")).status).toBe(200);
  compareBy(async (password) => password === PASSWORD);
  for (let n = 0; n < 100; n += 1) {
    const answer = await signIn(`stranger-${n}@example.com`, `203.0.113.${n}`, "wrong");
    expect(answer.status).toBe(400);
  }
  expect((await signIn("another@example.com", "203.0.113.150", "wrong")).status).toBe(429);
  // Otherwise the answer would tell that this one exists.
  expect((await signIn("elsewhere@example.com", "203.0.113.150", "wrong")).status).toBe(429);
  expect((await signIn("neighbour@example.com", home)).status).toBe(200);
  expect((await signIn("elsewhere@example.com", "203.0.114.1")).status).toBe(200);
});

test("TIME-07 nothing that a person chooses is in their token, and its size is counted in bytes", async () => {
  const data = { full_name: "漢".repeat(1_300) };
  const made = (await (await signUp("long@example.com", "192.0.2.10", data)).json()) as {
    access_token: string;
    user: { user_metadata: object };
  };
  expect(made.user.user_metadata).toMatchObject(data);
  expect(decodeJwt(made.access_token)).not.toHaveProperty("user_metadata");
  expect(made.access_token.length).toBeLessThan(1_500);
  const headers = { authorization: `Bearer ${made.access_token}` };
  const user = await tested.send("user", { method: "GET", headers });
  expect(await user.json()).toMatchObject({ user_metadata: data });
  const tooLong = await signUp("longer@example.com", "192.0.2.11", { full_name: "漢".repeat(1_400) });
  expect(await tooLong.json()).toMatchObject({ msg: "User data is too large" });
  const body = { data: { more: "漢".repeat(1_400) } };
  const merged = await tested.send("user", { method: "PUT", headers, body });
  expect(await merged.json()).toMatchObject({ msg: "User data is too large" });
});
