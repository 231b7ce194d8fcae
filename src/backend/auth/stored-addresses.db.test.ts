import { expect, test } from "vitest";
import { createTestDatabase } from "#test/test-database.ts";
import { storeDomainsInAscii } from "./stored-addresses.ts";

test("TIME-06 accounts of earlier versions are found by the address in ASCII, and no address is given twice", async () => {
  const database = await createTestDatabase();
  const { sql } = database;
  const add = async (email: string) => {
    await sql`insert into auth.users (id, email, encrypted_password) values (gen_random_uuid(), ${email}, 'x')`;
  };
  for (const email of [
    "ana@señal.example",
    "taken@señal.example",
    "taken@xn--seal-hqa.example",
    "ñu@plain.example",
  ])
    await add(email);
  await storeDomainsInAscii(sql);
  await storeDomainsInAscii(sql);
  const rows = await sql<{ email: string; shown: string }[]>`
    select users.email, profiles.email as shown from auth.users join public.profiles using (id) order by users.email collate "C"`;
  expect(rows.map(({ email, shown }) => [email, shown])).toEqual(
    ["ana@xn--seal-hqa.example", "taken@señal.example", "taken@xn--seal-hqa.example", "ñu@plain.example"].map(
      (one) => [one, one],
    ),
  );
  await database.drop();
});
