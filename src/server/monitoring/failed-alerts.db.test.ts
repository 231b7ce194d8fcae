import { afterEach, beforeEach, expect, test } from "vitest";
import { openDatabase } from "#platform/database/open-database.ts";
import { newListing } from "#test/delivery/delivery-fixture.ts";
import { type DeliveryRun, startDeliveryRun } from "#test/delivery/run-delivery.ts";
import { createTestDatabase, type TestDatabase } from "#test/test-database.ts";
import { createCounters } from "./counters.ts";
import { readFigures } from "./rows/figures.ts";

const HOUR = 3_600_000;

let database: TestDatabase;
let sql: ReturnType<typeof openDatabase>;
let delivery: DeliveryRun;

beforeEach(async () => {
  database = await createTestDatabase();
  sql = openDatabase({ url: database.url, max: 4 });
  // The page shows the failures of the database's last week.
  delivery = await startDeliveryRun({ sql, startMs: Date.now() - 48 * HOUR });
});

afterEach(async () => {
  await delivery.close();
  await sql.end();
  await database.drop();
});

/** What the page of searches gets. */
async function shownTo(userId: string): Promise<string[]> {
  const claims = JSON.stringify({ sub: userId, role: "authenticated" });
  const rows = await sql.begin(async (db) => {
    await db`
      select set_config('request.jwt.claims', ${claims}, true), set_config('request.jwt.claim.sub', ${userId}, true),
        set_config('role', 'authenticated', true)`;
    return db<{ shown: { listing_id: string; reason: string; url: string }[] }[]>`
      select public.my_failed_alerts() as shown`;
  });
  return (rows[0]?.shown ?? []).map(({ listing_id, reason, url }) => {
    expect(url).toBe(`https://www.idealista.com/inmueble/${listing_id}/`);
    return `${listing_id} ${reason}`;
  });
}

test("LAST-01 what Telegram refused, did not answer or could not take for a day is shown to its person and the operator, and nothing else", async () => {
  const [ana, ben] = [await delivery.person("private", "group"), await delivery.person("private")];
  const refused = { kind: "error", errorCode: 400, description: "Bad Request: not 123456789" } as const;
  const asLongAsItTakes = { forMs: 47 * HOUR };
  delivery.telegram.faults.set({ ...refused, ...asLongAsItTakes, text: "número uno" });
  delivery.telegram.faults.set({ kind: "drop", ...asLongAsItTakes, text: "número dos" });
  delivery.telegram.faults.set({ kind: "error", errorCode: 500, ...asLongAsItTakes, text: "número tres" });
  delivery.telegram.faults.set({ ...refused, ...asLongAsItTakes, text: "número cuatro", chatId: ana.chat });
  const [, group = 0] = ana.chats;
  await delivery.add(
    newListing(ana.user, ana.chat, "1", { address: "calle número uno" }),
    newListing(ana.user, ana.chat, "2", { address: "calle número dos" }),
    newListing(ana.user, ana.chat, "3", { address: "calle número tres" }),
    // The other chat gets it.
    ...[ana.chat, group].map((chat) => newListing(ana.user, chat, "4", { address: "calle número cuatro" })),
    newListing(ana.user, ana.chat, "5", { address: "calle número cinco" }),
    // It is not sent because the person does not want it.
    newListing(ben.user, ben.chat, "6", { address: "calle número seis" }),
  );
  await sql`insert into public.marks (user_id, listing_id, mark) values (${ben.user}, '6', 'hidden')`;
  await delivery.run(await delivery.startSender(), 46 * HOUR);
  expect((await shownTo(ana.user)).toSorted()).toEqual(["1 refused", "2 unanswered", "3 expired"]);
  expect(await shownTo(ben.user)).toEqual([]);

  const { failedAlerts, failureWords } = await readFigures(sql, new Date(delivery.clock.now()));
  expect(failedAlerts).toEqual({ refused: 2, unanswered: 1, expired: 1 });
  // Numbers may be ids of people.
  expect(failureWords[0]).toMatchObject({ words: expect.stringMatching(/not …\)$/), count: 2 });
});

test("LAST-01 refusals in unknown words are counted by their words, a bounded number of them", async () => {
  const { onUnknownRefusal, registry } = createCounters();
  for (let n = 0; n < 3; n += 1) onUnknownRefusal(`Bad Request: not to ${100_000 + n}`);
  for (let n = 0; n < 500; n += 1) onUnknownRefusal(`Bad Request: ${"x".repeat(n)}`);
  const lines = (await registry.metrics())
    .split("\n")
    .filter((line) => /unknown_refusals_total\{/.test(line));
  expect(lines[0]).toMatch(/words="Bad Request: not to …"\} 3$/);
  expect(lines.length).toBeLessThanOrEqual(31);
  expect(lines.at(-1)).toContain('words="others"');
});
