import fc from "fast-check";
import { expect, test } from "vitest";
import { createHeldTelegramClock } from "#simulators/telegram/clock.ts";
import { FloodControl, TELEGRAM_LIMITS } from "#simulators/telegram/flood-control.ts";
import { emptyChat } from "#simulators/telegram/phone/create.ts";
import { drawn } from "#test/seeded.ts";
import {
  copyDelayMs,
  floodDelayMs,
  jittered,
  retryDelayMs,
  serverDownDelayMs,
  unansweredDelayMs,
} from "./retry-delay.ts";
import { type Send, SendLimits } from "./send-limits.ts";

test("no second has more than thirty messages, whatever the delays on either side", () => {
  // Delays until the request is sent, until Telegram counts it, and until the answer arrives.
  const stall = fc.tuple(fc.nat(80), fc.nat(400), fc.nat(400));
  fc.assert(
    fc.property(fc.array(stall, { minLength: 40, maxLength: 120 }), (stalls) => {
      const limits = new SendLimits();
      let out: { send: Send; answerMs: number }[] = [];
      const counted: number[] = [];
      let now = 0;
      for (const [before, there, back] of stalls) {
        now += before;
        while (limits.slotsBy(now) < 1) {
          now = Math.min(
            ...out.map(({ answerMs }) => answerMs),
            limits.slotFreeMs(1, now) ?? Number.POSITIVE_INFINITY,
          );
          for (const { send, answerMs } of out.filter((one) => one.answerMs <= now))
            send.answeredMs = answerMs;
          out = out.filter(({ answerMs }) => answerMs > now);
        }
        counted.push(now + there);
        out.push({ send: limits.begin(now), answerMs: now + there + back });
      }
      for (const at of counted) {
        expect(counted.filter((other) => other >= at && other < at + 1000).length).toBeLessThanOrEqual(30);
      }
    }),
    drawn(50),
  );
});

test("a new sender waits until the second of the previous one is over", () => {
  const limits = new SendLimits();
  limits.load([], { ...limits.sender, lastSentMs: 5000 });
  const places = [limits.slotsBy(6009), limits.slotsBy(6010), limits.slotFreeMs(1, 5500)];
  expect(places).toEqual([0, 30, 6010]);
});

const KINDS = ["private", "group", "supergroup", "channel"] as const;
const COUNTINGS = ["allowance", "window"] as const;
test.each(KINDS.flatMap((kind) => COUNTINGS.map((counting) => [kind, counting] as const)))(
  "a %s chat sent to as fast as its pace allows is never rate-limited, counted by the %s",
  (kind, chatCounting) => {
    const clock = createHeldTelegramClock(1_000_000);
    const flood = new FloodControl(clock, { ...TELEGRAM_LIMITS, chatCounting });
    const limits = new SendLimits();
    const id = kind === "private" ? 7 : -1_002_200_000_001;
    const chat = emptyChat(id, kind, "ok");
    for (let count = 0; count < 100; count += 1) {
      const free = limits.chatFreeMs(String(id), clock.now());
      if (free > clock.now()) clock.advance(free - clock.now());
      expect(flood.admit(chat, "send")).toBe(0);
      limits.sentTo(String(id), clock.now(), kind);
    }
    const minutes = (clock.now() - 1_000_000) / 60_000;
    expect(100 / minutes).toBeGreaterThan(kind === "private" || kind === "channel" ? 45 : 17);
  },
);

test("the delay of a failing chat grows, and a success resets it", () => {
  const limits = new SendLimits();
  expect(limits.failed("7", 0, retryDelayMs)).toMatchObject({
    pausedUntilMs: 3000,
    failures: 1,
    failingSinceMs: 0,
  });
  expect(limits.failed("7", 3000, retryDelayMs)).toMatchObject({
    pausedUntilMs: 9000,
    failures: 2,
    failingSinceMs: 0,
  });
  expect(limits.recovered("7")).toMatchObject({ pausedUntilMs: null, failures: 0 });
  expect(limits.recovered("7")).toBeUndefined();
  expect(limits.chatFreeMs("7", 9000)).toBe(0);
});

