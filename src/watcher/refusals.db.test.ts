import { expect, test } from "vitest";
import { watchStatesOf } from "#telegram/bot/rows/watch-state.ts";
import { runDue, storyForTests } from "#test/watching/story.ts";
import { addPeople, alertsOf, silentLogger, sourcesOf } from "#test/watching/world.ts";
import { BUDGET_NAMES, createRequestBudget } from "./rows/feeds/request-budget.ts";
import { createWatchTasks, type WatchTasks } from "./watch-tasks.ts";

const BARCELONA = "https://www.idealista.com/venta-viviendas/barcelona-barcelona/";
const VALENCIA = "https://www.idealista.com/venta-viviendas/valencia-valencia/";
const MINUTE_MS = 60_000;
const story = storyForTests(3_000);

function processOf(monthlyRequests: number): WatchTasks {
  const { now } = story.clock;
  const budget = createRequestBudget({ sql: story.sql, name: BUDGET_NAMES.official, monthlyRequests, now });
  return createWatchTasks({
    sql: story.sql,
    sources: sourcesOf({
      ...{ portal: story.portal, now, budget, monthlyRequests },
      only: "official",
      sleep: async () => {},
    }),
    checkIntervalSeconds: 600,
    now,
    logger: silentLogger,
  });
}

const budgetRow = async () => {
  const [row] = await story.sql<[{ used: number; refused: number }]>`
    select used::int, refused::int from watch.request_budgets where name = ${BUDGET_NAMES.official}`;
  return row;
};

async function runFor(watch: WatchTasks, minutes: number, stepMs = MINUTE_MS / 4): Promise<void> {
  for (let passedMs = 0; passedMs < minutes * MINUTE_MS; passedMs += stepMs) {
    await runDue(watch);
    story.clock.advance(stepMs);
  }
}

const downs = async () => (await alertsOf(story.sql, ["source-down"])).map(({ payload }) => payload.reason);

test.each([
  ["rate-limited", 100],
  ["server-error", 100],
  ["rate-limited", 100_000],
] as const)(
  "COVER-04 ten minutes of %s with %i requests a month cost none of them",
  async (fault, monthlyRequests) => {
    const watch = processOf(monthlyRequests);
    await addPeople(story.sql, [{ url: BARCELONA }, { url: VALENCIA }]);
    await runDue(watch);
    const before = await budgetRow();
    await story.sql`update watch.feeds set next_check_at = ${new Date(story.clock.now())}`;
    story.portal.faults.set({ fault });
    await runFor(watch, 10);
    const during = await budgetRow();
    expect(during.used).toBe(before.used);
    expect(during.refused).toBeGreaterThan(2);
    expect(during.refused).toBeLessThan(9);
    story.portal.faults.clear();
    const code = story.publish(BARCELONA);
    await runFor(watch, 12);
    expect(await story.kindsOf(code)).toEqual(["new"]);
    expect((await budgetRow()).refused).toBe(during.refused);
    expect(await story.sql`select from watch.feeds where failing_since is not null`).toHaveLength(0);
    expect(await downs()).toEqual([]);
  },
);

test("COVER-04 the person is told of a source that refuses the very first check", async () => {
  const watch = processOf(100);
  const [person] = await addPeople(story.sql, [{ url: BARCELONA }]);
  story.portal.faults.set({ fault: "rate-limited" });
  await runFor(watch, 60, 2 * MINUTE_MS);
  expect(await downs()).toEqual([]);
  await runFor(watch, 4 * 60, 2 * MINUTE_MS);
  expect(await downs()).toEqual(["rate-limited"]);
  const [state] = await watchStatesOf(story.sql, person?.userId ?? "");
  expect(state?.facts).toMatchObject({ failure_reason: "rate-limited", baseline_at: null });
  expect((await budgetRow()).used).toBe(0);
  story.portal.faults.clear();
  await runFor(watch, 66, 2 * MINUTE_MS);
  expect(await alertsOf(story.sql, ["watch-started"])).toHaveLength(1);
});
