// The database accepts any link of the portal, so the watcher must not ask a source for one that is not a search.
import { afterAll, beforeAll, expect, test } from "vitest";
import { parseSearchUrl } from "#core/search/url/parse-search-url.ts";
import { HOSTILE_URLS } from "#test/fixtures/hostile-urls.ts";
import { createTestDatabase, type TestDatabase } from "#test/test-database.ts";
import { createStory, type Story } from "#test/watching/story.ts";
import { addPeople } from "#test/watching/world.ts";

const SITE = "https://www.idealista.com/";
const OTHER_PAGES = [
  "alquiler-viviendas/madrid-madrid/mapa",
  "pro/una-agencia/",
  "areas/alquiler-viviendas/?shape=%28%28oyybFvtcc%40rHm",
];

let story: Story;
let database: TestDatabase;

beforeAll(async () => {
  story = await createStory(100);
  database = await createTestDatabase();
  story.open(database.url);
});

afterAll(async () => {
  await story.end();
  await story.portal.close();
  await database.drop();
});

test("DATA-03 a saved page of the portal that is not a search is reported as such and costs no request", async () => {
  const hostile = HOSTILE_URLS.map(([, url]) => url).filter((url) =>
    /^https:\/\/www\.idealista\.com\/(?!inmueble\/)[\w.~:/?#@!$&()*+,;=%-]{1,2022}$/.test(url),
  );
  const urls = [...new Set([...OTHER_PAGES.map((path) => SITE + path), ...hostile])].filter(
    (url) => !parseSearchUrl(url).ok,
  );
  expect(urls.length).toBeGreaterThan(8);
  await addPeople(
    story.sql,
    urls.map((url) => ({ url })),
  );
  await story.round(story.rounds());
  const rows =
    await story.sql`select filter_url, problem, feed_key from watch.compiled_searches order by filter_url`;
  expect(rows).toEqual(
    urls.sort().map((url) => ({ filter_url: url, problem: "not-a-search", feed_key: null })),
  );
  expect(await story.sql`select key from watch.feeds`).toEqual([]);
});
