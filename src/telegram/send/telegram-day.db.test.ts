import { expect, test } from "vitest";
import { openDatabase } from "#platform/database/open-database.ts";
import { startDeliveryRun } from "#test/delivery/run-delivery.ts";
import { runTelegramDay, type Trouble, troublesOf } from "#test/delivery/telegram-day.ts";
import { createTestDatabase } from "#test/test-database.ts";

async function wrongOf(troubles: readonly Trouble[]): Promise<string[]> {
  const database = await createTestDatabase();
  const sql = openDatabase({ url: database.url, max: 4 });
  const delivery = await startDeliveryRun({ sql, floodControl: true });
  try {
    return await runTelegramDay(delivery, sql, troubles);
  } finally {
    await delivery.close();
    await sql.end();
    await database.drop();
  }
}

const DAY =
  "LAST-01 LAST-02 on a day of refusals, cut answers and floods every alert arrives or is shown as failed";

// Every n-th, so that each answer and each way is among them over time.
test(`${DAY}: some of them`, { timeout: 120_000 }, async () => {
  expect(await wrongOf(troublesOf(29))).toEqual([]);
});

test(`${DAY}: each in each way`, { tags: "long", timeout: 900_000 }, async () => {
  expect(await wrongOf(troublesOf())).toEqual([]);
});
