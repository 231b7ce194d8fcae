import { expect, test } from "vitest";
import { describeActs, minutesOf } from "#test/quarter/acts.ts";
import { drawQuarter } from "#test/quarter/draw-quarter.ts";
import { judgeQuarter } from "#test/quarter/law.ts";
import { QUARTER_BEGINS } from "#test/quarter/quarter-world.ts";
import { runQuarter } from "#test/quarter/run-quarter.ts";

test("scratch", async () => {
  const days = Number(process.env.DAYS ?? 7);
  const requests = process.env.REQUESTS ? Number(process.env.REQUESTS) : null;
  const people = Number(process.env.PEOPLE ?? 20);
  const quarter = drawQuarter(Number(process.env.SEED ?? 1), { days, people, monthlyRequests: requests });
  const began = performance.now();
  const world = await runQuarter(quarter);
  const verdict = judgeQuarter(world.truth, world.people.values(), {
    ends: QUARTER_BEGINS + minutesOf(quarter) * 60_000,
    monthlyRequests: requests,
  });
  await world.close();
  const { breaches, ...counts } = verdict;
  console.log(JSON.stringify({ ...counts, breaches: breaches.length, ms: Math.round(performance.now() - began), acts: quarter.acts.length }), [...world.truth.answered], world.truth.refusedAt.length);
  console.log(JSON.stringify(Object.fromEntries(Object.entries(Object.groupBy(breaches, (b) => b.what)).map(([k, v]) => [k, v?.length]))));
  for (const b of breaches.slice(0, 25)) console.log(b.what, b.person, b.code, new Date(b.at).toISOString().slice(5, 16), b.details);
  if (process.env.ACTS) console.log(describeActs(quarter.acts));
  expect(breaches.length).toBe(-1);
}, 3_000_000);
