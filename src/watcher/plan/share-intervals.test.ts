import fc from "fast-check";
import { expect, test } from "vitest";
import { drawn } from "#test/seeded.ts";
import { pagesPerHour } from "./feed-cost.ts";
import { type SharingFeed, shareIntervals } from "./share-intervals.ts";

const HOUR = 3_600;
const feed = (key: string, more: Partial<SharingFeed> = {}): SharingFeed => {
  return { key, advertsPerHour: 0.1, promisedSeconds: null, ownerId: key, ...more };
};
/** Of a free key. */
const CAPACITY = 100 / (30 * 24);

function share(feeds: readonly SharingFeed[], more: { pagesPerHour?: number; isDaily?: boolean } = {}) {
  const source = {
    askedSeconds: 600,
    pagesPerHour: CAPACITY,
    scannedPerHour: 0,
    mostScannedPerHour: 0,
    secondsLeft: 20 * 24 * HOUR,
  };
  const lastingPerHour = more.pagesPerHour ?? CAPACITY;
  const plan = shareIntervals({ feeds, ...source, lastingPerHour, isDaily: false, ...more });
  return {
    promised: new Map([...plan].map(([key, { promisedSeconds }]) => [key, promisedSeconds])),
    actual: new Map([...plan].map(([key, { intervalSeconds }]) => [key, intervalSeconds])),
  };
}

/** What they were given becomes their promise. */
function keep(feeds: readonly SharingFeed[], plan: Map<string, number>): SharingFeed[] {
  return feeds.map((one) => ({ ...one, promisedSeconds: plan.get(one.key) ?? null }));
}

test("COVER-04 with enough requests everybody is checked as configured, newcomers too", () => {
  const { actual: plan } = share([feed("a", { promisedSeconds: 24 * HOUR }), feed("b")], {
    pagesPerHour: 1_000,
  });
  expect([...plan.values()]).toEqual([600, 600]);
});

test("COVER-04 people who come on one day have about the same interval after the plan of the day, and most of the requests are used", () => {
  let feeds: SharingFeed[] = [];
  for (const key of ["a", "b", "c"]) {
    feeds = [...feeds, feed(key)];
    feeds = keep(feeds, share(feeds).promised);
  }
  const { actual: plan } = share(feeds, { isDaily: true });
  expect(Math.max(...plan.values())).toBeLessThan(Math.min(...plan.values()) * 1.4);
  const load = feeds.reduce(
    (sum, { key, advertsPerHour }) =>
      sum + pagesPerHour({ advertsPerHour, intervalSeconds: plan.get(key) ?? 0 }),
    0,
  );
  expect(load).toBeGreaterThan(CAPACITY * 0.65);
  expect(load).toBeLessThanOrEqual(CAPACITY * 0.85);
});

test("COVER-04 a newcomer gets what is free and takes nothing from others; one's own further search takes from one's own", () => {
  const alone = [feed("a", { promisedSeconds: 10 * HOUR })];
  const { actual: together } = share([...alone, feed("b")]);
  expect(together.get("a")).toBe(10 * HOUR);
  expect(together.get("b")).toBeGreaterThan(48 * HOUR);
  const { actual: own } = share([...alone, feed("b", { ownerId: "a" })]);
  expect(own.get("a")).toBe(own.get("b"));
  expect(own.get("a")).toBeLessThanOrEqual(24 * HOUR);
});

test("COVER-04 if the requests do not last, all intervals get longer; in the plan of the day free requests shorten the longest", () => {
  const feeds = [feed("a", { promisedSeconds: 10 * HOUR }), feed("b", { promisedSeconds: 96 * HOUR })];
  const { actual: scarce, promised } = share(feeds, { pagesPerHour: CAPACITY / 2 });
  expect(scarce.get("a")).toBeGreaterThan(19 * HOUR);
  expect(scarce.get("b")).toBeGreaterThan(190 * HOUR);
  expect([...promised.values()]).toEqual([10 * HOUR, 96 * HOUR]);
  const { actual: free } = share(feeds, { pagesPerHour: CAPACITY * 1.5, isDaily: true });
  expect(free.get("a")).toBe(10 * HOUR);
  expect(free.get("b")).toBeLessThan(24 * HOUR);
});

test("COVER-04 in any order of coming and leaving nobody's interval gets longer because others came, and the source suffices", () => {
  const step = fc.record({
    what: fc.constantFrom("come", "come", "leave", "day"),
    owner: fc.integer({ min: 0, max: 5 }),
    advertsPerHour: fc.constantFrom(0.01, 0.3, 2, 20),
  });
  const steps = fc.array(step, { maxLength: 25 });
  fc.assert(
    fc.property(steps, fc.constantFrom(0.1, 1, 20, 1_000), (all, capacity) => {
      let feeds: SharingFeed[] = [];
      for (const [n, { what, owner, advertsPerHour }] of all.entries()) {
        const before = new Map(feeds.map(({ key, promisedSeconds }) => [key, promisedSeconds]));
        if (what === "come")
          feeds = [...feeds, feed(`${owner}-${n}`, { ownerId: `${owner}`, advertsPerHour })];
        if (what === "leave") feeds = feeds.filter(({ ownerId }) => ownerId !== `${owner}`);
        const plan = share(feeds, { pagesPerHour: capacity, isDaily: what === "day" });
        feeds = keep(feeds, plan.promised);
        const others = feeds.filter(({ key, ownerId }) => before.get(key) && ownerId !== `${owner}`);
        for (const { key, promisedSeconds } of others) {
          expect(promisedSeconds).toBeLessThanOrEqual(before.get(key) ?? 0);
          expect(plan.actual.get(key)).toBe(promisedSeconds);
        }
      }
    }),
    drawn(300),
  );
});
