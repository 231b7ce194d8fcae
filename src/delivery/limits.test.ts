import fc from "fast-check";
import { expect, test } from "vitest";
import { createHeldTelegramClock } from "#simulators/telegram/clock.ts";
import { FloodControl, TELEGRAM_LIMITS } from "#simulators/telegram/flood-control.ts";
import { emptyChat } from "#simulators/telegram/phone/create.ts";
import { Flights } from "./flights.ts";
import { FloodWatch } from "./flood-watch.ts";
import { Paces } from "./paces.ts";
import { floodDelayMs, jittered, retryDelayMs, unansweredDelayMs } from "./retry-delay.ts";
import { Slots } from "./slots.ts";

test("whatever the stalls on either side, no second holds more than thirty messages", () => {
  // How long until the message is on its way, until Telegram counts it, and until the answer is there.
  const stall = fc.tuple(fc.nat(80), fc.nat(400), fc.nat(400));
  fc.assert(
    fc.property(fc.array(stall, { minLength: 40, maxLength: 120 }), (stalls) => {
      const slots = new Slots();
      const answers: number[] = [];
      const counted: number[] = [];
      let now = 0;
      for (const [before, there, back] of stalls) {
        now += before;
        while (slots.freeBy(now) < 1) {
          now = Math.min(
            ...answers.filter((at) => at >= now),
            slots.freeMs(1, now) ?? Number.POSITIVE_INFINITY,
          );
          for (const at of answers.filter((answer) => answer <= now)) {
            slots.release(at);
            answers.splice(answers.indexOf(at), 1);
          }
        }
        slots.take();
        counted.push(now + there);
        answers.push(now + there + back);
      }
      for (const at of counted) {
        expect(counted.filter((other) => other >= at && other < at + 1000).length).toBeLessThanOrEqual(30);
      }
    }),
    { numRuns: 50 },
  );
});

test("a sender that takes over waits until the second of the one before is over", () => {
  const slots = new Slots();
  slots.takeAllUntil(5000);
  expect([slots.freeBy(6009), slots.freeBy(6010), slots.freeMs(1, 5500)]).toEqual([0, 30, 6010]);
});

const KINDS = ["private", "group", "supergroup", "channel"] as const;
const COUNTINGS = ["allowance", "window"] as const;
test.each(KINDS.flatMap((kind) => COUNTINGS.map((counting) => [kind, counting] as const)))(
  "a %s chat written to as fast as its pace allows is never told to wait, counted by the %s",
  (kind, chatCounting) => {
    const clock = createHeldTelegramClock(1_000_000);
    const flood = new FloodControl(clock, { ...TELEGRAM_LIMITS, chatCounting });
    const paces = new Paces();
    const id = kind === "private" ? 7 : -1_002_200_000_001;
    const chat = emptyChat(id, kind, "ok");
    for (let count = 0; count < 100; count += 1) {
      const free = paces.freeAtMs(String(id), { isChannel: kind === "channel", nowMs: clock.now() });
      if (free > clock.now()) clock.advance(free - clock.now());
      expect(flood.admit(chat, "send")).toBe(0);
      paces.set(paces.after(String(id), clock.now()));
    }
    const minutes = (clock.now() - 1_000_000) / 60_000;
    expect(100 / minutes).toBeGreaterThan(kind === "private" || kind === "channel" ? 45 : 17);
  },
);

test("a chat fails longer and longer, and recovers at once", () => {
  const paces = new Paces();
  expect(paces.fail("7", 0, retryDelayMs)).toMatchObject({
    pausedUntilMs: 3000,
    failures: 1,
    failingSinceMs: 0,
  });
  expect(paces.fail("7", 3000, retryDelayMs)).toMatchObject({
    pausedUntilMs: 9000,
    failures: 2,
    failingSinceMs: 0,
  });
  expect(paces.recover("7")).toMatchObject({ pausedUntilMs: null, failures: 0 });
  expect(paces.recover("7")).toBeUndefined();
  expect(paces.freeAtMs("7", { isChannel: false, nowMs: 9000 })).toBe(0);
});

test("after a 429 a chat is written to more slowly, after another more so, and as before an hour later", () => {
  const paces = new Paces();
  const gapAt = (nowMs: number) => {
    paces.set(paces.after("7", nowMs));
    return paces.freeAtMs("7", { isChannel: false, nowMs }) - nowMs;
  };
  expect(gapAt(0)).toBeLessThanOrEqual(0);
  paces.flood("7", 1_000, 2_000);
  const once = gapAt(10_000);
  expect(once).toBeGreaterThan(5_100 / 4);
  for (const nowMs of [20_000, 21_000, 22_000]) paces.flood("7", nowMs, nowMs);
  expect(gapAt(30_000)).toBeGreaterThan(once);
  expect(gapAt(30_000 + 31 * 60_000)).toBe(once);
  paces.forgetBefore(30_000 + 35 * 60_000);
  expect(gapAt(30_000 + 35 * 60_000)).toBe(once);
  expect(gapAt(2 * 3_600_000)).toBeLessThanOrEqual(0);
});

test("a wait beyond all reason is no reason to be silent for good", () => {
  expect(floodDelayMs(5_000, () => 0)).toBe(5_250);
  expect(floodDelayMs(null, () => 1)).toBe(30_500);
  expect(floodDelayMs(1e308, () => 0)).toBe(24 * 3_600_000 + 250);
});

test("retries double from three seconds to an hour, unanswered ones stay between five and thirty seconds", () => {
  expect([1, 2, 3, 11, 12, 500].map(retryDelayMs)).toEqual([3e3, 6e3, 12e3, 3_072_000, 3_600_000, 3_600_000]);
  for (const failures of [1, 2, 3, 9, 500]) {
    for (const random of [0, 0.999]) {
      const delay = jittered(unansweredDelayMs(failures), () => random);
      expect(delay).toBeGreaterThanOrEqual(5_000);
      expect(delay).toBeLessThanOrEqual(30_000);
    }
  }
});

test("two chats told to wait within a second silence everything, one chat twice does not", () => {
  const floods = new FloodWatch();
  expect(floods.note("1", 0, 5_000)).toBeUndefined();
  expect(floods.note("1", 100, 6_000)).toBeUndefined();
  expect(floods.note("2", 1_101, 3_000)).toBeUndefined();
  expect(floods.note("3", 1_500, 2_000)).toBe(3_000);
});

test("one message is in flight while that serves; more only where alerts have waited a second for each", () => {
  const flights = new Flights();
  const first = flights.begin(0);
  expect(flights.nextMs(0)).toBe(1000);
  flights.end(first);
  expect(flights.nextMs(10)).toBe(10);
  flights.rest(10);
  const slow = [flights.begin(20)];
  expect([flights.nextMs(20), flights.nextMs(900)]).toEqual([1020, 1020]);
  slow.push(flights.begin(950));
  expect(flights.nextMs(1020)).toBe(1020);
  slow.push(flights.begin(1020));
  expect(flights.nextMs(1021)).toBe(1950);
});
