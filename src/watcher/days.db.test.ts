import { expect, test } from "vitest";
import { createTestDatabase } from "#test/test-database.ts";
import { liveDays } from "#test/watching/days.ts";
import { createStory } from "#test/watching/story.ts";

const ROUNDS = 60;

test("WATCH-02 during outages of portal and database: detected = sent + undeliverable + waiting", {
  tags: "long",
}, async () => {
  const story = await createStory(2_000, 500);
  const database = await createTestDatabase();
  story.open(database.url);
  const report = await liveDays(story, database.url, ROUNDS);
  await story.end();
  await story.portal.close();
  await database.sql.end({ timeout: 0 });
  await database.drop();
  expect(report.lost).toEqual([]);
  expect(report.doubled).toBe(0);
  expect(report.detected).toBe(report.told + report.undeliverable + report.waiting);
  expect(report.owed).toBeGreaterThan(20);
  expect(report.failedChecks).toBeGreaterThan(0);
  expect(report.databaseOutages).toBeGreaterThan(0);
});
