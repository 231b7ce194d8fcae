import { expect, test } from "vitest";
import type { OpenAlert } from "#store/outbox/outbox.ts";
import { decideAlert } from "./decide-alert.ts";

const NOW = Date.parse("2026-01-10T22:30:00Z");
const HOUR = 3_600_000;

const alertOf = (changes: Partial<OpenAlert>): OpenAlert => ({
  ...{ id: "1", chatId: "7", userId: "u", kind: "new", payload: {}, attempts: 0, position: 1, isHeld: false },
  ...{ failingSinceMs: null, mayBeTold: true, isFilterPaused: false, isHidden: false, isDuplicate: false },
  ...{ replyTo: null, chatKind: "private", chatStanding: "ok", language: null },
  ...{ mutedUntilMs: null, quietFrom: null, quietUntil: null, seenMs: null, source: null },
  ...changes,
});
const actOf = (changes: Partial<OpenAlert>) => decideAlert(alertOf(changes), NOW).act;

test("P17 what the chat has not agreed to is dropped, a question alone and everything else together", () => {
  expect(decideAlert(alertOf({ mayBeTold: false }), NOW)).toMatchObject({
    act: "drop",
    kinds: expect.not.arrayContaining(["question"]),
  });
  const question = { kind: "question", mayBeTold: false } as const;
  expect(decideAlert(alertOf(question), NOW)).toMatchObject({ act: "drop", kinds: ["question"] });
  expect(actOf({ kind: "question", mutedUntilMs: Number.POSITIVE_INFINITY })).toBe("send");
});

test("P17 a paused or deleted filter ends its news, not a test message", () => {
  for (const isFilterPaused of [true, null]) {
    expect(
      (["new", "gone", "watch-started", "source-down"] as const).map((kind) =>
        actOf({ kind, isFilterPaused }),
      ),
    ).toEqual(Array(4).fill("drop"));
    expect(actOf({ kind: "test", isFilterPaused })).toBe("send");
  }
});

test("news waits for the later end of quiet hours and mute; what answers something they did does not", () => {
  const quiet = { quietFrom: "23:00:00", quietUntil: "07:00:00" };
  const morning = Date.parse("2026-01-11T06:00:00Z");
  expect(decideAlert(alertOf(quiet), NOW)).toEqual({ act: "hold", untilMs: morning });
  const muted = { ...quiet, mutedUntilMs: morning + HOUR };
  expect(decideAlert(alertOf(muted), NOW)).toEqual({ act: "hold", untilMs: morning + HOUR });
  expect(decideAlert(alertOf({ mutedUntilMs: Number.POSITIVE_INFINITY }), NOW)).toEqual({
    act: "hold",
    untilMs: Number.POSITIVE_INFINITY,
  });
  expect((["watch-started", "test"] as const).map((kind) => actOf({ ...muted, kind }))).toEqual([
    "send",
    "send",
  ]);
  expect(actOf({ mutedUntilMs: NOW })).toBe("send");
  expect(actOf({ isHeld: true })).toBe("summarise");
});

test("what the chat was told through another is merged, what the person hid is not told", () => {
  expect([actOf({ isDuplicate: true }), actOf({ isHidden: true })]).toEqual(["merge", "drop-one"]);
});
