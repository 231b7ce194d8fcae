import { expect, test } from "vitest";
import { type HealthFacts, healthOf } from "./health-of.ts";

const CHATS = { named: 1, connected: 1, waiting: 0, lost: 0, only_chat: null };
const WELL: HealthFacts = {
  is_paused: false,
  problem: null,
  chats: CHATS,
  muted_until: null,
  is_held: false,
  baseline_at: "2026-11-15T10:00:00Z",
  last_ok_at: "2026-11-15T10:00:00Z",
  late_since: null,
  failing_since: null,
  failure_reason: null,
  spent_until: null,
  waits_until: null,
  is_served_by_mail: false,
};

test("TRUE-01 READ-10 COVER-06 the most important state is shown: a held setup, then the person's own doing, then what they can fix, then our failures", () => {
  const layers: readonly (readonly [string, Partial<HealthFacts>])[] = [
    ["watching", {}],
    ["first", { baseline_at: null }],
    ["queued", { waits_until: "2026-11-16T00:00:00Z" }],
    ["late", { late_since: "2026-11-15T10:00:00Z" }],
    ["failing", { failing_since: "2026-11-15T11:00:00Z", failure_reason: "unreachable" }],
    ["spent", { spent_until: "2026-12-01T00:00:00Z", failure_reason: "quota-spent" }],
    ["held", { is_held: true }],
    ["muted", { muted_until: "2026-11-15T20:00:00Z" }],
    [
      "chatsLost",
      { chats: { ...CHATS, connected: 0, lost: 1, only_chat: { state: "blocked", reason: null } } },
    ],
    ["noSource", { problem: "no-source" }],
    ["notASearch", { problem: "not-a-search" }],
    ["paused", { is_paused: true }],
  ];
  let facts = WELL;
  for (const [state, more] of layers) {
    facts = { ...facts, ...more };
    expect(healthOf(facts).state).toBe(state);
  }
});

test("TRUE-01 one connected chat is enough; without one, the state tells whether a chat was lost, was asked, or never existed", () => {
  const chats = (counts: Partial<HealthFacts["chats"]>) =>
    healthOf({ ...WELL, chats: { ...CHATS, ...counts } });
  expect(chats({ named: 3, lost: 2 })).toEqual({ state: "watching" });
  expect(chats({ connected: 0, lost: 1, only_chat: { state: "declined", reason: "stopped" } })).toEqual({
    state: "chatsLost",
    onlyLoss: "stopped",
  });
  expect(chats({ named: 2, connected: 0, lost: 1, waiting: 1 })).toEqual({
    state: "chatsLost",
    onlyLoss: null,
  });
  expect(chats({ connected: 0, waiting: 1 })).toEqual({ state: "waitingForYes" });
  expect(chats({ connected: 0 })).toEqual({ state: "noChat" });
});

test("TRUE-01 muted chats say until when, unless the mute has no end", () => {
  const muted = (muted_until: string) => healthOf({ ...WELL, muted_until });
  expect(muted("2026-11-15T20:00:00+00:00")).toEqual({
    state: "muted",
    until: new Date("2026-11-15T20:00:00Z"),
  });
  expect(muted("infinity")).toEqual({ state: "muted", until: null });
});

test("READ-12: only a first check is queued", () => {
  const waits_until = "2026-11-16T00:00:00Z";
  expect(healthOf({ ...WELL, waits_until })).toEqual({ state: "watching" });
  expect(healthOf({ ...WELL, waits_until, baseline_at: null })).toEqual({
    state: "queued",
    until: new Date(waits_until),
  });
});

test("TRUE-01 a check after a pause is not a first one, and an unlisted failure reason becomes unknown", () => {
  expect(healthOf({ ...WELL, baseline_at: null, last_ok_at: null })).toEqual({
    state: "first",
    isAgain: false,
  });
  expect(healthOf({ ...WELL, baseline_at: null })).toEqual({ state: "first", isAgain: true });
  const failing = { ...WELL, failing_since: "2026-11-15T11:00:00Z" };
  const since = new Date("2026-11-15T11:00:00Z");
  expect(healthOf({ ...failing, failure_reason: "rate-limited" })).toEqual({
    state: "failing",
    since,
    reason: "rate-limited",
  });
  for (const failure_reason of ["ECONNRESET", null]) {
    expect(healthOf({ ...failing, failure_reason })).toEqual({ state: "failing", since, reason: "unknown" });
  }
});
