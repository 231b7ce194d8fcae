// Runs Lighthouse with its phone profile (median of five runs per page) on a product started for it, and measures the size of the
// scripts loaded before the first interaction. Pages are arguments: `npm run bench:web -- / /privacy`; by default three of them.
// Also measures tasks over 50 ms, and the time from the click to a usable field of the filter settings; `--phone` runs only these
// two. `--of=<folder>` measures another checkout, with its packages installed.
// Script sizes are as sent: compressed, with headers. Lighthouse's performance score assumes a machine four times as fast as a
// phone (index 1500 and more); on a slower one use `npm run bench:web -- --calibrated`.
// Targets at index 800 and more: performance 97, the other categories 100, layout shift 0, blocking time under 150 ms, largest
// paint within 1.5 s, scripts 110 kB on the landing page and 60 kB on legal pages.
// Lighthouse (130 MB) is downloaded when this runs, because nothing else needs it.
import { execFile } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { chromium } from "@playwright/test";
import { withProduct } from "#test/local-product.ts";
import { findBrowser, NO_BROWSER } from "../../scripts/find-browser.ts";
import { filterSettingsWaits } from "./filter-settings.ts";
import { longTasksOf } from "./long-tasks.ts";

type Result = {
  audits: Record<string, Audit>;
  categories: Record<string, { score: number | null; auditRefs: { id: string; weight: number }[] }>;
  environment: { benchmarkIndex: number };
};
type Audit = {
  title: string;
  score: number | null;
  numericValue?: number;
  details?: { items?: { resourceType?: string; transferSize?: number }[] };
};

const LIGHTHOUSE = "lighthouse@13.5.0";
const MAX_REPORT_BYTES = 64 * 1024 * 1024;
const chosen = process.argv.slice(2).filter((argument) => argument.startsWith("/"));
const PAGES = chosen.length > 0 ? chosen : ["/", "/es", "/privacy"];
const RUNS = 5;
const PORT = Number(process.env.PORT || 3980);
const DEBUGGING_PORT = PORT + 9;
/** Lighthouse's benchmark index of its reference phone: a desktop's 1700, four times slower. */
const PHONE_INDEX = 425;
/** The first check fills the demo. */
const FIRST_WORK_MS = 10_000;
const folder = process.argv.find((argument) => argument.startsWith("--of="))?.slice("--of=".length) ?? ".";
const isCalibrated = process.argv.includes("--calibrated");
const CATEGORIES = ["performance", "accessibility", "best-practices", "seo"];

const executablePath = findBrowser();
if (!executablePath) throw new Error(NO_BROWSER);
await withProduct({ port: PORT, folder }, async ({ origin }) => {
  await sleep(FIRST_WORK_MS);
  const rows = [];
  if (!process.argv.includes("--phone")) {
    for (const page of PAGES) rows.push(await measure(page));
    console.table(Object.fromEntries(rows));
  }
  for (const page of PAGES) {
    const { untilIdle, untilAlive } = await longTasksOf({ executablePath, url: origin + page, runs: RUNS });
    console.log(
      `${page} tasks over 50 ms: ${untilIdle.join(", ") || "none"}; from a touch: ${untilAlive.join(", ") || "none"}`,
    );
  }
  const waits = await filterSettingsWaits({ executablePath, origin, runs: RUNS });
  console.log(`filter settings, from the click to a usable field: ${waits.map(Math.round).join(", ")} ms`);
});

async function measure(page: string): Promise<[string, Record<string, string | number>]> {
  const results: Result[] = [];
  for (let run = 0; run < RUNS; run += 1) results.push(await visit(page));
  const median = (read: (result: Result) => number) =>
    results.map(read).sort((a, b) => a - b)[(RUNS - 1) / 2] ?? Number.NaN;
  const value = (id: string) => median((result) => result.audits[id]?.numericValue ?? Number.NaN);
  const scores = CATEGORIES.map((category) => [
    category,
    Math.round(median((result) => result.categories[category]?.score ?? 0) * 100),
  ]);
  return [
    page,
    {
      ...Object.fromEntries(scores),
      "first paint s": (value("first-contentful-paint") / 1000).toFixed(2),
      "largest paint s": (value("largest-contentful-paint") / 1000).toFixed(2),
      "blocked ms": Math.round(value("total-blocking-time")),
      "layout shift": value("cumulative-layout-shift").toFixed(4),
      "scripts kB": (median(scriptBytes) / 1000).toFixed(1),
      "all kB": (value("total-byte-weight") / 1000).toFixed(1),
      "machine index": median((result) => result.environment.benchmarkIndex),
    },
  ];
}

/** A new browser for each run, as on a first visit. */
async function visit(page: string): Promise<Result> {
  const browser = await chromium.launch({
    executablePath: executablePath ?? "",
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-background-networking",
      `--remote-debugging-port=${DEBUGGING_PORT}`,
    ],
  });
  try {
    // Sometimes the trace starts too late. Lighthouse reports that, and a second run helps.
    const result = await audit(page).catch((error: unknown) => {
      if (!String(error).includes("NO_NAVSTART")) throw error;
      return audit(page);
    });
    if (!isCalibrated) return result;
    const slowdown = Math.min(4, Math.max(1, result.environment.benchmarkIndex / PHONE_INDEX));
    return await audit(page, [`--throttling.cpuSlowdownMultiplier=${slowdown}`]);
  } finally {
    await browser.close();
  }
}

async function audit(page: string, flags: string[] = []): Promise<Result> {
  const { stdout } = await promisify(execFile)(
    "npm",
    [
      "exec",
      "--yes",
      `--package=${LIGHTHOUSE}`,
      "--",
      "lighthouse",
      `http://localhost:${PORT}${page}`,
      `--port=${DEBUGGING_PORT}`,
      "--quiet",
      "--output=json",
      "--no-enable-error-reporting",
      `--only-categories=${CATEGORIES.join(",")}`,
      ...flags,
    ],
    { maxBuffer: MAX_REPORT_BYTES },
  );
  const result = JSON.parse(stdout) as Result;
  if (process.env.BENCH_VERBOSE) printFailures(result);
  return result;
}

function scriptBytes({ audits }: Result): number {
  const requests = audits["network-requests"]?.details?.items ?? [];
  return requests
    .filter(({ resourceType }) => resourceType === "Script")
    .reduce((sum, { transferSize = 0 }) => sum + transferSize, 0);
}

function printFailures({ audits, categories }: Result): void {
  for (const category of CATEGORIES.slice(1)) {
    for (const { id, weight } of categories[category]?.auditRefs ?? []) {
      const audit = audits[id];
      if (weight > 0 && audit?.score !== null && (audit?.score ?? 1) < 1) {
        console.log(category, id, audit?.title, JSON.stringify(audit?.details ?? {}).slice(0, 600));
      }
    }
  }
}
