import { availableParallelism } from "node:os";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { signUp } from "#test/cast.ts";
import { startTestProduct, type TestProduct } from "#test/test-product.ts";
import { passwordHashes } from "./hash-threads.ts";

let product: TestProduct;

beforeAll(async () => {
  product = await startTestProduct({ TRUSTED_PROXIES: "1" });
});

afterAll(() => product.stop());

const signIn = (name: string, password = `${name}-password`) =>
  product.createClient().auth.signInWithPassword({ email: `${name}@example.com`, password });

test("a sign-in that waits for the database does not delay others", async () => {
  // As many as may hash at once: each has hashed and waits for a write.
  const held = Array.from({ length: Math.max(1, availableParallelism() - 1) }, (_, n) => `held-${n}`);
  await Promise.all([signUp(product, "bob"), ...held.map((name) => signUp(product, name))]);
  const { sql } = product.database;
  const isBobFirst = () =>
    sql.begin(async (transaction) => {
      await transaction`select from auth.users where email like 'held-%' for update`;
      const waiting = held.map((name) => signIn(name).then(() => "held"));
      await vi.waitFor(async () => {
        const [row] = await sql`
          select count(*)::int as count from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`;
        expect(row?.count).toBe(held.length);
      }, 60_000);
      return (await Promise.race([signIn("bob").then(() => "bob"), ...waiting])) === "bob";
    });
  // On a slow machine their five seconds can end before Bob's sign-in does.
  await expect.poll(isBobFirst, { timeout: 100_000, interval: 1 }).toBe(true);
});

test("a sign-in costs one hash, for right and wrong passwords and for unknown accounts", async () => {
  await signUp(product, "alice");
  const compare = vi.spyOn(passwordHashes, "compare");
  await signIn("alice");
  await signIn("alice", "not-hers");
  await signIn("nobody");
  expect(compare).toHaveBeenCalledTimes(3);
  compare.mockRestore();
});

test("accounts are found by address with an index", async () => {
  await product.database.sql.begin(async (sql) => {
    await sql`set local enable_seqscan = off`;
    const plan = await sql`explain select * from auth.users where email = 'alice@example.com'`;
    expect(JSON.stringify(plan)).not.toContain("Seq Scan");
  });
});
