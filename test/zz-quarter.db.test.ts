import { appendFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { describeActs, type Quarter } from "#test/quarter/acts.ts";
import { drawQuarter } from "#test/quarter/draw-quarter.ts";
import { explainBreaches, tryQuarter } from "#test/quarter/try-quarter.ts";

const env = process.env as Record<string, string>;
test("quarter", { timeout: 7_200_000 }, async () => {
  const seed = Number(env.Q_SEED);
  const monthlyRequests = env.Q_KEY === "null" ? null : Number(env.Q_KEY);
  const size = { days: Number(env.Q_DAYS), people: Number(env.Q_PEOPLE), monthlyRequests };
  const quarter: Quarter = drawQuarter(seed, size);
  const out = env.Q_OUT as string;
  if (env.Q_ACTS) writeFileSync(`${out}.acts`, describeActs(quarter.acts));
  const report = await tryQuarter(quarter);
  const { breaches, answers, slower, homeOf, ...rest } = report;
  const iso = (at: number) => new Date(at).toISOString().slice(0, 16);
  appendFileSync(
    out,
    `${JSON.stringify({ seed, ...size, ...rest, answers, breaches: breaches.length, slower: slower.length })}\n${[...breaches].map((b) => `  ${b.what} person ${b.person} home ${b.code} (${homeOf.get(b.code ?? "")}) ${iso(b.at)}: ${b.details}`).join("\n")}\n`,
  );
  if (Number(env.Q_SHRINK ?? 0) > 0 && breaches.length)
    appendFileSync(out, await explainBreaches(quarter, report, Number(env.Q_SHRINK) * 1000));
  expect(true).toBe(true);
});
