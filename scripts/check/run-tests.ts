// Runs Vitest and Playwright and reads their reports.
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { runTool, type ToolResult } from "./run-tool.ts";
import { type FileTime, NOTHING, type Tally } from "./tally.ts";

export interface Selection {
  /** Whether the tests with the tag "long" run, or all others. By default both. */
  length?: "short" | "long";
  /** All files if absent. */
  files?: readonly string[];
  /** An expression. */
  title?: string | undefined;
  environment?: NodeJS.ProcessEnv;
}

export interface VitestReport {
  numPassedTests: number;
  numFailedTests: number;
  testResults: {
    name: string;
    status: string;
    startTime: number;
    endTime: number;
    assertionResults: { title: string; status: string; tags?: string[]; duration?: number | null }[];
  }[];
}

export function runVitest({ length, files = [], title, environment }: Selection): Promise<Tally> {
  const args = [
    "run",
    ...(length === undefined ? [] : [`--tags-filter=${length === "long" ? "" : "!"}long`]),
    ...(title === undefined ? [] : ["-t", title]),
    "--reporter=default",
    "--reporter=json",
    ...files,
  ];
  return runReporting(
    (file) => runTool("vitest", [...args, `--outputFile.json=${file}`], environment),
    (told: VitestReport) => tallyOfVitest(told, title === undefined ? length : "selected"),
  );
}

/** Vitest counts the tests that a tag or a title leaves out as skipped. */
export function tallyOfVitest(told: VitestReport, length?: "short" | "long" | "selected"): Tally {
  const files = told.testResults.map((one) => ({ ...one, file: relative("", one.name) }));
  return {
    ...NOTHING,
    passed: told.numPassedTests,
    // A file that cannot be loaded has no failed test.
    failed: told.numFailedTests + files.filter(hasFailedAlone).length,
    skipped: files
      .flatMap(({ assertionResults }) => assertionResults)
      .filter(({ status, tags = [] }) => !RUN.includes(status) && isAsked(tags, length)).length,
    tests: files.flatMap(({ file, assertionResults }) =>
      assertionResults.map(({ title, duration }) => ({ durationMs: duration ?? 0, file, title })),
    ),
    files: files.map(({ file, startTime, endTime }) => ({
      kind: kindOf(file),
      file,
      durationMs: endTime - startTime,
    })),
  };
}

function hasFailedAlone({ status, assertionResults }: VitestReport["testResults"][number]): boolean {
  return status === "failed" && assertionResults.every((one) => one.status !== "failed");
}

function kindOf(file: string): FileTime["kind"] {
  if (file.endsWith(".tsx")) return "component";
  return file.endsWith(".db.test.ts") ? "database" : "unit";
}

const RUN = ["passed", "failed"];
const isAsked = (tags: readonly string[], length?: "short" | "long" | "selected") =>
  length === undefined || (length !== "selected" && tags.includes("long") === (length === "long"));

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
  browser: string,
  { length, files = [], title, environment }: Selection,
): Promise<Tally> {
  const isLong = length === "long";
  const args = [
    "test",
    ...(title === undefined && !isLong ? [] : ["--grep", isLong ? "@long" : `${title}`]),
    ...(length === "short" ? ["--grep-invert", "@long"] : []),
    ...files,
  ];
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
): Promise<Tally> {
  const folder = await mkdtemp(join(tmpdir(), "sereno-report-"));
  const file = join(folder, "report.json");
  try {
    const result = await command(file);
    process.stdout.write(result.output);
    // Without a report the tool did not get as far as the tests.
    const text = await readFile(file, "utf8").catch(() => undefined);
    if (text === undefined) return { ...NOTHING, failed: 1 };
    const told = tallyOf(JSON.parse(text));
    // A run can fail without a failed test, for example with a leak or an unhandled error.
    return result.isGood ? told : { ...told, failed: Math.max(1, told.failed) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
