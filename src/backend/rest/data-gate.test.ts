import { expect, test } from "vitest";
import { createDataGate, DATA_LIMITS } from "./data-gate.ts";

const LIMITS = { ...DATA_LIMITS, waitMs: 60_000 };

/** Starts requests that end when the test says so. */
function ask(gate: ReturnType<typeof createDataGate>, person: string, address: string) {
  const done = Promise.withResolvers<Response>();
  const state = { isAtWork: false };
  const answer = gate({ person, address }, () => {
    state.isAtWork = true;
    return done.promise;
  });
  return { state, answer, finish: () => done.resolve(new Response(null, { status: 200 })) };
}

const many = <T>(count: number, make: (number: number) => T) =>
  Array.from({ length: count }, (_, n) => make(n));
const settle = () => new Promise((resolve) => setImmediate(resolve));

test("DOOR-02 one person runs four requests at once, and the next starts when one of them ends", async () => {
  const gate = createDataGate(LIMITS);
  const asked = many(6, () => ask(gate, "mallory", "192.0.2.1"));
  const running = () => asked.map(({ state }) => state.isAtWork);
  expect(running()).toEqual([true, true, true, true, false, false]);
  asked[2]?.finish();
  await settle();
  expect(running()).toEqual([true, true, true, true, true, false]);
  for (const { finish } of asked) finish();
  const answers = await Promise.all(asked.map(({ answer }) => answer));
  expect(answers.map(({ status }) => status)).toEqual(many(6, () => 200));
});

test("DOOR-02 an address with any number of accounts leaves places for every other address", async () => {
  const gate = createDataGate(LIMITS);
  const asked = many(40, (n) => ask(gate, `mallory-${n}`, "192.0.2.1"));
  expect(asked.filter(({ state }) => state.isAtWork)).toHaveLength(LIMITS.perAddress);
  const alice = ask(gate, "alice", "198.51.100.7");
  expect(alice.state.isAtWork).toBe(true);
  for (const { finish } of [alice, ...asked]) finish();
  await Promise.all(asked.map(({ answer }) => answer));
});

test("DOOR-02 when all places are taken, the caller with the fewest running requests goes next", async () => {
  const gate = createDataGate(LIMITS);
  const hungry = many(16, (n) => ask(gate, `mallory-${n % 4}`, `192.0.2.${n % 2}`));
  const alice = ask(gate, "alice", "198.51.100.7");
  expect([hungry.filter(({ state }) => state.isAtWork).length, alice.state.isAtWork]).toEqual([
    LIMITS.total,
    false,
  ]);
  hungry[0]?.finish();
  await settle();
  expect(alice.state.isAtWork).toBe(true);
  for (const { finish } of [alice, ...hungry]) finish();
  await Promise.all(hungry.map(({ answer }) => answer));
});

test("DOOR-02 too many waiting requests or too long a wait is refused: 429 if the own ones are the cause, 503 otherwise", async () => {
  const crowd = createDataGate(LIMITS);
  const asked = many(LIMITS.perPerson + LIMITS.waiting, () => ask(crowd, "mallory", "192.0.2.1"));
  expect((await ask(crowd, "mallory", "192.0.2.1").answer).status).toBe(429);
  for (const { finish } of asked) finish();

  const hasty = createDataGate({ ...LIMITS, waitMs: 1 });
  const places = many(LIMITS.total, (n) => ask(hasty, `person-${n}`, `192.0.2.${n}`));
  const late = await ask(hasty, "alice", "198.51.100.7").answer;
  expect([late.status, late.headers.get("retry-after")]).toEqual([503, "1"]);
  for (const { finish } of places) finish();
  await Promise.all(places.map(({ answer }) => answer));
  // Requests that gave up hold no places.
  const again = many(LIMITS.total, (n) => ask(hasty, `person-${n}`, `192.0.2.${n}`));
  expect(again.every(({ state }) => state.isAtWork)).toBe(true);
  for (const { finish } of again) finish();
});

test("a request that fails frees its place", async () => {
  const gate = createDataGate({ ...LIMITS, perPerson: 1 });
  const caller = { person: "alice", address: "198.51.100.7" };
  await expect(gate(caller, () => Promise.reject(new Error("no luck")))).rejects.toThrow("no luck");
  expect((await gate(caller, async () => new Response())).status).toBe(200);
});
