import { expect, test } from "vitest";
import { BusyError, createSemaphore } from "./semaphore.ts";

test("at most `atOnce` run at a time, in order of arrival, and a failure releases its slot", async () => {
  const semaphore = createSemaphore({ atOnce: 2 });
  const started: number[] = [];
  let acting = 0;
  let most = 0;
  const results = await Promise.allSettled(
    [0, 1, 2, 3, 4, 5].map((turn) =>
      semaphore.run(async () => {
        started.push(turn);
        acting += 1;
        most = Math.max(most, acting);
        await Promise.resolve();
        acting -= 1;
        if (turn % 2 === 0) throw new Error("no luck");
        return turn;
      }),
    ),
  );
  expect(most).toBe(2);
  expect(started).toEqual([0, 1, 2, 3, 4, 5]);
  expect(results.map(({ status }) => status)).toEqual(Array(3).fill(["rejected", "fulfilled"]).flat());
});

test("DOOR-02 callers take turns: a hundred requests of one caller do not delay a single request of another", async () => {
  const semaphore = createSemaphore({ atOnce: 1 });
  const order: string[] = [];
  const ask = (asker: string) =>
    semaphore.run(
      async () => {
        order.push(asker);
        await Promise.resolve();
      },
      { caller: asker },
    );
  const crowd = Array.from({ length: 100 }, () => ask("mallory"));
  await Promise.all([...crowd, ask("alice"), ask("bob")]);
  expect(order.slice(0, 5)).toEqual(["mallory", "mallory", "alice", "bob", "mallory"]);
  expect(order).toHaveLength(102);
});

test("DOOR-02 urgent callers go before the others, whose full queue does not refuse them", async () => {
  const semaphore = createSemaphore({ atOnce: 1, waiting: 3 });
  const order: string[] = [];
  const ask = (caller: string, isUrgent = false) =>
    semaphore.run(async () => void order.push(caller), { caller, isUrgent });
  const crowd = Array.from({ length: 6 }, (_, n) => ask(`stranger ${n}`));
  const known = ask("alice", true);
  const results = await Promise.allSettled([...crowd, known]);
  expect(order).toEqual(["stranger 0", "alice", "stranger 1", "stranger 2", "stranger 3"]);
  expect(results.filter(({ status }) => status === "rejected")).toHaveLength(2);
});

test("a caller is refused when too many callers wait or its turn does not come in time", async () => {
  const semaphore = createSemaphore({ atOnce: 1, waiting: 1, waitMs: 1 });
  const release = await semaphore.enter();
  const [late, surplus] = await Promise.allSettled([semaphore.enter(), semaphore.enter()]);
  expect([late, surplus]).toMatchObject([
    { reason: { name: "BusyError", message: "timed out waiting for a slot" } },
    { reason: { name: "BusyError", message: "too many callers waiting" } },
  ]);
  release();
  expect(await semaphore.run(async () => "free again")).toBe("free again");
  expect(late.status === "rejected" && late.reason).toBeInstanceOf(BusyError);
});

test("a lane is full when all slots are taken and as many wait as may", async () => {
  const semaphore = createSemaphore({ atOnce: 1, waiting: 1 });
  expect(semaphore.isFull()).toBe(false);
  const leave = await semaphore.enter();
  expect(semaphore.isFull()).toBe(false);
  const next = semaphore.enter();
  expect([semaphore.isFull(), semaphore.isFull({ isUrgent: true })]).toEqual([true, false]);
  await expect(semaphore.enter()).rejects.toThrow(BusyError);
  leave();
  (await next)();
  expect(semaphore.isFull()).toBe(false);
});
