import { expect, test } from "vitest";
import { openDatabase } from "#platform/database/open-database.ts";
import { startDeliveryRun } from "#test/delivery/run-delivery.ts";
import { mixedTroubles, runTelegramDay, type Trouble, troublesOf } from "#test/delivery/telegram-day.ts";
import { SEQUENCE_SEED, seeded } from "#test/seeded.ts";
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

test(`${DAY}: answers drawn for each chat (seed ${SEQUENCE_SEED})`, { timeout: 120_000 }, async () => {
  expect(await wrongOf(mixedTroubles(seeded(SEQUENCE_SEED), 20))).toEqual([]);
});

test(`${DAY}: answers drawn for many chats (seed ${SEQUENCE_SEED})`, {
  tags: "long",
  timeout: 900_000,
}, async () => {
  const random = seeded(SEQUENCE_SEED);
  for (let day = 0; day < 10; day += 1) expect(await wrongOf(mixedTroubles(random, 40))).toEqual([]);
});
