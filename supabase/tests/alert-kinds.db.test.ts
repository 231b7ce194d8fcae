import { afterAll, beforeAll, expect, test } from "vitest";
import { ALERT_KINDS } from "#core/alert/alert-kinds.ts";
import { createTestDatabase, type TestDatabase } from "#test/test-database.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(() => database.drop());

test("the alert kinds in the database match those in the code", async () => {
  const rows = await database.sql`select * from watch.alert_kinds order by kind collate "C"`;
  expect(rows).toEqual(
    Object.entries(ALERT_KINDS)
      .sort()
      .map(([kind, rules]) => ({
        kind,
        is_about_listing: rules.isAboutListing,
        is_offer: rules.isOffer,
        is_holdable: rules.isHoldable,
        is_question: rules.isQuestion,
      })),
  );
});
