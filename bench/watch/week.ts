// A week on a held clock with outages of portal and database: detected = told + not deliverable + waiting, nothing lost.

import { startMigratedPostgres } from "#test/migrated-postgres.ts";
import { liveDays } from "#test/watching/days.ts";
import { createStory } from "#test/watching/story.ts";

const ROUNDS_A_WEEK = 7 * 24 * 6;

const databases = await startMigratedPostgres();
const story = await createStory(6_000, 400);
try {
  const url = await databases.create();
  story.open(url);
  const { lost, ...report } = await liveDays(story, url, ROUNDS_A_WEEK);
  console.table({ ...report, lost: lost.length });
  const isConserved = report.detected === report.told + report.undeliverable + report.waiting;
  if (!isConserved || lost.length > 0 || report.doubled > 0 || report.owed === 0) {
    console.error(`The week does not add up; lost: ${lost.slice(0, 5).join("; ")}`);
    process.exitCode = 1;
  }
} finally {
  await story.end();
  await story.portal.close();
  await databases.stop();
}
