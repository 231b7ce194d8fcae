import { expect, test } from "vitest";
import { clustersOf } from "./cluster.ts";

test("MAP-02 points near each other are one cluster, and each point is in one only", () => {
  const at = (x: number, y: number) => ({ x, y });
  expect(clustersOf([at(0, 0), at(8, -4), at(30, 0), at(-9, 9)], 10)).toEqual([
    { x: expect.closeTo(-1 / 6), y: expect.closeTo(5 / 6), spots: [at(-9, 9), at(8, -4), at(0, 0)] },
    { x: 30, y: 0, spots: [at(30, 0)] },
  ]);
  expect(clustersOf([], 10)).toEqual([]);
  const many = Array.from({ length: 5_000 }, (_, index) => at((index * 7919) % 613, (index * 104_729) % 571));
  const clusters = clustersOf(many, 26);
  expect(clusters.flatMap(({ spots }) => spots)).toHaveLength(many.length);
  expect(new Set(clusters.flatMap(({ spots }) => spots)).size).toBe(many.length);
});
