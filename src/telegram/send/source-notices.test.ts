import { expect, test } from "vitest";
import type { SourceNotice } from "./rows/outbox.ts";
import { isRepeatedNotice } from "./source-notices.ts";

const HOUR_MS = 3_600_000;
const NOW = Date.UTC(2026, 5, 1);

const noticeOf = (changes: Partial<SourceNotice>): SourceNotice => ({
  ...{ kind: "source-down", eventKey: "other", isOwn: true, isSent: true, state: "sent" },
  ...{ position: 1, createdMs: NOW - HOUR_MS, reason: null },
  ...changes,
});
const isRepeated = (
  kind: "source-down" | "source-up",
  sourceNotices: readonly SourceNotice[],
  { reason = "timeout", isOtherSourceDown = false } = {},
) =>
  isRepeatedNotice({
    ...{ kind, eventKey: "this", payload: { reason }, position: 10, createdMs: NOW },
    ...{ sourceNotices, isOtherSourceDown },
  });

test("CALM-09 a source is reported as down once a day to a chat, and again after it was up", () => {
  expect(isRepeated("source-down", [])).toBe(false);
  expect(isRepeated("source-down", [noticeOf({})])).toBe(true);
  expect(isRepeated("source-down", [noticeOf({ state: "pending", isSent: false })])).toBe(true);
  expect(isRepeated("source-down", [noticeOf({ position: 11 })])).toBe(false);
  expect(isRepeated("source-down", [noticeOf({ createdMs: NOW - 25 * HOUR_MS })])).toBe(false);
  expect(isRepeated("source-down", [noticeOf({ state: "undeliverable", isSent: false })])).toBe(false);
  expect(isRepeated("source-down", [noticeOf({ kind: "source-up", position: 2 }), noticeOf({})])).toBe(false);
  expect(isRepeated("source-down", [noticeOf({ position: 3 }), noticeOf({ kind: "source-up" })])).toBe(true);
});

test("CALM-09 a month whose requests are spent is reported after an outage, and once", () => {
  const spent = { reason: "quota-spent" };
  expect(isRepeated("source-down", [noticeOf({})], spent)).toBe(false);
  expect(isRepeated("source-down", [noticeOf(spent)], spent)).toBe(true);
  expect(isRepeated("source-down", [noticeOf(spent)])).toBe(true);
});

test("CALM-09 a source is reported as up when all feeds for the chat work again, and once", () => {
  const down = noticeOf({});
  const up = noticeOf({ kind: "source-up", position: 2 });
  expect(isRepeated("source-up", [down])).toBe(false);
  expect(isRepeated("source-up", [down], { isOtherSourceDown: true })).toBe(true);
  expect(isRepeated("source-up", [up, down])).toBe(true);
  expect(isRepeated("source-up", [noticeOf({ position: 3 }), up, down])).toBe(false);
  const abandoned = noticeOf({ kind: "source-up", position: 2, state: "expired", isSent: false });
  expect(isRepeated("source-up", [abandoned, down])).toBe(false);
});

test("P17 the same notice for another person of the chat is a duplicate once it was sent; another one is not", () => {
  const other = { isOwn: false, eventKey: "this" };
  expect(isRepeated("source-down", [noticeOf(other)])).toBe(true);
  expect(isRepeated("source-down", [noticeOf({ ...other, isSent: false, state: "pending" })])).toBe(false);
  expect(isRepeated("source-down", [noticeOf({ isOwn: false })])).toBe(false);
  expect(isRepeated("source-up", [noticeOf(other)])).toBe(false);
});
