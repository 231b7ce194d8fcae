import { expect, test } from "vitest";
import { runDue, type Story, storyForTests } from "#test/watching/story.ts";
import { addPeople, alertsOf, type Person } from "#test/watching/world.ts";

const SITE = "https://www.idealista.com";
const DAY_MS = 86_400_000;
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
const signInFrom = (address: string, people: readonly Person[]) =>
  story.sql`
    insert into private.known_addresses (user_id, address_hash, last_used_at)
    select jsonb_array_elements_text(${story.sql.json(people.map(({ userId }) => userId))})::uuid,
      sha256(${address}::bytea), now()`;
const waiting = () => story.sql<{ userId: string; until: Date }[]>`
  select user_id as "userId", until from watch.waiting_searches order by until, search_id`;

const addMany = (count: number, more: { chatIds?: string[] } = {}) =>
  addPeople(
    story.sql,
    Array.from({ length: count }, (_, n) => ({ url: link(n), ...more })),
  );

/** The simulated portal does not count requests here, so each first check is counted as four. */
async function runCounted(rounds: ReturnType<Story["rounds"]>): Promise<void> {
  await runDue(rounds);
  await story.sql`update watch.request_budgets set used = ${(await checked()) * 4}`;
}

/** Every person changes the link once for each of the links. */
async function changeLinks(people: readonly Person[], rounds: ReturnType<Story["rounds"]>): Promise<void> {
  for (let turn = 1; turn <= 8; turn += 1) {
    for (const [n, person] of people.entries()) await setLink(person, link(turn * people.length + n));
    await runDue(rounds);
  }
}

test("READ-12: several accounts with the same chat share the first checks of one", async () => {
  const rounds = story.rounds({ only: "by-url", monthlyRequests: 100_000 });
  const people = await addMany(5, { chatIds: ["71"] });
  await runDue(rounds);
  await changeLinks(people, rounds);
  expect(await checked()).toBe(12);
});

test("READ-12: newcomers from one network address share a part of the month's requests", async () => {
  const rounds = story.rounds({ only: "by-url", monthlyRequests: 400 });
  const people = await addMany(20);
  const [fromThere, elsewhere] = [people.slice(0, 19), people.slice(19)];
  await signInFrom("203.0.113.7", fromThere);
  await runDue(rounds);
  // Twelve as for one person, and three more.
  expect([await begunOf(fromThere), await begunOf(elsewhere)]).toEqual([15, 1]);
  expect(await waiting()).toHaveLength(4);
});

test("READ-12: newcomers get at most a fifth of the remaining requests per day, and half of the month's", async () => {
  const rounds = story.rounds({ only: "by-url", monthlyRequests: 100 });
  const people = await addMany(30);
  const perDay: number[] = [];
  for (let day = 0; day < 6; day += 1) {
    const before = await checked();
    await runCounted(rounds);
    await runCounted(rounds);
    perDay.push((await checked()) - before);
    story.clock.advance(DAY_MS);
  }
  expect(perDay).toEqual([5, 4, 3, 0, 0, 0]);
  expect(await waiting()).toHaveLength(people.length - 12);
  // The next month has new requests.
  story.clock.advance(30 * DAY_MS);
  await runDue(rounds);
  expect(await checked()).toBe(17);
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
  expect(await checked()).toBe(5);
  expect(await startedOf(other as Person)).toBe(1);
  expect(await startedOf(eager as Person)).toBe(4);
});

test("READ-12: a waiting newcomer sees until when, and starts without further action", async () => {
  const rounds = story.rounds({ only: "by-url", monthlyRequests: 100 });
  const people = await addMany(6);
  await runDue(rounds);
  const tomorrow = new Date(story.clock.now());
  tomorrow.setUTCHours(24, 0, 0, 0);
  expect(await waiting()).toEqual([{ userId: expect.any(String), until: tomorrow }]);
  story.clock.advance(tomorrow.getTime() - story.clock.now());
  await runDue(rounds);
  expect([await waiting(), await begunOf(people)]).toEqual([[], 6]);
});

test("READ-12: a newcomer whose search an existing feed covers does not wait", async () => {
  const rounds = story.rounds({ only: "official", monthlyRequests: 100 });
  await addPeople(
    story.sql,
    ["barcelona", "valencia", "sevilla", "malaga", "madrid", "zaragoza"].map((place) => ({
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
