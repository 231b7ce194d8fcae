// `npm test`: every check and every test there is, the browser's included. Its last line says how many held.
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { check, type Tally, type Timing, tell } from "./check.ts";
import { findBrowser, NO_BROWSER } from "./find-browser.ts";
import { runTool } from "./run-tool.ts";

async function runBrowserTests(browser: string): Promise<Tally> {
  const folder = await mkdtemp(join(tmpdir(), "sereno-e2e-report-"));
  const file = join(folder, "playwright.json");
  try {
    const result = await runTool("playwright", ["test"], {
      ...process.env,
      CHROMIUM_PATH: browser,
      E2E_REPORT: file,
    });
    process.stdout.write(result.output);
    const { stats, errors, suites } = JSON.parse(await readFile(file, "utf8"));
    const failed = stats.unexpected + stats.flaky + errors.length;
    return {
      passed: stats.expected,
      failed: result.isGood ? failed : Math.max(1, failed),
      skipped: stats.skipped,
      timings: suites.flatMap(timingsIn),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

type PlaywrightSuite = {
  suites?: PlaywrightSuite[];
  specs: { title: string; file: string; tests: { results: { duration: number }[] }[] }[];
};

const timingsIn = ({ suites = [], specs }: PlaywrightSuite): Timing[] => [
  ...suites.flatMap(timingsIn),
  ...specs.map(({ title, file, tests }) => {
    const durations = tests.flatMap(({ results }) => results.map(({ duration }) => duration));
    return { durationMs: durations.reduce((sum, duration) => sum + duration, 0), file, title };
  }),
];

async function run(): Promise<Tally> {
  const browser = findBrowser();
  if (!browser) {
    process.stdout.write(`${NO_BROWSER}\n`);
    return { passed: 0, failed: 1, skipped: 0, timings: [] };
  }
  const checked = await check();
  const browsed = await runBrowserTests(browser);
  return {
    passed: checked.passed + browsed.passed,
    failed: checked.failed + browsed.failed,
    skipped: checked.skipped + browsed.skipped,
    timings: [...checked.timings, ...browsed.timings],
  };
}

const tally = await run();
tell(tally);
process.exit(tally.failed ? 1 : 0);