test("each 429 slows a chat down further, and an hour later it is back to normal", () => {
  const limits = new SendLimits();
  const gapAt = (nowMs: number) => {
    limits.sentTo("7", nowMs, "private");
    return limits.chatFreeMs("7", nowMs) - nowMs;
  };
  expect(gapAt(0)).toBeLessThanOrEqual(0);
  limits.flooded("7", 1_000, 2_000);
  const once = gapAt(10_000);
  expect(once).toBeGreaterThan(5_100 / 4);
  for (const nowMs of [20_000, 21_000, 22_000]) limits.flooded("7", nowMs, nowMs);
  expect(gapAt(30_000)).toBeGreaterThan(once);
  expect(gapAt(30_000 + 31 * 60_000)).toBe(once);
  limits.forgetOld(30_000 + 35 * 60_000);
  expect(gapAt(30_000 + 35 * 60_000)).toBe(once);
  expect(gapAt(2 * 3_600_000)).toBeLessThanOrEqual(0);
});

test("an absurdly long retry_after is capped", () => {
  expect(floodDelayMs(5_000, () => 0)).toBe(5_250);
  expect(floodDelayMs(null, () => 1)).toBe(30_500);
  expect(floodDelayMs(1e308, () => 0)).toBe(24 * 3_600_000 + 250);
});

test("while Telegram's server fails, retry delays double from three seconds to a minute", () => {
  expect([1, 2, 3, 5, 6, 500].map(serverDownDelayMs)).toEqual([3e3, 6e3, 12e3, 48e3, 60e3, 60e3]);
});

test("retry delays double from three seconds to an hour; those of unanswered messages stay between five and thirty seconds", () => {
  expect([1, 2, 3, 11, 12, 500].map(retryDelayMs)).toEqual([3e3, 6e3, 12e3, 3_072_000, 3_600_000, 3_600_000]);
  for (const failures of [1, 2, 3, 9, 500]) {
    for (const random of [0, 0.999]) {
      const delay = jittered(unansweredDelayMs(failures), () => random);
      expect(delay).toBeGreaterThanOrEqual(5_000);
      expect(delay).toBeLessThanOrEqual(30_000);
    }
  }
});

test("two chats rate-limited within a second pause all sending, one chat twice does not", () => {
  const limits = new SendLimits();
  const pausedUntilMs = (chatId: string, nowMs: number, untilMs: number) => {
    limits.flooded(chatId, nowMs, untilMs);
    return limits.sender.pausedUntilMs;
  };
  expect(pausedUntilMs("1", 0, 5_000)).toBeNull();
  expect(pausedUntilMs("1", 100, 6_000)).toBeNull();
  expect(pausedUntilMs("2", 7_000, 9_000)).toBeNull();
  expect(pausedUntilMs("3", 7_500, 8_000)).toBe(9_000);
  expect([limits.isPaused(8_999), limits.isPaused(9_000)]).toEqual([true, false]);
});

test("one message is in flight at a time; each second of waiting allows one more", () => {
  const limits = new SendLimits();
  limits.begin(0).isWritten = true;
  expect(limits.beginMs(10)).toBe(10);
  limits.begin(20);
  expect([limits.beginMs(20), limits.beginMs(900)]).toEqual([1020, 1020]);
  limits.begin(950);
  expect(limits.beginMs(1020)).toBe(1020);
  limits.begin(1020);
  expect(limits.beginMs(1021)).toBe(1950);
});

test("LAST-03 a chat that is rate-limited while another's pause is in force pauses the whole bot, longer with each chat", () => {
  const limits = new SendLimits();
  const HOUR_MS = 3_600_000;
  let [asked, nowMs] = [0, 0];
  // An hour of 429 for each of twenty chats that waits to be sent to, two seconds apart.
  for (let chat = 0; chat < 20 && nowMs < HOUR_MS; nowMs += 2_000) {
    if (limits.isPaused(nowMs)) continue;
    limits.flooded(String(chat), nowMs, nowMs + HOUR_MS);
    asked += 1;
    chat += 1;
  }
  expect(asked).toBeLessThan(12);
  const slots = (ms: number) => limits.slotsBy(ms);
  expect(slots(nowMs)).toBeLessThan(30);
  const recovering = [1, 2, 3, 4, 5, 6, 7].map((steps) => slots(nowMs + steps * 600_000 + 1));
  expect(recovering).toEqual(recovering.toSorted((one, other) => one - other));
  expect(recovering.at(-1)).toBe(30);
});

