import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#test/test-database.ts";
import { moveDayOn } from "./day-on.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test("EASY-06 a day later everything is a day older, and nothing else has changed", async () => {
  const { sql } = database;
  const person = randomUUID();
  await sql`insert into auth.users (id, email) values (${person}, 'ana@example.com')`;
  await sql`
    insert into public.filter_settings (user_id, filter_url, receiver_ids)
    values (${person}, 'https://www.idealista.com/alquiler-viviendas/madrid/chamberi/', '{501}')`;
  const rows = async () => {
    const [row] = await sql<{ search: object; ageMs: number }[]>`
      select to_jsonb(searches) - 'created_at' - 'updated_at' as search,
        extract(epoch from now() - created_at) * 1000 as "ageMs"
      from public.searches where user_id = ${person}`;
    return { search: row?.search ?? {}, ageMs: Number(row?.ageMs) };
  };
  const before = await rows();
  await moveDayOn(sql);
  const after = await rows();
  expect(after.ageMs - before.ageMs).toBeGreaterThanOrEqual(86_400_000);
  expect(after.ageMs - before.ageMs).toBeLessThan(86_460_000);
  const times = ({ search }: { search: object }) =>
    Object.fromEntries(Object.entries(search).filter(([name]) => !/_at$|_until$/.test(name)));
  expect(times(after)).toEqual(times(before));
});
