import { expect, test } from "vitest";
import { nextMonthOf } from "#core/ports/request-budget.ts";
import { startInChat } from "#telegram/bot/rows/start-in-chat.ts";
import { runDue, type Story, storyForTests } from "#test/watching/story.ts";
import { addPeople, alertsOf, type Person } from "#test/watching/world.ts";

const SITE = "https://www.idealista.com";
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Each is a feed of its own: no two of them can share a request. */
const FAR_APART = ["barcelona-barcelona", "valencia-valencia", "sevilla-sevilla", "malaga-malaga"].flatMap(
  (place) =>
    ["venta", "alquiler"].flatMap((operation) =>
      ["viviendas", "oficinas", "locales", "garajes", "trasteros"].map(
        (kind) => `${SITE}/${operation}-${kind}/${place}/`,
      ),
    ),
);
const link = (n: number) => FAR_APART[n % FAR_APART.length] ?? "";

const story = storyForTests(500);

const checked = async () => (await story.sql`select 1 from watch.feeds where last_ok_at is not null`).length;
const startedOf = async ({ userId }: Person) =>
  (await alertsOf(story.sql, ["watch-started"])).filter((alert) => alert.userId === userId).length;
const begunOf = async (people: readonly Person[]) =>
  (await Promise.all(people.map(startedOf))).reduce((sum, count) => sum + count, 0);
const setLink = ({ userId }: Person, url: string) =>
  story.sql`update public.filter_settings set filter_url = ${url} where user_id = ${userId}`;
const waiting = () => story.sql<{ userId: string; until: Date }[]>`
  select user_id as "userId", until from watch.waiting_searches order by until, search_id`;

const addMany = (count: number) =>
  addPeople(
    story.sql,
    Array.from({ length: count }, (_, n) => ({ url: link(n) })),
  );

/** The simulated portal does not count requests here, so each first check is counted as four. */
async function runCounted(rounds: ReturnType<Story["rounds"]>): Promise<void> {
  await runDue(rounds);
  await story.sql`update watch.request_budgets set used = ${(await checked()) * 4}`;
}

test("READ-12: newcomers get at most half of the month's requests", async () => {
  const rounds = story.rounds({ only: "by-url", monthlyRequests: 100 });
  const people = await addMany(30);
  const perDay: number[] = [];
  for (let day = 0; day < 3; day += 1) {
    const before = await checked();
    await runCounted(rounds);
    await runCounted(rounds);
    perDay.push((await checked()) - before);
    story.clock.advance(DAY_MS);
  }
  expect(perDay).toEqual([12, 0, 0]);
  expect(await waiting()).toHaveLength(people.length - 12);
  // The next month has new requests.
  story.clock.advance(30 * DAY_MS);
  await runCounted(rounds);
  // As many as take nothing from the first ones, whose shares are rounded.
  expect([15, 16]).toContain(await checked());
});

test("READ-12: newcomers do not delay existing users", async () => {
  const rounds = story.rounds({ only: "by-url", monthlyRequests: 200 });
  const [old] = await addPeople(story.sql, [{ url: link(39) }]);
  if (!old) throw new Error("nobody");
  await runDue(rounds);
  story.clock.advance(8 * DAY_MS);
  await addMany(30);
  await runDue(rounds);
  expect((await waiting()).length).toBeGreaterThan(0);
  await setLink(old, link(38));
  await runDue(rounds);
  expect(await startedOf(old)).toBe(2);
});

test("READ-12: ten searches saved at once count as ten first checks", async () => {
  const rounds = story.rounds({ only: "by-url", monthlyRequests: 100 });
  const [eager] = await addPeople(story.sql, [
    { url: link(0), otherUrls: Array.from({ length: 9 }, (_, n) => link(n + 1)) },
  ]);
  const [other] = await addPeople(story.sql, [{ url: link(20) }]);
  await runDue(rounds);
  expect(await checked()).toBe(8);
  expect(await startedOf(other as Person)).toBe(1);
  expect(await startedOf(eager as Person)).toBe(7);
});

test("READ-12: a waiting newcomer sees until when, and starts without further action", async () => {
  const rounds = story.rounds({ only: "by-url", monthlyRequests: 100 });
  const people = await addMany(13);
  await runCounted(rounds);
  const until = new Date(nextMonthOf(story.clock.now()));
  expect(await waiting()).toEqual([{ userId: expect.any(String), until }]);
  story.clock.advance(until.getTime() - story.clock.now());
  await runDue(rounds);
  expect([await waiting(), await begunOf(people)]).toEqual([[], 13]);
});

test("READ-12: a newcomer whose search an existing feed covers does not wait", async () => {
  const rounds = story.rounds({ only: "official", monthlyRequests: 16 });
  await addPeople(
    story.sql,
    ["barcelona", "valencia", "sevilla"].map((place) => ({
      url: `${SITE}/venta-viviendas/${place}-${place}/`,
    })),
  );
  await runCounted(rounds);
  const [late] = await waiting();
  const [held] =
    await story.sql`select filter_url from watch.compiled_searches where baseline_at is not null limit 1`;
  const guests = await addPeople(story.sql, [{ url: `${held?.filter_url}con-precio-hasta_900000/` }]);
  await runCounted(rounds);
  expect([await begunOf(guests), await waiting()]).toEqual([1, [late]]);
});

test("READ-12: the status of a search says until when its first check waits", async () => {
  const [person] = await addPeople(story.sql, [{ url: link(0) }]);
  const { userId = "", filterId = "" } = person ?? {};
  const stateUntil = async (until: string) => {
    await story.sql`
      insert into watch.waiting_searches (search_id, user_id, until) values (${filterId}, ${userId}, ${until}::timestamptz)
      on conflict (search_id) do update set until = excluded.until`;
    const [row] = await story.sql`select watch.state_of_search(${filterId}) as state`;
    return row?.state.waits_until;
  };
  expect(await stateUntil("3000-01-01T00:00:00Z")).toBe("3000-01-01T00:00:00+00:00");
  expect(await stateUntil("2000-01-01T00:00:00Z")).toBeNull();
});

test("START-07 a thousand Telegram accounts in an hour make few accounts, and do not spend the requests of others", {
  tags: "long",
}, async () => {
  const { sql } = story;
  await sql`insert into private.server_keys (name, value) values ('hash_secret', ${"a secret of this test".repeat(2)})`;
  const rounds = story.rounds({ only: "by-url", monthlyRequests: 200 });
  const [old] = await addPeople(sql, [{ url: `${SITE}/venta-terrenos/getafe-madrid/` }]);
  await runDue(rounds);
  story.clock.advance(8 * DAY_MS);

  const start = story.clock.now();
  const outcomes: string[] = [];
  for (let n = 0; n < 1_000; n += 1) {
    const account = {
      telegramId: String(70_000 + n),
      name: `Bot ${n}`,
      language: "en",
      url: link(n),
    } as const;
    outcomes.push((await startInChat(sql, account, start + n * (HOUR_MS / 1_000))).outcome);
  }
  expect(outcomes.filter((outcome) => outcome === "added")).toHaveLength(41);
  expect(new Set(outcomes)).toEqual(new Set(["added", "busy"]));

  story.clock.advance(HOUR_MS);
  await runCounted(rounds);
  // Half of the month's requests are for newcomers; a first check takes about four.
  expect(await sql`select checks from watch.newcomer_checks order by day desc limit 1`).toEqual([
    { checks: (200 * 0.5) / 4 },
  ]);
  await setLink(old as Person, `${SITE}/venta-terrenos/leganes-madrid/`);
  await runDue(rounds);
  expect(await startedOf(old as Person)).toBe(2);
});
