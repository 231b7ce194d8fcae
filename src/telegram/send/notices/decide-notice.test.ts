import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { AlertKind } from "#core/alert/alert-kinds.ts";
import { drawn } from "#test/seeded.ts";
import type { NoticeFacts, OtherNotice } from "../rows/notices.ts";
import { decideNotice } from "./decide-notice.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const NOW = Date.UTC(2026, 5, 1);

const noticeOf = (changes: Partial<OtherNotice>): OtherNotice => ({
  ...{
    id: "9",
    kind: "source-down",
    notice: null,
    eventKey: "other",
    isOwn: true,
    isSent: true,
    state: "sent",
  },
  ...{ position: 1, createdMs: NOW - HOUR_MS, sentMs: NOW - HOUR_MS, reason: null, isFlapping: false },
  ...changes,
});
const decide = (
  kind: AlertKind,
  others: readonly OtherNotice[],
  { payload = { reason: "timeout" } as object, afterMs = HOUR_MS, ...facts }: Given = {},
) =>
  decideNotice(
    {
      ...{ kind, eventKey: "this", payload, position: 10, createdMs: NOW },
      noticeFacts: { others, toldMs: [], isOtherSourceDown: false, ...facts },
    },
    NOW + afterMs,
  );
type Given = Partial<NoticeFacts> & { payload?: object; afterMs?: number };
const acts = (...given: Parameters<typeof decide>) => decide(...given).act;

test("CALM-09 LAST-04 a source is reported as down once a day to a chat", () => {
  expect(acts("source-down", [])).toBe("send");
  expect(acts("source-down", [noticeOf({})])).toBe("merge");
  expect(acts("source-down", [noticeOf({ createdMs: NOW - 25 * HOUR_MS, sentMs: NOW - 25 * HOUR_MS })])).toBe(
    "send",
  );
  const lost = { state: "undeliverable", isSent: false, sentMs: null } as const;
  expect(acts("source-down", [noticeOf(lost)])).toBe("send");
});

test("LAST-04 a notice waits for others of its subject, and one that is over by then is not told", () => {
  expect(decide("source-down", [], { afterMs: 0 })).toEqual({ act: "wait", untilMs: NOW + 10_000 });
  const pending = { isSent: false, sentMs: null, state: "pending" } as const;
  expect(acts("source-down", [noticeOf({ ...pending, kind: "source-up", position: 11 })])).toBe("merge");
  expect(acts("source-up", [noticeOf({ isSent: false, sentMs: null, state: "merged" })])).toBe("merge");
});

test("CALM-09 a month whose requests are spent is reported after an outage, and once", () => {
  const payload = { reason: "quota-spent" };
  expect(acts("source-down", [noticeOf({})], { payload })).toBe("send");
  expect(acts("source-down", [noticeOf({ reason: "quota-spent" })], { payload })).toBe("merge");
  expect(acts("source-down", [noticeOf({ reason: "quota-spent" })])).toBe("merge");
});

test("CALM-09 LAST-04 a source is reported as up when all feeds for the chat have worked for half an hour, and once", () => {
  const down = noticeOf({});
  const up = noticeOf({ kind: "source-up", position: 2 });
  expect(decide("source-up", [down], { afterMs: 0 })).toEqual({ act: "wait", untilMs: NOW + 30 * MINUTE_MS });
  expect(acts("source-up", [down])).toBe("send");
  expect(acts("source-up", [down], { isOtherSourceDown: true })).toBe("merge");
  expect(acts("source-up", [up, down])).toBe("merge");
  expect(acts("source-up", [noticeOf({ position: 3 }), up, down])).toBe("send");
  const unsent = { isSent: false, sentMs: null } as const;
  expect(acts("source-up", [noticeOf({ position: 11, state: "pending", ...unsent }), down])).toBe("merge");
  expect(
    acts("source-up", [noticeOf({ ...unsent, kind: "source-up", position: 2, state: "expired" }), down]),
  ).toBe("send");
});

test("P17 the same notice for another person of the chat is a duplicate once it was sent; another one is not", () => {
  const other = { isOwn: false, eventKey: "this" };
  expect(acts("source-down", [noticeOf(other)])).toBe("merge");
  expect(acts("source-down", [noticeOf({ ...other, isSent: false, state: "pending" })])).toBe("send");
  expect(acts("source-down", [noticeOf({ isOwn: false })])).toBe("send");
  expect(acts("source-up", [noticeOf(other)])).toBe("merge");
});

test("LAST-04 the fourth notice of a person within a day waits until the first is a day old", () => {
  const toldMs = [1, 2, 3].map((hours) => NOW - hours * HOUR_MS);
  expect(decide("source-down", [], { toldMs })).toEqual({ act: "wait", untilMs: NOW + 21 * HOUR_MS });
  expect(acts("source-down", [], { toldMs: toldMs.slice(1) })).toBe("send");
  expect(acts("source-down", [], { toldMs, afterMs: 21 * HOUR_MS })).toBe("send");
  expect(acts("account-notice", [], { toldMs, payload: { notice: "password-changed" } })).toBe("send");
});

