import { execFileSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { appendFileSync } from "node:fs";
import { glob, readFile } from "node:fs/promises";
import { runPlaywright, runVitest } from "./run-tests.ts";
import { closingLine, NOTHING, sumOf, type Tally } from "./tally.ts";

/** How many times the usual number of generated cases. */
const GENERATED_TIMES = 20;
/** One simulated quarter takes minutes: here with half of its people. */
const SIMULATED_TIMES = 0.5;

interface Part {
  name: string;
  run(): Promise<Tally>;
}

/** Prints a table of its parts, with the seed that repeats the run. */
export async function runLong(browser: string): Promise<Tally> {
  const seed = process.env.SEQUENCE_SEED ?? String(randomInt(1, 2 ** 31));
  const casesOf = (times: number) => ({
    SEQUENCE_SEED: seed,
    SEQUENCE_RUNS: process.env.SEQUENCE_RUNS ?? String(times),
  });
  const parts: readonly Part[] = [
    {
      name: "generated cases",
      run: async () =>
        runVitest({ length: "short", files: await generatedTests(), environment: casesOf(GENERATED_TIMES) }),
    },
    {
      name: "loops, days, the packed release",
      run: () => runVitest({ length: "long", environment: casesOf(SIMULATED_TIMES) }),
    },
    {
      name: "matrices in the browser",
      run: () => runPlaywright(browser, { length: "long" }),
    },
    { name: "other browsers", run: async () => otherBrowsers() },
  ];
  const rows: string[] = [];
  const tallies: Tally[] = [];
  for (const { name, run } of parts) {
    const from = performance.now();
    const tally = await run();
    tallies.push(tally);
    const seconds = ((performance.now() - from) / 1000).toFixed(0);
    rows.push(`| ${name} | ${closingLine(tally)} | ${tally.flaky.length} | ${seconds} |`);
  }
  tell(`Seed ${seed}\n\n| part | result | flaky | seconds |\n|---|---|---|---|\n${rows.join("\n")}\n`);
  return sumOf(tallies);
}

/** Those that draw their cases with `test/seeded.ts`. */
async function generatedTests(): Promise<string[]> {
  const files: string[] = [];
  for await (const file of glob("{src,simulators,supabase,scripts,test}/**/*.test.ts")) {
    if (/\b(drawn|SEQUENCE_SEED)\b/.test(await readFile(file, "utf8"))) files.push(file);
  }
  return files;
}

/** Programs of their own, which install browsers and say what they could not run. */
function otherBrowsers(): Tally {
  try {
    execFileSync("npm", ["run", "--silent", "browsers"], { stdio: "inherit" });
    return { ...NOTHING, passed: 1 };
  } catch {
    return { ...NOTHING, failed: 1 };
  }
}

function tell(table: string): void {
  process.stdout.write(table);
  const summary = process.env.GITHUB_STEP_SUMMARY;
  if (summary) appendFileSync(summary, table);
}