test("LAST-03 two chats that stay rate-limited do not stop the others: once a message is accepted elsewhere, the limit is theirs", () => {
  const limits = new SendLimits();
  const HOUR_MS = 3_600_000;
  limits.flooded("1", 0, HOUR_MS);
  limits.flooded("2", 100, HOUR_MS);
  expect(limits.isPaused(HOUR_MS - 1)).toBe(true);
  // Nothing was accepted since, so this may still be the whole bot's limit.
  limits.flooded("1", HOUR_MS, 2 * HOUR_MS);
  limits.flooded("2", HOUR_MS + 100, 2 * HOUR_MS);
  expect(limits.isPaused(2 * HOUR_MS - 1)).toBe(true);
  limits.accepted("3", 2 * HOUR_MS);
  limits.flooded("1", 2 * HOUR_MS + 100, 3 * HOUR_MS);
  limits.flooded("2", 2 * HOUR_MS + 200, 3 * HOUR_MS);
  expect(limits.isPaused(2 * HOUR_MS + 300)).toBe(false);
  expect(limits.chatFreeMs("1", 2 * HOUR_MS + 300)).toBe(3 * HOUR_MS);
  // Two chats that were free until now are evidence again.
  limits.flooded("3", 2 * HOUR_MS + 400, 3 * HOUR_MS);
  limits.flooded("4", 2 * HOUR_MS + 500, 3 * HOUR_MS);
  expect(limits.isPaused(2 * HOUR_MS + 600)).toBe(true);
});

test("LAST-03 a chat that is told to wait a second all day is asked fewer than a hundred times", () => {
  const limits = new SendLimits();
  let asked = 0;
  for (let nowMs = 0; nowMs < 24 * 3_600_000; asked += 1) {
    limits.flooded("1", nowMs, nowMs + 1_000);
    nowMs = limits.chatFreeMs("1", nowMs);
  }
  expect(asked).toBeLessThan(100);
  expect(asked).toBeGreaterThan(40);
});

test("LAST-03 what failed before a chat had nothing to be sent says nothing about its next failure", () => {
  const HOUR_MS = 3_600_000;
  const limits = new SendLimits();
  limits.flooded("1", 0, 5_000);
  limits.failed("2", 0, () => 1_000);
  limits.forgetOld(HOUR_MS / 2);
  expect(limits.paceOf("1").failingSinceMs).toBe(0);
  limits.forgetOld(2 * HOUR_MS);
  limits.flooded("1", 25 * HOUR_MS, 25 * HOUR_MS + 5_000);
  expect(limits.chatFreeMs("1", 25 * HOUR_MS)).toBe(25 * HOUR_MS + 5_000);
  expect(limits.failed("2", 25 * HOUR_MS, (failures) => failures * 1_000).pausedUntilMs).toBe(
    25 * HOUR_MS + 1_000,
  );
});

test("P10 a clock that is set back an hour blocks neither the bot nor a chat", () => {
  const limits = new SendLimits();
  const nowMs = 3_600_000;
  for (let message = 0; message < 30; message += 1) {
    const send = limits.begin(nowMs);
    send.answeredMs = nowMs;
    send.isWritten = true;
    limits.sentTo("1", nowMs, "private");
  }
  expect([limits.slotsBy(nowMs + 500), limits.chatFreeMs("1", nowMs) > nowMs]).toEqual([0, true]);
  expect(limits.slotsBy(0)).toBe(30);
  expect(limits.chatFreeMs("1", 0)).toBeLessThan(10_000);
});

test("LAST-03 a successor knows the pauses that are in force", () => {
  const limits = new SendLimits();
  const flooded = limits.flooded("1", 0, 600_000);
  const successor = new SendLimits();
  successor.load([flooded], undefined);
  successor.flooded("2", 60_000, 600_000);
  expect(successor.isPaused(61_000)).toBe(true);
});

test("LAST-02 a message without answers is sent three times in a day at most: soon, and after minutes", () => {
  expect([1, 2, 3, 4].map(copyDelayMs)).toEqual([5_000, 600_000, undefined, undefined]);
});