interface Row extends OtherNotice {
  readonly payload: object;
  readonly notBeforeMs: number;
}

/** The row after the policy has decided about it. */
function decidedRow(row: Row, rows: readonly Row[], nowMs: number): Row {
  const others = rows.filter((other) => other !== row).toReversed();
  const toldMs = rows.flatMap(({ sentMs }) => sentMs ?? []);
  const decided = decideNotice({ ...row, noticeFacts: { others, toldMs, isOtherSourceDown: false } }, nowMs);
  switch (decided.act) {
    case "wait":
      return { ...row, notBeforeMs: decided.untilMs };
    case "merge":
      return { ...row, state: "merged" };
    case "mark-flapping":
      return { ...row, isFlapping: true, payload: { ...row.payload, isFlapping: true } };
    default:
      return { ...row, state: "sent", isSent: true, sentMs: nowMs };
  }
}

/** Plays a source that fails and recovers, and a sender that asks the policy each minute. Returns what was told. */
function play(changes: readonly { readonly minute: number; readonly isDown: boolean }[], minutes: number) {
  const rows: Row[] = [];
  for (let minute = 0; minute < minutes; minute += 1) {
    const nowMs = NOW + minute * MINUTE_MS;
    for (const { isDown } of changes.filter((one) => one.minute === minute)) {
      const kind = isDown ? "source-down" : "source-up";
      const unsent = { isSent: false, state: "pending", sentMs: null, createdMs: nowMs } as const;
      const fresh = noticeOf({ ...unsent, kind, id: `${rows.length}`, position: rows.length + 1 });
      rows.push({ ...fresh, eventKey: `${minute}`, payload: { reason: "timeout" }, notBeforeMs: nowMs });
    }
    const nextDue = () =>
      rows.findIndex(({ state, notBeforeMs }) => state === "pending" && notBeforeMs <= nowMs);
    for (let at = nextDue(); at >= 0; at = nextDue()) {
      const row = rows[at];
      if (row !== undefined) rows[at] = decidedRow(row, rows, nowMs);
    }
  }
  return rows
    .filter(({ isSent }) => isSent)
    .toSorted((one, other) => (one.sentMs ?? 0) - (other.sentMs ?? 0))
    .map(({ kind, isFlapping, sentMs }) => ({ kind, isFlapping, minute: ((sentMs ?? 0) - NOW) / MINUTE_MS }));
}

describe("LAST-04 a source that flaps for six hours", () => {
  for (const [down, up] of [
    [20, 20],
    [10, 10],
    [30, 10],
    [5, 40],
    [60, 60],
    [1, 2],
  ] as const) {
    test(`${down} minutes down and ${up} up is one notice that says so, after the first outage was told`, () => {
      const changes = [];
      for (let minute = 0; minute < 360; minute += down + up) {
        changes.push({ minute, isDown: true }, { minute: minute + down, isDown: false });
      }
      const told = play(changes, 36 * 60);
      expect(told.length).toBeLessThanOrEqual(4);
      const inSixHours = told.filter(({ minute }) => minute < 360);
      expect(inSixHours.length).toBeLessThanOrEqual(3);
      expect(inSixHours.filter(({ isFlapping }) => isFlapping)).toHaveLength(1);
      expect(told.at(-1)?.kind).toBe("source-up");
    });
  }
});

test("LAST-04 one outage is two notices, and a second one the next day two more", () => {
  const changes = [10, 1500].flatMap((minute) => [
    { minute, isDown: true },
    { minute: minute + 100, isDown: false },
  ]);
  expect(play(changes, 3 * 24 * 60).map(({ kind }) => kind)).toEqual([
    ...["source-down", "source-up"],
    ...["source-down", "source-up"],
  ]);
});

test("LAST-04 whatever a source does for two days, no day has four notices, and in the end the person knows how it is", () => {
  const HORIZON = 5 * 24 * 60;
  const spans = fc.array(fc.oneof(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 50, max: 700 })), {
    minLength: 1,
    maxLength: 80,
  });
  fc.assert(
    fc.property(spans, (lengths) => {
      const changes: { minute: number; isDown: boolean }[] = [];
      let minute = 0;
      for (const length of lengths) {
        minute += length;
        if (minute > 2 * 24 * 60) break;
        changes.push({ minute, isDown: changes.length % 2 === 0 });
      }
      const told = play(changes, HORIZON);
      for (const { minute: from } of told) {
        const day = told.filter((one) => one.minute >= from && one.minute < from + 24 * 60);
        expect(day.length).toBeLessThanOrEqual(3);
      }
      const isDown = changes.at(-1)?.isDown ?? false;
      const said = told.at(-1)?.kind ?? "source-up";
      expect(said).toBe(isDown ? "source-down" : "source-up");
    }),
    drawn(30),
  );
});
