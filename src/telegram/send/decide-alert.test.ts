import { expect, test } from "vitest";
import { decideAlert } from "./decide-alert.ts";
import type { OpenAlert } from "./rows/outbox.ts";

const alertOf = (changes: Partial<OpenAlert>): OpenAlert => ({
  ...{ id: "1", chatId: "7", userId: "u", kind: "new", payload: {}, attempts: 0, position: 1, isHeld: false },
  ...{ mailedMs: null, failingSinceMs: null, mayNotify: true, searchIds: null, isHidden: false },
  ...{ isDuplicate: false, isSilent: false, isBroughtBack: false, people: [] },
  ...{ receives: "everything", isShortlisted: false, hasInlineMode: false },
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

test("P17 without consent a question is dropped on its own, and all other alerts together", () => {
  expect(decideAlert(alertOf({ mayNotify: false }), true)).toMatchObject({
    act: "drop",
    kinds: expect.not.arrayContaining(["question"]),
  });
  const question = { kind: "question", mayNotify: false } as const;
  expect(decideAlert(alertOf(question), true)).toMatchObject({ act: "drop", kinds: ["question"] });
});

test("P17 alerts without an active search are dropped, except requested ones and test messages", () => {
  const kinds = ["new", "gone", "watch-started", "source-down"] as const;
  expect(kinds.map((kind) => actOf({ kind }, false))).toEqual(Array(4).fill("drop-no-search"));
  expect(actOf({ kind: "test" }, false)).toBe("send");
  expect(actOf({ kind: "gone", isAskedFor: true }, false)).toBe("send");
});

test("a held alert is sent with all other held ones, except replies to the user's own actions", () => {
  expect([actOf({ isHeld: true }), actOf({ isHeld: true, kind: "test" })]).toEqual(["summarise", "send"]);
});

test("an alert that the chat already got through another account is merged, and one about a hidden home is dropped", () => {
  expect([actOf({ isDuplicate: true }), actOf({ isHidden: true })]).toEqual(["merge", "drop-one"]);
});
