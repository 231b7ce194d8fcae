import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { readFigures } from "#server/monitoring/rows/figures.ts";
import { createTestDatabase } from "#test/test-database.ts";
import { createStory, runDue, type Story } from "#test/watching/story.ts";
import { addPeople, silentLogger, sourcesOf } from "#test/watching/world.ts";
import { createWatchTasks } from "./watch-tasks.ts";

const RETIRO = "https://www.idealista.com/venta-viviendas/madrid/retiro/con-terraza/";
let story: Story;
let warned: object[];

beforeAll(async () => {
  story = await createStory(3_000);
});
afterAll(() => story.portal.close());
beforeEach(async () => {
  const database = await createTestDatabase();
  story.open(database.url);
  warned = [];
  await addPeople(story.sql, [{ url: RETIRO }]);
  return async () => {
    await story.end();
    await database.drop();
  };
});

const defects = async () => (await readFigures(story.sql, new Date(story.clock.now()))).losses;

test("DOOR-16 unreadable adverts are counted by invalid field across all processes, and logged once per check", async () => {
  const rounds = [1, 2].map(() =>
    story.rounds({ only: "official", onWarning: (fields) => warned.push(fields) }),
  );
  await story.round(rounds[0]);
  expect(await defects()).toEqual([]);
  expect(warned).toEqual([]);
  story.portal.faults.set({ fault: "price-as-string", elements: "one" });
  await story.round(rounds[0]);
  story.portal.faults.clear();
  story.portal.faults.set({ fault: "missing-id", elements: "one" });
  story.portal.faults.set({ fault: "price-as-string", elements: "one" });
  await story.round(rounds[1]);
  await story.round(rounds[0]);
  expect(await defects()).toEqual([
    { source: "official", kind: "unread-listing", reason: "price", count: expect.any(Number) },
    { source: "official", kind: "unread-listing", reason: "propertyCode", count: expect.any(Number) },
  ]);
  expect(warned).toHaveLength(3);
  expect(warned[0]).toEqual({
    feed: expect.stringContaining("official sale homes"),
    defects: [{ kind: "unread-listing", reason: "price", count: expect.any(Number) }],
  });
  // The log contains field names, not values.
  expect(JSON.stringify(warned)).not.toContain("€");
});

test("DOOR-16 a filter that the source ignored is counted by name", async () => {
  const { official } = sourcesOf({ portal: story.portal, now: story.clock.now });
  if (!official) throw new Error("The official source is always there");
  const misspelt = { parameter: "misspelt", value: "true" } as never;
  const rounds = createWatchTasks({
    sql: story.sql,
    sources: {
      official: {
        ...official,
        source: {
          ...official.source,
          readPage: (query, window, signal) =>
            official.source.readPage({ ...query, filters: [...query.filters, misspelt] }, window, signal),
        },
      },
    },
    checkIntervalSeconds: 600,
    now: story.clock.now,
    logger: { ...silentLogger, warn: (fields) => warned.push(fields) },
  });
  await runDue(rounds);
  const all = await defects();
  expect(all).toEqual([
    { source: "official", kind: "filter-not-applied", reason: "terrance", count: expect.any(Number) },
  ]);
  expect(warned).toMatchObject([{ defects: [{ kind: "filter-not-applied", reason: "terrance" }] }]);
});

test("DOOR-16 gaps in readings are counted", async () => {
  const rounds = createWatchTasks({
    sql: story.sql,
    sources: sourcesOf({ portal: story.portal, now: story.clock.now }),
    pages: { newest: 1 },
    checkIntervalSeconds: 600,
    now: story.clock.now,
    logger: { ...silentLogger, warn: (fields) => warned.push(fields) },
  });
  await runDue(rounds);
  for (let n = 0; n < 60; n++) story.publish(RETIRO);
  story.clock.advance(630_000);
  await runDue(rounds);
  expect(await defects()).toEqual([{ source: "official", kind: "gap", reason: "page-limit", count: 1 }]);
});

test("DOOR-16 unreadable adverts of a full scan are counted too", async () => {
  const rounds = story.rounds({ only: "official" });
  await story.round(rounds);
  story.clock.advance(86_400_000);
  await rounds.setIntervals();
  story.portal.faults.set({ fault: "price-as-string", elements: "one", times: 1 });
  expect(await rounds.readDeeper(new AbortController().signal)).toBeGreaterThan(0);
  expect(await defects()).toEqual([
    { source: "official", kind: "unread-listing", reason: "price", count: 1 },
  ]);
});
