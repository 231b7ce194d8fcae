// `npm run check` runs every check but the browser tests; `npm test` runs those too. All tools run even if one fails;
// the last line has the totals.
import { spawn } from "node:child_process";
import { chmod, mkdtemp, readFile, rm, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findBrowser, NO_BROWSER } from "./find-browser.ts";
import { buildWebIfStale } from "./web/build-web.ts";

type Timing = { durationMs: number; file: string; title: string };
type Tally = { passed: number; failed: number; skipped: number; timings: Timing[] };
type ToolResult = { isGood: boolean; output: string };

/** In native code, four times as fast. The tools that read our code need `typescript`, whose program has the same name. */
const TYPES = join("..", "typescript-native", "bin", "tsc");
/** Two checks run at once. The threads of one check would repeat each other's work, a quarter of it. */
const types = (project: string) => ({ tool: TYPES, args: ["-p", project, "--singleThreaded"] });

const CHECKS: { title: string; tool: string; args: string[] }[] = [
  { title: "types of the server side", ...types("tsconfig.node.json") },
  { title: "types of the web app", ...types("tsconfig.web.json") },
  { title: "format and lint", tool: "biome", args: ["check", "--error-on-warnings", "."] },
  { title: "types of the core", ...types("tsconfig.core.json") },
  {
    title: "who imports whom",
    tool: "depcruise",
    args: ["--config", ".dependency-cruiser.mjs", "src", "simulators", "scripts"],
  },
  { title: "nothing unused", tool: "knip", args: ["--no-progress"] },
  { title: "nothing used by tests only", tool: "knip", args: ["--no-progress", "--production"] },
  { title: "migrations", tool: "squawk", args: ["supabase/migrations/*.sql"] },
];

/** Linux's file system in memory. The tests create and drop hundreds of databases, of several hundred files each. */
const MEMORY_FOLDER = "/dev/shm";
const LEAST_FREE_BYTES = 4 * 1024 ** 3;

const temporaryFolder = await createTemporaryFolder();
const tally = await run(process.argv.includes("--browser"));
await rm(temporaryFolder, { recursive: true, force: true });
tell(tally);
process.exit(tally.failed ? 1 : 0);

async function createTemporaryFolder(): Promise<string> {
  const { bavail, bsize } = await statfs(MEMORY_FOLDER).catch(() => ({ bavail: 0, bsize: 0 }));
  const parent = bavail * bsize >= LEAST_FREE_BYTES ? MEMORY_FOLDER : tmpdir();
  const folder = await mkdtemp(join(parent, "sereno-check-"));
  // For root, PostgreSQL runs as another user.
  await chmod(folder, 0o1777);
  return folder;
}

async function run(isBrowserAsked: boolean): Promise<Tally> {
  const browser = isBrowserAsked ? findBrowser() : undefined;
  if (isBrowserAsked && !browser) {
    process.stdout.write(`${NO_BROWSER}\n`);
    return { passed: 0, failed: 1, skipped: 0, timings: [] };
  }
  // Tests that start the whole product serve the real pages.
  await buildWebIfStale((step) => process.stdout.write(`· ${step}\n`));
  const tallies = [await runChecks(), await runTests()];
  if (browser) tallies.push(await runBrowserTests(browser));
  const sum = (key: "passed" | "failed" | "skipped") => tallies.reduce((all, one) => all + one[key], 0);
  return {
    passed: sum("passed"),
    failed: sum("failed"),
    skipped: sum("skipped"),
    timings: tallies.flatMap(({ timings }) => timings),
  };
}

function tell({ passed, failed, skipped, timings }: Tally): void {
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

async function runChecks(): Promise<Tally> {
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
  const passed = results.filter(Boolean).length;
  return { passed, failed: results.length - passed, skipped: 0, timings: [] };
}

type VitestReport = {
  numPassedTests: number;
  numFailedTests: number;
  numFailedTestSuites: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: { name: string; assertionResults: { title: string; duration?: number | null }[] }[];
};

function runTests(): Promise<Tally> {
  const command = (file: string) =>
    runTool("vitest", ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${file}`]);
  return runReporting(command, (told: VitestReport) => ({
    passed: told.numPassedTests,
    failed: told.numFailedTests + told.numFailedTestSuites,
    skipped: told.numPendingTests + told.numTodoTests,
    timings: told.testResults.flatMap(({ name, assertionResults }) =>
      assertionResults.map(({ title, duration }) => ({ durationMs: duration ?? 0, file: name, title })),
    ),
  }));
}

type PlaywrightSuite = {
  suites?: PlaywrightSuite[];
  specs: { title: string; file: string; tests: { results: { duration: number }[] }[] }[];
};
type PlaywrightReport = {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
  errors: unknown[];
  suites: PlaywrightSuite[];
};

function runBrowserTests(browser: string): Promise<Tally> {
  const command = (file: string) =>
    runTool("playwright", ["test"], { ...process.env, CHROMIUM_PATH: browser, E2E_REPORT: file });
  return runReporting(command, ({ stats, errors, suites }: PlaywrightReport) => ({
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky + errors.length,
    skipped: stats.skipped,
    timings: suites.flatMap(timingsIn),
  }));
}

function timingsIn({ suites = [], specs }: PlaywrightSuite): Timing[] {
  const own = specs.map(({ title, file, tests }) => {
    const durations = tests.flatMap(({ results }) => results.map(({ duration }) => duration));
    return { durationMs: durations.reduce((sum, duration) => sum + duration, 0), file, title };
  });
  return [...suites.flatMap(timingsIn), ...own];
}

/** Runs tests with a reporter that writes to a file. */
async function runReporting<Report>(
  command: (file: string) => Promise<ToolResult>,
  tallyOf: (report: Report) => Tally,
): Promise<Tally> {
  const folder = await mkdtemp(join(tmpdir(), "sereno-check-"));
  const file = join(folder, "report.json");
  try {
    const result = await command(file);
    process.stdout.write(result.output);
    const told = tallyOf(JSON.parse(await readFile(file, "utf8")));
    // A run can fail without a failed test, for example with a leak or an unhandled error.
    return result.isGood ? told : { ...told, failed: Math.max(1, told.failed) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function runTool(
  name: string,
  args: string[],
  environment: NodeJS.ProcessEnv = process.env,
): Promise<ToolResult> {
  return new Promise((resolve) => {
    const child = spawn(join("node_modules", ".bin", name), args, {
      env: {
        ...environment,
        TMPDIR: temporaryFolder,
        PATH: `${join(process.cwd(), "node_modules", ".bin")}:${process.env.PATH}`,
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    const keep = (chunk: Buffer) => {
      output += chunk;
    };
    child.stdout.on("data", keep);
    child.stderr.on("data", keep);
    child.on("error", (error) => resolve({ isGood: false, output: error.message }));
    child.on("close", (code) => resolve({ isGood: code === 0, output }));
  });
}
