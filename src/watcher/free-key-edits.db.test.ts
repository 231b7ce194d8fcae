// What a changed link costs on a free key.
import { expect, test } from "vitest";
import { nextMonthOf } from "#core/ports/request-budget.ts";
import { FREE_KEY, freeKey } from "#test/watching/free-key.ts";
import { runDue, storyForTests } from "#test/watching/story.ts";
import { addPeople, alertsOf } from "#test/watching/world.ts";

const TOWNS = ["getafe-madrid", "alcobendas-madrid", "leganes-madrid"].map(
  (town) => `https://www.idealista.com/venta-viviendas/${town}/`,
);
const HOUR_MS = 3_600_000;
const story = storyForTests(3_000);

const intervalOf = async (filterId: string): Promise<number> => {
  const [row] = await story.sql`select watch.state_of_search(${filterId}) as state`;
  return row?.state.interval_seconds;
};

test("COVER-04 a link that is saved again in another spelling costs no request, and changes no interval", async () => {
  story.clock.advance(nextMonthOf(story.clock.now()) - story.clock.now() + HOUR_MS);
  const watch = freeKey(story);
  const url = TOWNS[0] ?? "";
  const [person] = await addPeople(story.sql, [{ url }]);
  for (let n = 0; n < 8; n++) {
    await runDue(watch);
    story.clock.advance(6 * HOUR_MS);
  }
  await runDue(watch);
  const before = [story.portal.ledger.count("search"), await intervalOf(person?.filterId ?? "")];
  story.clock.advance(HOUR_MS);
  await story.sql`update public.searches set filter_url = ${url.replace(".com/", ".com/en/")}`;
  await runDue(watch);
  await runDue(watch);
  expect([story.portal.ledger.count("search"), await intervalOf(person?.filterId ?? "")]).toEqual(before);
  expect(await alertsOf(story.sql, ["watch-started"])).toHaveLength(1);
});

test("COVER-04 in the last days of a month on a free key, edits do not make others' intervals longer", async () => {
  story.clock.advance(nextMonthOf(story.clock.now()) - story.clock.now() + HOUR_MS);
  const watch = freeKey(story);
  const people = await addPeople(
    story.sql,
    TOWNS.map((url) => ({ url })),
  );
  const editing = await addPeople(
    story.sql,
    Array.from({ length: 16 }, () => ({ url: TOWNS[0] ?? "" })),
  );
  for (let day = 0; day < 10; day++) {
    await runDue(watch);
    story.clock.advance(24 * HOUR_MS);
  }
  story.clock.advance(nextMonthOf(story.clock.now()) - story.clock.now() - 60 * HOUR_MS);
  const intervals = async () => {
    for (let n = 0; n < 2; n++) await runDue(watch);
    return await Promise.all(people.map(({ filterId }) => intervalOf(filterId)));
  };
  for (const [n, { filterId }] of editing.entries()) {
    const used = FREE_KEY - editing.length + n;
    await story.sql`update watch.request_budgets set used = ${used}`;
    const before = await intervals();
    const url = `${TOWNS[0]}con-precio-hasta_${used * 10_000}/`;
    await story.sql`update public.searches set filter_url = ${url} where id = ${filterId}`;
    const after = await intervals();
    const longer = after.filter((seconds, town) => seconds > (before[town] ?? 0));
    expect([used, before, longer]).toEqual([used, before, []]);
    story.clock.advance(HOUR_MS);
  }
});
