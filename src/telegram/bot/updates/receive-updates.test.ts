import type { Api } from "grammy";
import type { Sql } from "postgres";
import { expect, test } from "vitest";
import { pollUpdates } from "./receive-updates.ts";

const silent = { info: () => {}, warn: () => {}, error: () => {} };

test("RUN-10 a server that answers every poll at once is asked at most once a second", async () => {
  const stop = new AbortController();
  const askedAt: number[] = [];
  const answers: unknown[] = [[], [], [{ not: "an update" }], []];
  const getUpdates = async () => {
    askedAt.push(performance.now());
    if (askedAt.length === answers.length) stop.abort();
    return answers[askedAt.length - 1];
  };
  const storedRows = (async () => [{ kept: 0, skipped: 0 }]) as unknown as Sql;
  await pollUpdates({
    api: { getUpdates } as unknown as Api,
    sql: storedRows,
    onKept: () => {},
    onAnswer: () => {},
    now: () => 0,
    logger: silent,
    signal: stop.signal,
  });
  const pauses = askedAt.slice(1).map((at, place) => at - (askedAt[place] ?? 0));
  expect(pauses).toHaveLength(3);
  // A timer may fire early by a millisecond or two.
  for (const pause of pauses) expect(pause).toBeGreaterThan(990);
});
