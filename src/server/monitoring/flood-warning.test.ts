import { expect, test } from "vitest";
import { createFloodWatch } from "./flood-warning.ts";

test("RUN-12 what a flood is refused is counted, and warned of once a minute", () => {
  let nowMs = 0;
  const warnings: object[] = [];
  const counted: string[] = [];
  const watch = createFloodWatch({
    counters: {
      onConnections: (open) => void counted.push(`open ${open}`),
      onConnectionCut: (reason) => void counted.push(reason),
      onRequestLimited: (part) => void counted.push(part),
    },
    logger: { warn: (facts: object) => void warnings.push({ ...facts }) } as never,
    now: () => nowMs,
  });
  watch.onCount(3);
  for (let count = 0; count < 19; count += 1) watch.onCut("replaced");
  expect(warnings).toEqual([]);
  for (let count = 0; count < 500; count += 1) watch.onLimited("rest");
  expect(warnings).toEqual([{ "connections replaced": 19, "requests to rest": 1 }]);
  nowMs += 60_000;
  for (let count = 0; count < 30; count += 1) watch.onCut("refused");
  expect(warnings.slice(1)).toEqual([{ "connections refused": 20 }]);
  expect(counted).toHaveLength(1 + 19 + 500 + 30);
});
