import { expect, test } from "vitest";
import { openAlertOf } from "#test/delivery/open-alert.ts";
import { decideAlert, mayNotify } from "./decide-alert.ts";
import type { OpenAlert } from "./rows/outbox.ts";

const actOf = (changes: Partial<OpenAlert>, hasActiveSearch = true) =>
  decideAlert(openAlertOf(changes), { hasActiveSearch, nowMs: 0 }).act;

test("P17 without consent a question is dropped on its own, and all other alerts together", () => {
  expect(
    decideAlert(openAlertOf({ chatState: "declined" }), { hasActiveSearch: true, nowMs: 0 }),
  ).toMatchObject({
    act: "drop",
    kinds: expect.not.arrayContaining(["question"]),
  });
  const question = { kind: "question", chatState: "connected" } as const;
  expect(decideAlert(openAlertOf(question), { hasActiveSearch: true, nowMs: 0 })).toMatchObject({
    act: "drop",
    kinds: ["question"],
  });
});

test("P17 alerts without an active search are dropped, except requested ones and test messages", () => {
  const kinds = ["new", "gone", "watch-started", "source-down"] as const;
  expect(kinds.map((kind) => actOf({ kind }, false))).toEqual(Array(4).fill("drop-no-search"));
  expect(actOf({ kind: "test" }, false)).toBe("send");
  expect(actOf({ kind: "gone", isAskedFor: true }, false)).toBe("send");
});

test("a held alert is sent with all other held ones, except replies to the user's own actions", () => {
  expect([actOf({ heldMs: 5 }), actOf({ heldMs: 5, kind: "test" })]).toEqual(["summarise", "send"]);
});

test("an alert that the chat already got through another account is merged, and one about a hidden home is dropped", () => {
  expect([actOf({ isSentForOther: true }), actOf({ isHidden: true })]).toEqual(["merge", "drop-one"]);
});

test("P17 G01 a connected chat gets alerts, one without rights is retried, and only waiting people are asked about", () => {
  const may = (kind: OpenAlert["kind"], chatState: OpenAlert["chatState"], facts: Partial<OpenAlert> = {}) =>
    mayNotify(openAlertOf({ kind, chatState, ...facts }));
  for (const state of [null, "waiting", "declined", "blocked", "unreachable"] as const) {
    expect([state, may("new", state)]).toEqual([state, false]);
  }
  expect(may("new", "connected")).toBe(true);
  expect(may("new", "unreachable", { chatReason: "no-rights" })).toBe(true);
  expect(may("question", "waiting")).toBe(true);
  expect(may("question", "waiting", { consentAnswer: "no" })).toBe(false);
  expect(may("question", "connected")).toBe(false);
  const noticed = ([null, "connected", "waiting", "declined", "blocked"] as const).map((state) =>
    may("account-notice", state),
  );
  expect(noticed).toEqual([true, true, true, false, false]);
});

test("DOOR-10 a chat in any state gets the message that an account has left it", () => {
  for (const kind of ["account-deleted", "telegram-disconnected", "access-ended"] as const) {
    for (const chatState of [null, "declined"] as const)
      expect(actOf({ kind, chatState }, false)).toBe("send");
  }
});

test("a shortlist chat gets a new code of a kept home, but no other new home", () => {
  const shortlist = { receives: "kept", isShortlisted: true } as const;
  const payload = { formerListingId: "6" };
  expect([actOf(shortlist), actOf({ ...shortlist, payload })]).toEqual(["drop-one", "send"]);
  expect(actOf({ ...shortlist, isShortlisted: false, payload })).toBe("drop-one");
});
