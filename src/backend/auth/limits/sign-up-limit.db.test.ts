import { beforeAll, expect, test } from "vitest";
import type { GoogleSimulator } from "#simulators/google/google-simulator.ts";
import { openGoogleBrowser, startGoogleProduct } from "#test/sign-in/google-browser.ts";
import { createTestDatabase } from "#test/test-database.ts";
import type { TestProduct } from "#test/test-product.ts";
import { createSignUpLimit } from "./sign-up-limit.ts";

const PER_DAY = 3;

let google: GoogleSimulator;
let product: TestProduct;

beforeAll(async () => {
  const started = await startGoogleProduct({ SIGN_UPS_PER_ADDRESS_PER_DAY: String(PER_DAY) });
  ({ google, product } = started);
  return started.stop;
});

const signUp = (client: ReturnType<TestProduct["createClient"]>, name: string) =>
  client.auth.signUp({ email: `${name}@example.com`, password: `${name}-password` });

test("DOOR-03 an address can create as many accounts a day as configured and is then refused with a message; others are not", async () => {
  const client = product.createClient();
  for (const name of ["ann", "ben", "cat"]) expect((await signUp(client, name)).error).toBeNull();
  const { error } = await signUp(client, "dan");
  expect(error).toMatchObject({ status: 429, code: "over_sign_up_rate_limit" });
  expect((await signUp(product.createClient(), "dan")).error).toBeNull();
  // Existing accounts can still sign in.
  expect(
    (await client.auth.signInWithPassword({ email: "ann@example.com", password: "ann-password" })).error,
  ).toBeNull();
});

test("DOOR-03 a sign-up that creates no account does not count", async () => {
  const client = product.createClient();
  expect((await signUp(client, "eve")).error).toBeNull();
  for (let attempt = 0; attempt < PER_DAY + 1; attempt += 1) {
    expect((await signUp(client, "eve")).error?.code).toBe("user_already_exists");
  }
  expect((await signUp(client, "fay")).error).toBeNull();
});

test("DOOR-03 concurrent sign-ups create no more accounts than configured", async () => {
  const client = product.createClient();
  const answers = await Promise.all(
    ["gus", "hal", "ida", "jon", "kim", "leo"].map((name) => signUp(client, name)),
  );
  expect(answers.filter(({ error }) => error === null)).toHaveLength(PER_DAY);
});

test("DOOR-03 an account created by Google counts, and an existing one can sign in when the limit is reached", async () => {
  const browser = openGoogleBrowser(product);
  const people = await Promise.all(
    [1, 2, 3, 4].map((number) => google.addPerson({ email: `visitor-${number}@gmail.example` })),
  );
  const [first, second, third, fourth] = people;
  for (const person of [first, second, third]) {
    expect((await browser.signIn({ email: person?.email ?? "" })).said.access_token).toBeTruthy();
  }
  expect((await browser.signIn({ email: fourth?.email ?? "" })).said).toMatchObject({
    error: "access_denied",
    error_code: "over_sign_up_rate_limit",
  });
  expect((await browser.signIn({ email: first?.email ?? "" })).said.access_token).toBeTruthy();
  const [made] = await product.database.sql`
    select count(*)::int as count from auth.users where email like 'visitor-%'`;
  expect(made?.count).toBe(PER_DAY);
});

test("DOOR-03 the count survives a restart, is shared by processes, expires after a day and contains no address", async () => {
  const database = await createTestDatabase();
  let now = Date.parse("2026-11-20T23:50:00Z");
  const start = () => createSignUpLimit({ sql: database.sql, perDay: 2, secret: "any", now: () => now });
  const isLetIn = async () => (await start().reserve("192.0.2.1")) !== undefined;
  expect([await isLetIn(), await isLetIn(), await isLetIn()]).toEqual([true, true, false]);
  // Midnight does not reset it.
  now += 20 * 60_000;
  expect(await isLetIn()).toBe(false);
  now += 24 * 60 * 60_000;
  expect(await isLetIn()).toBe(true);
  const rows = await database.sql`select address from private.sign_ups`;
  expect(rows).toEqual([{ address: expect.not.stringContaining("192.0.2.1") }]);
  await database.drop();
});

test("DOOR-03 people can neither read nor write the count", async () => {
  const open = await product.database.sql`
    select role from unnest(array['anon', 'authenticated', 'service_role']) as role
    where has_table_privilege(role, 'private.sign_ups', 'select, insert, update, delete')`;
  expect(open).toEqual([]);
});
