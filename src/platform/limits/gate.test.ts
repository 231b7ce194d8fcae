import { expect, test } from "vitest";
import { createGate } from "./gate.ts";

test("no more than the limit act at once, in the order they came, and a failure frees its place", async () => {
  const gate = createGate(2);
  const started: number[] = [];
  let acting = 0;
  let most = 0;
  const results = await Promise.allSettled(
    [0, 1, 2, 3, 4, 5].map((turn) =>
      gate(async () => {
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

test("DOOR-02 those who wait take turns: one who asks once is not kept waiting by one who asks a hundred times", async () => {
  const gate = createGate(1);
  const order: string[] = [];
  const ask = (asker: string) =>
    gate(async () => {
      order.push(asker);
      await Promise.resolve();
    }, asker);
  const crowd = Array.from({ length: 100 }, () => ask("mallory"));
  await Promise.all([...crowd, ask("alice"), ask("bob")]);
  expect(order.slice(0, 5)).toEqual(["mallory", "mallory", "alice", "bob", "mallory"]);
  expect(order).toHaveLength(102);
});
