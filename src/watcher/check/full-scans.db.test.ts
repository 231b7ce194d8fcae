import { expect, test } from "vitest";
import { type Source, SourceError } from "#core/ports/source.ts";
import type { OfficialQuery } from "#core/search/official-request.ts";
import { runDue, storyForTests } from "#test/watching/story.ts";
import { addPeople, alertsOf, silentLogger, sourcesOf } from "#test/watching/world.ts";
import { createRequestBudget } from "../rows/feeds/request-budget.ts";
import { createWatchTasks, type WatchTasks } from "../watch-tasks.ts";

const SITE = "https://www.idealista.com";
const MADRID = `${SITE}/venta-viviendas/madrid-madrid/`;
const DAY_MS = 86_400_000;
/** Each is a feed of its own with more pages than a full scan reads. */
const LONG_LISTS = [
  MADRID,
  `${SITE}/alquiler-viviendas/madrid-madrid/`,
  `${SITE}/alquiler-habitacion/madrid-madrid/`,
  ...["terraza", "piscina", "aireacondicionado", "trastero"].map((wish) => `${MADRID}con-${wish}/`),
];
const story = storyForTests(20_000);

type ReadPage = Source<OfficialQuery>["readPage"];

/** A process whose page reads are observed or disturbed. */
function processOf(around: (readPage: ReadPage) => ReadPage): WatchTasks {
  const { official } = sourcesOf({ portal: story.portal, now: story.clock.now });
  if (!official) throw new Error("The official source is always there");
  return createWatchTasks({
    sql: story.sql,
    sources: {
      official: { ...official, source: { ...official.source, readPage: around(official.source.readPage) } },
    },
    checkIntervalSeconds: 600,
    now: story.clock.now,
    logger: silentLogger,
  });
}

test("DOOR-15 a full scan that is interrupted repeatedly continues where it stopped, and completes", async () => {
  const rounds = processOf((readPage) => {
    let left = 4;
    return async (...asked) => {
      // Every fifth page is refused.
      if (left === 0) {
        left = 4;
        throw new SourceError("idealista-api", "rate-limited", { retryAfterMs: 1_000 });
      }
      left -= 1;
      return await readPage(...asked);
    };
  });
  const code = story.publish(MADRID, { priceEur: 400_000 });
  await addPeople(story.sql, [{ url: MADRID }]);
  await story.round();
  for (let i = 0; i < 120; i++) story.publish(MADRID);
  await story.round();
  story.portal.market.changePrice(story.advert(code), 360_000);
  story.clock.advance(DAY_MS);
  story.portal.ledger.clear();
  for (let n = 0; n < 10; n++) await story.round(rounds);
  expect(await story.kindsOf(code)).toEqual(["price-drop"]);
  expect(await alertsOf(story.sql, ["new"])).toHaveLength(120);
  // Twenty pages, some of them twice after interruptions, plus one or two pages per check.
  expect(story.portal.ledger.count("search")).toBeLessThan(50);
});

test("DOOR-15 full scans that are due at the same time run one after the other, across processes too", async () => {
  let [open, most, seen] = [0, 0, 0];
  const counted =
    (readPage: ReadPage): ReadPage =>
    async (query, window, signal) => {
      // Checks here read one or two pages; later pages belong to a full scan.
      const isDeep = window.number > 4;
      if (isDeep) {
        seen += 1;
        open += 1;
        most = Math.max(most, open);
      }
      try {
        return await readPage(query, window, signal);
      } finally {
        if (isDeep) open -= 1;
      }
    };
  await addPeople(
    story.sql,
    LONG_LISTS.map((url) => ({ url })),
  );
  await story.round();
  story.clock.advance(DAY_MS);
  const processes = Array.from({ length: 4 }, () => processOf(counted));
  for (let n = 0; n < 10; n++) {
    await Promise.all(processes.map(runDue));
    story.clock.advance(60_000);
  }
  expect(seen).toBeGreaterThan(3);
  expect(most).toBe(1);
});

test("DOOR-15 in a day with four processes each feed costs its checks and one full scan", {
  tags: "long",
}, async () => {
  const { sql, clock, portal } = story;
  await addPeople(
    sql,
    LONG_LISTS.map((url) => ({ url })),
  );
  await story.round();
  clock.advance(DAY_MS);
  const processes = Array.from({ length: 4 }, () =>
    createWatchTasks({
      sql,
      sources: sourcesOf({
        portal,
        now: clock.now,
        budget: createRequestBudget({ sql, name: "idealista-api", monthlyRequests: 100_000, now: clock.now }),
        sleep: async (ms) => clock.advance(ms),
        only: "official",
      }),
      checkIntervalSeconds: 600,
      now: clock.now,
      logger: silentLogger,
    }),
  );
  const startedAt = clock.now();
  portal.ledger.clear();
  while (clock.now() < startedAt + 2 * 3_600_000) {
    // Checks run concurrently, as in a real process.
    await Promise.all(
      processes.map(async (rounds) => {
        await rounds.compile();
        await rounds.setIntervals();
        await rounds.readDeeper(new AbortController().signal);
        const keys = await rounds.findDue(50);
        await Promise.all(keys.map((key) => rounds.check(key, new AbortController().signal)));
      }),
    );
    clock.advance(60_000);
  }
  const hours = (clock.now() - startedAt) / 3_600_000;
  const done = await sql`select key from watch.feeds where last_full_scan_at >= ${new Date(startedAt)}`;
  expect(done).toHaveLength(LONG_LISTS.length);
  // Twenty pages plus those read twice; six checks an hour, with one request if nothing is new.
  expect(portal.ledger.count("search")).toBeLessThan(LONG_LISTS.length * (26 + (hours + 1) * 6));
});
