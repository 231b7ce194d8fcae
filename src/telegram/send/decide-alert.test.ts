import { expect, test } from "vitest";
import type { OpenAlert } from "#store/outbox/outbox.ts";
import { decideAlert } from "./decide-alert.ts";

const alertOf = (changes: Partial<OpenAlert>): OpenAlert => ({
  ...{ id: "1", chatId: "7", userId: "u", kind: "new", payload: {}, attempts: 0, position: 1, isHeld: false },
  ...{ failingSinceMs: null, mayBeTold: true, searchIds: null, isHidden: false, isDuplicate: false },
  ...{
    seenMs: null,
    source: null,
    replyTo: null,
    chatKind: "private",
    chatStanding: "ok",
    language: null,
    isAskedFor: false,
    ...{ mark: null, chatMark: null, note: null, travelTimes: [], homeId: null, lastLanguage: null },
  },
  ...changes,
});
const actOf = (changes: Partial<OpenAlert>, hasActiveSearch = true) =>
  decideAlert(alertOf(changes), hasActiveSearch).act;

test("P17 what the chat has not agreed to is dropped, a question alone and everything else together", () => {
  expect(decideAlert(alertOf({ mayBeTold: false }), true)).toMatchObject({
    act: "drop",
    kinds: expect.not.arrayContaining(["question"]),
  });
  const question = { kind: "question", mayBeTold: false } as const;
  expect(decideAlert(alertOf(question), true)).toMatchObject({ act: "drop", kinds: ["question"] });
});

test("P17 news for which no search speaks any more end, unless somebody asked for them here; not a test message", () => {
  const kinds = ["new", "gone", "watch-started", "source-down"] as const;
  expect(kinds.map((kind) => actOf({ kind }, false))).toEqual(Array(4).fill("drop-no-search"));
  expect(actOf({ kind: "test" }, false)).toBe("send");
  expect(actOf({ kind: "gone", isAskedFor: true }, false)).toBe("send");
});

test("what waited comes with all that waited, but for what answers something they did", () => {
  expect([actOf({ isHeld: true }), actOf({ isHeld: true, kind: "test" })]).toEqual(["summarise", "send"]);
});

test("what the chat was told through another is merged, what the person hid is not told", () => {
  expect([actOf({ isDuplicate: true }), actOf({ isHidden: true })]).toEqual(["merge", "drop-one"]);
});
