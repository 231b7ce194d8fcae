import { expect, test } from "vitest";
import type { Watch } from "./watch-calls.ts";
import { failureReasonOf, waitUntil, watchStateOf } from "./watch-state.ts";

const WATCHING: Watch = {
  id: "a",
  is_paused: false,
  can_tell: true,
  problem: null,
  begun_at: "2026-11-15T10:00:00Z",
  interval_seconds: 600,
  is_served_by_mail: false,
  spent_until: null,
  last_ok_at: "2026-11-15T10:00:00Z",
  next_check_at: "2026-11-15T10:10:00Z",
  failing_since: null,
  failure_reason: null,
  found_last_day: 0,
  alerts_sent: 0,
  alerts_waiting: 0,
  last_told: null,
  freshness: null,
  last_find: null,
  latest_alerts: [],
};

test("DOOR-03 a watch is paused before it is anything else, waits for a chat before it looks, and has begun before it watches", () => {
  const failing = { ...WATCHING, failing_since: "2026-11-15T10:00:00Z" };
  expect(watchStateOf(WATCHING)).toBe("watching");
  expect(watchStateOf({ ...WATCHING, begun_at: null })).toBe("first");
  expect(watchStateOf(failing)).toBe("failing");
  expect(watchStateOf({ ...failing, can_tell: false })).toBe("no-chat");
  expect(watchStateOf({ ...failing, problem: "no-source" })).toBe("problem");
  expect(watchStateOf({ ...failing, problem: "no-source", can_tell: false })).toBe("problem");
  expect(watchStateOf({ ...failing, can_tell: false, is_paused: true })).toBe("paused");
  expect(watchStateOf({ ...failing, problem: "no-source", is_paused: true })).toBe("paused");
});

test("a reason without words of its own is an unknown one", () => {
  expect(failureReasonOf({ failure_reason: "quota-spent" })).toBe("quota-spent");
  expect(failureReasonOf({ failure_reason: "ECONNRESET" })).toBe("unknown");
  expect(failureReasonOf({ failure_reason: null })).toBe("unknown");
});

test("the next check is in whole minutes, hours or days, and due when its time has come", () => {
  const now = new Date("2026-11-15T10:00:00Z");
  expect(waitUntil("2026-11-15T10:00:01Z", now)).toEqual({ count: 1, unit: "minute" });
  expect(waitUntil("2026-11-15T10:07:00Z", now)).toEqual({ count: 7, unit: "minute" });
  expect(waitUntil("2026-11-15T15:30:00Z", now)).toEqual({ count: 6, unit: "hour" });
  expect(waitUntil("2026-11-18T09:00:00Z", now)).toEqual({ count: 3, unit: "day" });
  expect(waitUntil("2026-11-15T10:00:00Z", now)).toBeUndefined();
});
