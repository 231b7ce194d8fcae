import { expect, test } from "vitest";
import { createAnswerBudget, createExportLimit } from "./answer-budget.ts";

const MB = 1024 * 1024;
const LIMITS = { perPerson: 8 * MB, perAddress: 16 * MB, total: 32 * MB };
const at = (person: string, address: string) => ({ person, address });
const never = new Promise<void>(() => {});

test("BYTE-02 a person who leaves too much unread gets no more until it is written", async () => {
  const budget = createAnswerBudget(LIMITS);
  const { promise: written, resolve } = Promise.withResolvers<void>();
  budget.hold(at("alice", "one"), { bytes: 8 * MB, written });
  expect(budget.isSpent(at("alice", "two"))).toBe(true);
  expect(budget.isSpent(at("bob", "one"))).toBe(false);
  resolve();
  await written;
  expect(budget.isSpent(at("alice", "two"))).toBe(false);
});

test("BYTE-02 many accounts at one address share its budget, and all callers the total", () => {
  const budget = createAnswerBudget(LIMITS);
  for (const person of ["a", "b"]) budget.hold(at(person, "one"), { bytes: 8 * MB, written: never });
  expect(budget.isSpent(at("c", "one"))).toBe(true);
  for (const person of ["d", "e"]) budget.hold(at(person, person), { bytes: 8 * MB, written: never });
  for (const person of ["d", "e"]) expect(budget.isSpent(at("f", person))).toBe(true);
  // Those who have read everything are not made to wait for those who have not.
  expect(budget.isSpent(at("g", "g"))).toBe(false);
});

test("BYTE-02 small answers are not counted", () => {
  const budget = createAnswerBudget({ ...LIMITS, perPerson: 1 });
  budget.hold(at("alice", "one"), { bytes: 10_000, written: never });
  expect(budget.isSpent(at("alice", "one"))).toBe(false);
});

test("BYTE-02 exports of a person run one at a time, until the answer is written, and five times an hour", async () => {
  let now = 0;
  const limit = createExportLimit(() => now);
  const ask = async (userId: string, written: Promise<unknown>) => {
    const caller = { address: "one", userAgent: null };
    const call = {
      name: "export_my_data",
      args: new Map(),
      bearer: { userId, sessionId: "s" },
      caller,
      written,
    };
    return limit(call, async () => new Response("all"));
  };
  const { promise: written, resolve } = Promise.withResolvers<void>();
  expect((await ask("alice", written)).status).toBe(200);
  const second = await ask("alice", Promise.resolve());
  expect([second.status, second.headers.get("retry-after")]).toEqual([429, "15"]);
  expect((await ask("bob", Promise.resolve())).status).toBe(200);
  resolve();
  await written;
  const statuses: number[] = [];
  for (let turn = 0; turn < 5; turn += 1) statuses.push((await ask("alice", Promise.resolve())).status);
  expect(statuses).toEqual([200, 200, 200, 200, 429]);
  now += 12 * 60_000;
  expect((await ask("alice", Promise.resolve())).status).toBe(200);
});

test("BYTE-02 an export that fails does not block the next", async () => {
  const limit = createExportLimit(() => 0);
  const caller = { address: "one", userAgent: null };
  const call = {
    name: "export_my_data",
    args: new Map(),
    bearer: { userId: "a", sessionId: "s" },
    caller,
    written: never,
  };
  const failing = limit(call, async () => Promise.reject(new Error("no database")));
  await expect(failing).rejects.toThrow("no database");
  expect((await limit(call, async () => new Response("all"))).status).toBe(200);
});
