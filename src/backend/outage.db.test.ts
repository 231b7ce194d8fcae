import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { signUp } from "#test/cast.ts";
import { startTestProduct, type TestProduct } from "#test/test-product.ts";

let product: TestProduct;

beforeAll(async () => {
  product = await startTestProduct();
});

afterAll(() => product.stop());

test("while the database is down requests get a retryable error and nobody is signed out", async () => {
  const { client } = await signUp(product, "alice");
  const session = (await client.auth.getSession()).data.session;
  const headers = {
    apikey: product.publishableKey,
    authorization: `Bearer ${session?.access_token}`,
    "content-type": "application/json",
  };
  const ask = async (path: string, body?: object) => {
    const sent = body ? { method: "POST", body: JSON.stringify(body) } : {};
    const answer = await fetch(`${product.url}${path}`, { headers, ...sent });
    await answer.text();
    return [answer.status, answer.headers.get("retry-after")];
  };
  await product.database.shut();
  const refusals = [
    await ask("/rest/v1/filter_settings?select=*"),
    await ask("/auth/v1/user"),
    await ask("/auth/v1/token?grant_type=refresh_token", { refresh_token: session?.refresh_token }),
    await ask("/auth/v1/token?grant_type=password", { email: "alice@example.com", password: "x" }),
  ];
  await product.database.reopen();
  expect(refusals).toEqual(Array(4).fill([503, "1"]));
  const { data, error } = await client.auth.refreshSession();
  expect({ error, person: data.user?.email }).toEqual({ error: null, person: "alice@example.com" });
});

test("a sign-in whose connection is cut affects neither other sign-ins nor the process", async () => {
  const signIn = (name: string) =>
    product.createClient().auth.signInWithPassword({
      email: `${name}@example.com`,
      password: `${name}-password`,
    });
  await signUp(product, "held");
  const { sql } = product.database;
  // The mail of the sign-up writes to the account too, and would wait for the lock in its place.
  await vi.waitFor(async () => {
    const mailed = await sql`
      select from auth.users where email = 'held@example.com' and confirmation_sent_at is not null`;
    expect(mailed).toHaveLength(1);
  });
  let cut: Promise<{ error: unknown }> | undefined;
  await sql.begin(async (transaction) => {
    await transaction`select from auth.users where email = 'held@example.com' for update`;
    cut = signIn("held");
    await vi.waitFor(async () => {
      const ended = await sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`;
      expect(ended).toHaveLength(1);
    }, 60_000);
  });
  expect((await cut)?.error).not.toBeNull();
  const after = [];
  for (let turn = 0; turn < 3; turn += 1) after.push((await signIn("held")).error);
  expect(after).toEqual([null, null, null]);
});
