import { expect, test } from "vitest";
import { createAdmission, firstCheckAllowances, newcomerChecksLeft } from "./first-check-allowance.ts";

const NO_CHATS = { chatChecksToday: 0, chatChecksThisMonth: 0 };

test("MAIL-10 one person's link changes cannot spend a small monthly quota", () => {
  const usual = { atOnce: 12, everySeconds: 1_800 };
  expect(firstCheckAllowances([]).person).toEqual(usual);
  expect(firstCheckAllowances([null, 1_000_000]).person).toEqual(usual);
  expect(firstCheckAllowances([1_000_000, 100]).person).toEqual({ atOnce: 7, everySeconds: 370_286 });
  expect(firstCheckAllowances([0]).person.atOnce).toBe(3);
});

test("READ-12: a chat has as many first checks as a person, an address a share of the month", () => {
  const { person, chat, address } = firstCheckAllowances([100]);
  expect([chat, address.atOnce]).toEqual([person, 10]);
  expect(firstCheckAllowances([12_000]).address).toEqual({ atOnce: 300, everySeconds: 8_640 });
  expect(firstCheckAllowances([null]).address).toEqual({ atOnce: 25_000_000, everySeconds: 0 });
});

test("READ-12: newcomers get a fifth of the remaining requests per day, and half of the month's", () => {
  const left = (used: number, checksToday: number, checksThisMonth: number) =>
    newcomerChecksLeft({ ...NO_CHATS, at: 0, limit: 1_000, used, checksToday, checksThisMonth });
  expect(left(0, 0, 0)).toMatchObject({ today: 50, thisMonth: 125 });
  // Today's checks are counted once.
  expect(left(200, 50, 50)).toMatchObject({ today: 0, thisMonth: 75 });
  expect(left(900, 0, 124)).toMatchObject({ today: 5, thisMonth: 1 });
  // At least one a day while requests are left.
  expect(left(990, 0, 0).today).toBe(1);
  expect(left(997, 0, 0).today).toBe(0);
  expect(left(2_000, 0, 0).today).toBe(0);
});

test("READ-12: a search waits until all of its payers have a first check available", () => {
  const now = Date.UTC(2026, 0, 31, 18);
  const hour = 3_600_000;
  const allowance = { atOnce: 2, everySeconds: 3_600 };
  const allowances = { person: allowance, chat: allowance, address: allowance };
  const month = { ...NO_CHATS, at: now, limit: 100, used: 0, checksToday: 4, checksThisMonth: 4 };
  const admit = createAdmission({ now, allowances, months: new Map([["official", month]]) });
  const payer = (kind: "person" | "chat" | "address", wholeInHours: number | null) => {
    const wholeAt = wholeInHours === null ? null : new Date(now + wholeInHours * hour);
    return { kind, id: `${kind} ${wholeInHours}`, wholeAt, firstAt: null, isOnlyInChat: false };
  };
  const old = { isNewcomer: false, isOnlyInChat: false, source: "official" } as const;
  const waits = (...payers: ReturnType<typeof payer>[]) => admit({ ...old, payers })?.getTime();
  expect(waits(payer("person", null), payer("chat", -5))).toBeUndefined();
  expect(waits(payer("person", 1))).toBeUndefined();
  expect(waits(payer("person", 1))).toBe(now + hour);
  expect(waits(payer("chat", 3), payer("address", 4))).toBe(now + 3 * hour);
  const someone = { payers: [], isNewcomer: true, isOnlyInChat: false };
  expect(admit({ ...someone, source: "official" })).toBeUndefined();
  expect(admit({ ...someone, source: "official" })).toEqual(new Date("2026-02-01T00:00:00Z"));
  expect(admit({ ...someone, source: "by-url" })).toBeUndefined();
});

test("START-07 newcomers who have only been in Telegram share half of what newcomers have, and at least one check", () => {
  const now = Date.UTC(2026, 0, 10, 18);
  const month = { ...NO_CHATS, at: now, limit: 100, used: 0, checksToday: 0, checksThisMonth: 0 };
  const allowances = firstCheckAllowances([100]);
  const admit = createAdmission({ now, allowances, months: new Map([["official", month]]) });
  const ask = (isOnlyInChat: boolean) =>
    admit({ payers: [], isNewcomer: true, isOnlyInChat, source: "official" });
  const tomorrow = new Date("2026-01-11T00:00:00Z");
  // Five a day for all newcomers, three of them for chats.
  expect([ask(true), ask(true), ask(true), ask(true)]).toEqual([undefined, undefined, undefined, tomorrow]);
  expect([ask(false), ask(false), ask(false)]).toEqual([undefined, undefined, tomorrow]);
  expect(newcomerChecksLeft({ ...month, limit: 4 })).toMatchObject({ today: 1, chatsToday: 1 });
  expect(newcomerChecksLeft({ ...month, checksThisMonth: 6, chatChecksThisMonth: 6 })).toMatchObject({
    thisMonth: 6,
    chatsThisMonth: 0,
  });
});
