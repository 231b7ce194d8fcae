// `npm run check`: everything but the browser. Every tool runs, so that one failure does not hide another.
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildWebIfStale } from "./build-web.ts";
import { runTool, type ToolResult } from "./run-tool.ts";

export type Timing = { durationMs: number; file: string; title: string };
export type Tally = { passed: number; failed: number; skipped: number; timings: Timing[] };

const CHECKS: { title: string; tool: string; args: string[] }[] = [
  { title: "types of the core", tool: "tsc", args: ["-p", "tsconfig.core.json"] },
  { title: "types of the server side", tool: "tsc", args: ["-p", "tsconfig.node.json"] },
  { title: "types of the web app", tool: "tsc", args: ["-p", "tsconfig.web.json"] },
  { title: "format and lint", tool: "biome", args: ["check", "--error-on-warnings", "."] },
  {
    title: "who imports whom",
    tool: "depcruise",
    args: ["--config", ".dependency-cruiser.mjs", "src", "simulators", "scripts"],
  },
  { title: "nothing unused", tool: "knip", args: ["--no-progress"] },
  { title: "migrations", tool: "squawk", args: ["supabase/migrations/*.sql"] },
];

export async function check(): Promise<Tally> {
  // The tests that start the whole product serve the real pages.
  await buildWebIfStale((step) => process.stdout.write(`· ${step}\n`));
  const generated = await runTool("react-router", ["typegen"]);
  if (!generated.isGood) report("types of the routes", generated);
  const queue = [...CHECKS];
  const results: boolean[] = [];
  const worker = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const result = await runTool(next.tool, next.args);
      report(next.title, result);
      results.push(result.isGood);
    }
  };
  await Promise.all([worker(), worker()]);
  const tests = await runTests();
  const good = results.filter(Boolean).length;
  return {
    passed: tests.passed + good,
    failed: tests.failed + results.length - good,
    skipped: tests.skipped,
    timings: tests.timings,
  };
}

/** The slowest tests, and as the last line how many held. */
export function tell({ passed, failed, skipped, timings }: Tally): void {
  const slowest = timings.toSorted((one, other) => other.durationMs - one.durationMs).slice(0, 20);
  process.stdout.write("The slowest:\n");
  for (const { durationMs, file, title } of slowest) {
    const seconds = (durationMs / 1000).toFixed(1).padStart(6);
    process.stdout.write(`${seconds} s  ${file.split("/").at(-1)}  ${title}`.slice(0, 120).concat("\n"));
  }
  process.stdout.write(`${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ""}\n`);
}

function report(title: string, { isGood, output }: ToolResult): void {
  process.stdout.write(`${isGood ? "✓" : "✗"} ${title}\n${isGood ? "" : output}`);
}

async function runTests(): Promise<Tally> {
  const folder = await mkdtemp(join(tmpdir(), "sereno-check-"));
  const file = join(folder, "vitest.json");
  try {
    const result = await runTool("vitest", [
      "run",
      "--reporter=default",
      "--reporter=json",
      `--outputFile.json=${file}`,
    ]);
    process.stdout.write(result.output);
    const counts = JSON.parse(await readFile(file, "utf8"));
    const failed = counts.numFailedTests + counts.numFailedTestSuites;
    return {
      passed: counts.numPassedTests,
      // A run that ends badly with no test to blame (a leak, an unhandled error) has failed all the same.
      failed: result.isGood ? failed : Math.max(1, failed),
      skipped: counts.numPendingTests + counts.numTodoTests,
      timings: timingsIn(counts),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

type VitestReport = {
  testResults: { name: string; assertionResults: { title: string; duration?: number | null }[] }[];
};

const timingsIn = ({ testResults }: VitestReport): Timing[] =>
  testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ title, duration }) => ({ durationMs: duration ?? 0, file: name, title })),
  );

if (import.meta.main) {
  const tally = await check();
  tell(tally);
  process.exit(tally.failed ? 1 : 0);
}
