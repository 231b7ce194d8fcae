import { expect, test } from "vitest";
import { storyForTests } from "#test/watching/story.ts";
import { addPeople } from "#test/watching/world.ts";

const story = storyForTests(100);

test("all stale filters are compiled, also if they do not fit in one batch", async () => {
  const url = "https://www.idealista.com/venta-viviendas/madrid/retiro/";
  for (let group = 0; group < 11; group += 1) await addPeople(story.sql, Array(100).fill({ url }));
  const rounds = story.rounds();
  expect(await rounds.compile()).toBe(1_100);
  const compiled = await story.sql`select from watch.compiled_searches where feed_key is not null`;
  expect(compiled.length).toBe(1_100);
  expect(await rounds.compile()).toBe(0);
});
