import { expect, test } from "vitest";
import { createRequestLog } from "./request-log.ts";

const entry = (status: number) => ({ requestId: "r", method: "GET", path: "/", status, durationMs: 1 });

test("RUN-12 a flood is logged as 1,000 lines a minute of each kind and one count of the rest; our failures are all logged", () => {
  let nowMs = 1_000_000;
  const lines: [object, string][] = [];
  const info = (facts: object, message: string) => void lines.push([facts, message]);
  const log = createRequestLog({ info } as never, () => nowMs);
  for (let count = 0; count < 2_000; count += 1) log(entry(200));
  for (let count = 0; count < 1_050; count += 1) log(entry(429));
  for (let count = 0; count < 400; count += 1) log(entry(503));
  expect(lines).toHaveLength(1_000 + 1_000 + 400);
  nowMs += 60_000;
  log(entry(200));
  expect(lines.slice(2_400)).toEqual([
    [{ succeeded: 1_000, refused: 50 }, "more requests in a minute"],
    [entry(200), "request"],
  ]);
});

test("RUN-12 ordinary requests are logged one by one", () => {
  const lines: string[] = [];
  const log = createRequestLog(
    { info: (_: object, message: string) => void lines.push(message) } as never,
    () => 0,
  );
  for (const status of [200, 304, 404, 500]) log(entry(status));
  expect(lines).toEqual(["request", "request", "request", "request"]);
});
