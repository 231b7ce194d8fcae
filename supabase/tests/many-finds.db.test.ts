import type { Sql } from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDatabase } from "#platform/database/open-database.ts";
import { createTestDatabase, type TestDatabase } from "#test/test-database.ts";
import { addManyFinds, touchedRows } from "#test/watching/many-finds.ts";

const QUESTIONS = [
  "my_finds('{}')",
  `my_finds('{"order": "price", "state": "gone"}', 'price 1 x')`,
  `my_finds('{"order": "cheaper-than-zone", "zone": "zone-1"}')`,
  "my_find_points()",
  "my_find('1-7')",
];
const OWN = 300;
const databases: TestDatabase[] = [];

async function readsBeside(others: number) {
  const database = await createTestDatabase();
  databases.push(database);
  const sql: Sql = openDatabase({ url: database.url, max: 1 });
  const person = await addManyFinds(sql, { own: OWN, others });
  const reads = [];
  for (const question of QUESTIONS) reads.push(await touchedRows(sql, person, question));
  await sql.end();
  return reads;
}

afterAll(() => Promise.all(databases.map((database) => database.drop())));

let reads: Awaited<ReturnType<typeof readsBeside>>;
beforeAll(async () => {
  reads = await readsBeside(20_000);
});

test.each(QUESTIONS.map((question, n) => [question, n] as const))(
  "FIND-01 %s scans no whole table and reads only the person's own rows, whatever others have found",
  (question, n) => {
    const big = ["listings", "portal_listings", "prices", "feed_listings", "marks", "alerts"];
    const touched = reads[n]?.filter(({ name }) => big.includes(name)) ?? [];
    expect(touched.length).toBeGreaterThan(1);
    for (const { name, scans, read } of touched) {
      expect([name, scans]).toEqual([name, 0]);
      // A home's details also read its zone, which has four hundred homes of others here.
      expect([name, read <= 2 * OWN + 450]).toEqual([name, true]);
      if (!question.startsWith("my_find(")) expect([name, read <= 2 * OWN + 24]).toEqual([name, true]);
    }
  },
);
