// Runs Vitest and Playwright and reads their reports.
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { runTool, type ToolResult } from "./run-tool.ts";
import { NOTHING, type Tally } from "./tally.ts";

/** Parts of file names, and an expression for titles. */
export interface Selection {
  files?: readonly string[];
  title?: string | undefined;
  environment?: NodeJS.ProcessEnv;
}

type VitestProject = "unit" | "database" | "long";
type BrowserProject = "browser" | "long-browser";

export interface VitestReport {
  numPassedTests: number;
  numFailedTests: number;
  numFailedTestSuites: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: {
    name: string;
    startTime: number;
    endTime: number;
    assertionResults: { title: string; duration?: number | null }[];
  }[];
}

export function runVitest(projects: readonly VitestProject[], selection: Selection = {}): Promise<Tally> {
  const { files = [], title, environment } = selection;
  const args = [
    "run",
    ...projects.flatMap((project) => ["--project", project]),
    ...(title === undefined ? [] : ["-t", title]),
    "--reporter=default",
    "--reporter=json",
    ...files,
  ];
  return runReporting(
    (file) => runTool("vitest", [...args, `--outputFile.json=${file}`], environment),
    tallyOfVitest,
    // Tests that the title leaves out count as skipped.
    title === undefined ? undefined : { skipped: 0 },
  );
}

export function tallyOfVitest(told: VitestReport): Tally {
  const files = told.testResults.map((one) => ({ ...one, file: relative("", one.name) }));
  return {
    ...NOTHING,
    passed: told.numPassedTests,
    failed: told.numFailedTests + told.numFailedTestSuites,
    skipped: told.numPendingTests + told.numTodoTests,
    tests: files.flatMap(({ file, assertionResults }) =>
      assertionResults.map(({ title, duration }) => ({ durationMs: duration ?? 0, file, title })),
    ),
    files: files.map(({ file, startTime, endTime }) => ({
      kind: file.endsWith(".db.test.ts") ? "database" : "unit",
      file,
      durationMs: endTime - startTime,
    })),
  };
}

interface PlaywrightSuite {
  suites?: PlaywrightSuite[];
  specs: {
    title: string;
    file: string;
    tests: { status: string; results: { duration: number; error?: { message?: string } }[] }[];
  }[];
}
export interface PlaywrightReport {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
  errors: unknown[];
  suites: PlaywrightSuite[];
}

export function runPlaywright(
  project: BrowserProject,
  browser: string,
  selection: Selection = {},
): Promise<Tally> {
  const { files = [], title, environment } = selection;
  const args = ["test", "--project", project, ...(title === undefined ? [] : ["--grep", title]), ...files];
  const command = (file: string) =>
    runTool("playwright", args, { ...environment, CHROMIUM_PATH: browser, E2E_REPORT: file });
  return runReporting(command, tallyOfPlaywright);
}

export function tallyOfPlaywright({ stats, errors, suites }: PlaywrightReport): Tally {
  const tests = suites.flatMap(testsIn);
  return {
    ...NOTHING,
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected + errors.length,
    skipped: stats.skipped,
    flaky: tests
      .filter(({ isFlaky }) => isFlaky)
      .map(({ file, title, error }) => ({ file, title, error: stripVTControlCharacters(error) })),
    tests,
    files: tests.map(({ file, durationMs }) => ({ kind: "browser", file, durationMs })),
  };
}

function testsIn({ suites = [], specs }: PlaywrightSuite): {
  file: string;
  title: string;
  durationMs: number;
  isFlaky: boolean;
  error: string;
}[] {
  const own = specs.map(({ title, file, tests }) => {
    const results = tests.flatMap((test) => test.results);
    return {
      file: join("e2e", file),
      title,
      durationMs: results.reduce((sum, { duration }) => sum + duration, 0),
      isFlaky: tests.some(({ status }) => status === "flaky"),
      error: results.find(({ error }) => error)?.error?.message ?? "",
    };
  });
  return [...suites.flatMap(testsIn), ...own];
}

/** Runs tests with a reporter that writes to a file. */
async function runReporting<Report>(
  command: (file: string) => Promise<ToolResult>,
  tallyOf: (report: Report) => Tally,
  known: Partial<Tally> = {},
): Promise<Tally> {
  const folder = await mkdtemp(join(tmpdir(), "sereno-report-"));
  const file = join(folder, "report.json");
  try {
    const result = await command(file);
    process.stdout.write(result.output);
    // Without a report the tool did not get as far as the tests.
    const text = await readFile(file, "utf8").catch(() => undefined);
    if (text === undefined) return { ...NOTHING, failed: 1 };
    const told = { ...tallyOf(JSON.parse(text)), ...known };
    // A run can fail without a failed test, for example with a leak or an unhandled error.
    return result.isGood ? told : { ...told, failed: Math.max(1, told.failed) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
