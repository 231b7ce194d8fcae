import type { Sql, TransactionSql } from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase } from "#test/test-database.ts";
import { createStory, runDue, type Story } from "#test/watching/story.ts";
import { addPeople, silentLogger, sourcesOf } from "#test/watching/world.ts";
import { readSearchesSince } from "../rows/feeds/searches.ts";
import { createWatchTasks } from "../watch-tasks.ts";

const RETIRO = "https://www.idealista.com/venta-viviendas/madrid/retiro/";
let story: Story;

beforeAll(async () => {
  story = await createStory(2_000);
});
afterAll(() => story.portal.close());

/** A database that runs a hook before every statement, in transactions too. */
function before<Db extends Sql | TransactionSql>(db: Db, hook: () => void): Db {
  return new Proxy(db, {
    apply: (target, self, [strings, ...values]) => {
      // Also called for fragments of statements, which does no harm.
      hook();
      return Reflect.apply(target, self, [strings, ...values]);
    },
    get: (target, name) => {
      if (name !== "begin") return Reflect.get(target, name);
      return (inside: (db: TransactionSql) => Promise<unknown>) =>
        (target as Sql).begin((transaction) => inside(before(transaction, hook)));
    },
  });
}

test.each([
  ["the official API", RETIRO, "official"],
  ["an API by URL", RETIRO, "by-url"],
] as const)(
  "DOOR-13 dropping the indexes between any two statements of a check of %s loses no alert",
  async (_, url, only) => {
    const database = await createTestDatabase();
    story.open(database.url);
    await addPeople(story.sql, [{ url }]);
    const rounds = createWatchTasks({
      sql: before(story.sql, () => rounds.forgetIndexes()),
      sources: sourcesOf({ portal: story.portal, now: story.clock.now, only }),
      checkIntervalSeconds: 600,
      now: story.clock.now,
      logger: silentLogger,
    });
    await runDue(rounds);
    const code = story.publish(url);
    story.clock.advance(630_000);
    await runDue(rounds);
    expect(await story.kindsOf(code)).toEqual(["new"]);
    await story.end();
    await database.drop();
  },
);

test("RUN-07 the searches of a feed are read in pages, each search once, whatever revision it came with", async () => {
  const database = await createTestDatabase();
  story.open(database.url);
  const rounds = createWatchTasks({
    ...{
      sql: story.sql,
      sources: sourcesOf({ portal: story.portal, now: story.clock.now, only: "official" }),
    },
    ...{ checkIntervalSeconds: 600, now: story.clock.now, logger: silentLogger },
  });
  const ids: string[] = [];
  for (const count of [2, 3]) {
    const people = await addPeople(
      story.sql,
      Array.from({ length: count }, () => ({ url: RETIRO })),
    );
    ids.push(...people.map(({ filterId }) => filterId).sort());
    await rounds.compile();
  }
  const [feed] = await story.sql`select key, revision from watch.feeds`;
  const pages: string[][] = [];
  for await (const page of readSearchesSince(story.sql, feed?.key, 0, 2)) {
    pages.push(page.map(({ filterId }) => filterId));
  }
  expect(pages.map(({ length }) => length)).toEqual([2, 2, 1]);
  expect(pages.flat()).toEqual(ids);
  for await (const page of readSearchesSince(story.sql, feed?.key, feed?.revision, 2))
    expect(page).toEqual([]);
  await story.end();
  await database.drop();
});
