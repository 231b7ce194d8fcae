// What a page of finds costs, with more finds of one's own and with those of many others beside them; and how many rows the
// question touches, which other people's must not change. Sizes may be given: `finds.ts 100 5000 / 0 100000`.
import type { Sql } from "postgres";
import { openDatabase } from "#platform/database/open-database.ts";
import { startMigratedPostgres } from "#test/migrated-postgres.ts";
import { addManyFinds, asPerson, touchedRows } from "#test/watching/many-finds.ts";

const QUESTIONS = {
  "first page": "my_finds('{}')",
  "next page": "my_finds('{}', 'newest -1 x')",
  "by price": `my_finds('{"order": "price"}')`,
  "against zone": `my_finds('{"order": "cheaper-than-zone"}')`,
  gone: `my_finds('{"state": "gone"}')`,
  points: "my_find_points('{}')",
  one: "my_find('1-7')",
};
const TIMES = 9;
const MS_ALLOWED = 120;

async function middleMs(sql: Sql, person: string, question: string): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < TIMES; n += 1) {
    await asPerson(sql, person, async (db) => {
      const from = performance.now();
      await db.unsafe(`select public.${question}`);
      times.push(performance.now() - from);
    });
  }
  return times.toSorted((a, b) => a - b)[(TIMES - 1) / 2] ?? 0;
}

const numbers = (words: string[], otherwise: number[]) => (words.length > 0 ? words.map(Number) : otherwise);
const words = process.argv.slice(2);
const slash = words.includes("/") ? words.indexOf("/") : words.length;
const owns = numbers(words.slice(0, slash), [100, 1_000, 5_000]);
const others = numbers(words.slice(slash + 1), [0, 100_000]);

const databases = await startMigratedPostgres();
try {
  const rows = [];
  for (const of of others) {
    for (const own of owns) {
      const sql = openDatabase({ url: await databases.create(), max: 2 });
      const person = await addManyFinds(sql, { own, others: of });
      const row: Record<string, number> = { own, others: of };
      for (const [name, question] of Object.entries(QUESTIONS)) {
        row[`${name} ms`] = Number((await middleMs(sql, person, question)).toFixed(1));
      }
      const touched = await touchedRows(sql, person, "my_finds('{}')");
      row["rows touched"] = touched.reduce((sum, { read }) => sum + read, 0);
      row["sequential scans"] = touched.filter(({ scans }) => scans > 0).length;
      rows.push(row);
      await sql.end();
    }
  }
  console.table(rows);
  if (rows.some((row) => (row["first page ms"] ?? 0) > MS_ALLOWED)) {
    console.error(`A first page took more than ${MS_ALLOWED} ms`);
    process.exitCode = 1;
  }
  for (const own of owns) {
    const read = rows.filter((row) => row.own === own).map((row) => row["rows touched"] ?? 0);
    // The planner may go another way through one's own rows; through everybody's it would be a thousand times as many.
    if (Math.max(...read) > 2 * Math.min(...read)) {
      console.error(`Other people's finds changed how many rows ${own} own ones touch: ${read}`);
      process.exitCode = 1;
    }
  }
} finally {
  await databases.stop();
}
