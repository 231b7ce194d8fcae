import fc from "fast-check";
import type { Sql } from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Listing } from "#core/listing/listing.ts";
import { type Source, SourceError } from "#core/ports/source.ts";
import { openDatabase } from "#platform/database/open-database.ts";
import { sampleListing } from "#test/fixtures/listing.ts";
import { drawn } from "#test/seeded.ts";
import { createTestDatabase, type TestDatabase } from "#test/test-database.ts";
import { runDue } from "#test/watching/story.ts";
import { addPeople, alertsOf, silentLogger } from "#test/watching/world.ts";
import { createWatchTasks } from "../watch-tasks.ts";

let database: TestDatabase;
let sql: Sql;

beforeAll(async () => {
  database = await createTestDatabase();
  sql = openDatabase({ url: database.url, max: 4 });
});
afterAll(async () => {
  await sql.end();
  await database.drop();
});

interface Answer {
  /** The portal's list, newest first. Codes may be duplicated or missing, in any order and at any price. */
  readonly list: readonly { readonly code: number; readonly price: number }[];
  /** How many listings leave or come while the pages are read. */
  readonly shift: number;
  readonly fails: boolean;
}

const answer: fc.Arbitrary<Answer> = fc.record({
  list: fc.array(
    fc.record({ code: fc.integer({ min: 1, max: 160 }), price: fc.constantFrom(900, 1_000, 1_100) }),
    { maxLength: 130 },
  ),
  shift: fc.integer({ min: -3, max: 3 }),
  fails: fc.integer({ min: 0, max: 5 }).map((roll) => roll === 0),
});

const DISTRICTS = [
  ["chamberi", "Chamberí"],
  ["retiro", "Retiro"],
  ["centro", "Centro"],
] as const;
let run = 0;

interface Script {
  current: Answer;
  returned: string[];
}

/** Each run has its own codes and its own person. */
function scriptedSource(script: Script, district: string): Source<unknown> {
  const listingOf = ({ code, price }: Answer["list"][number]): Listing =>
    sampleListing({
      propertyCode: String(run * 1_000 + code),
      priceEur: price,
      areaM2: 30 + code,
      address: `calle ${run}`,
      district,
      neighborhood: null,
    });
  return {
    name: "scripted",
    readPage: async (_query, { number, size }) => {
      const { list, shift, fails } = script.current;
      if (fails) throw new SourceError("scripted", "unreachable");
      const from = Math.max(0, (number - 1) * size + (number > 1 ? shift : 0));
      const listings = list.slice(from, from + size).map(listingOf);
      script.returned.push(...listings.map(({ propertyCode }) => propertyCode));
      return { listings, rejected: [], total: list.length, hasIgnoredFilters: false };
    },
  };
}

async function watchAnswers(answers: readonly Answer[]) {
  run += 1;
  const [slug, district] = DISTRICTS[run % DISTRICTS.length] ?? DISTRICTS[0];
  const script: Script = { current: { list: [], shift: 0, fails: false }, returned: [] };
  const source = scriptedSource(script, district);
  let moment = Date.UTC(2026, 0, 1) + run * 86_400_000;
  const rounds = createWatchTasks({
    sql,
    sources: {
      official: { monthlyRequests: null, source },
    },
    checkIntervalSeconds: 600,
    now: () => moment,
    logger: silentLogger,
  });
  const url = `https://www.idealista.com/alquiler-viviendas/madrid/${slug}/con-precio-hasta_${2_000 + run}/`;
  const chatIds = [String(run * 10 + 1), String(run * 10 + 2)];
  const [person] = await addPeople(sql, [{ url, chatIds }]);
  const committed: string[][] = [];
  for (const answer of answers) {
    Object.assign(script, { current: answer, returned: [] });
    const [result] = await runDue(rounds);
    if (result?.outcome === "checked") committed.push(script.returned);
    moment += 660_000;
  }
  await sql`delete from public.filter_settings`;
  const alerts = await alertsOf(sql, ["new"]);
  const [baseline = [], ...later] = committed;
  const news = [...new Set(later.flat())].filter((code) => !baseline.includes(code));
  return { alerts: alerts.filter(({ userId }) => userId === person?.userId), chatIds, news };
}

test("WATCH-02 for any sequence of answers each new listing causes exactly one alert per chat", async () => {
  let told = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(answer, { minLength: 2, maxLength: 6 }), async (answers) => {
      const { alerts, chatIds, news } = await watchAnswers(answers);
      told += alerts.length;
      for (const chatId of chatIds) {
        const codes = alerts.filter((alert) => alert.chatId === chatId).map(({ listingId }) => listingId);
        expect(codes.toSorted()).toEqual(news.toSorted());
      }
    }),
    { ...drawn(20), endOnFailure: true },
  );
  expect(told).toBeGreaterThan(0);
});
