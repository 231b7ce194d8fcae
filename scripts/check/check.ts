// `npm run check`: all that needs neither browser nor database, for every save. `npm test`: everything a change can break
// unnoticed; `npm test -- <path or requirement>`: what belongs to it, without the rest. `npm run test:long`: what is long by
// nature. All parts run even if one fails; the last line has the totals.

import { findBrowser, NO_BROWSER } from "../find-browser.ts";
import { buildWebIfStale } from "../web/build-web.ts";
import { runLong } from "./run-long.ts";
import { runPlaywright, runVitest } from "./run-tests.ts";
import { withTemporaryFolder } from "./run-tool.ts";
import { selectTests } from "./select-tests.ts";
import { runStaticChecks } from "./static-checks.ts";
import { closingLine, NOTHING, sumOf, type Tally } from "./tally.ts";
import { describeTimes, keepBudgets, timesOf } from "./times.ts";

const [mode = "check", ...words] = process.argv.slice(2);
const tally = await withTemporaryFolder(run);
process.stdout.write(`${closingLine(tally)}\n`);
process.exit(tally.failed ? 1 : 0);

async function run(): Promise<Tally> {
  if (mode === "check") return runStaticChecks({ withStructure: true });
  if (mode === "test" && words.length > 0) return runSelected();
  const browser = findBrowser();
  if (!browser) return withoutBrowser();
  // Tests that start the whole product serve the real pages.
  await buildWeb();
  return mode === "long" ? runLong(browser) : runAll(browser);
}

function buildWeb(): Promise<void> {
  return buildWebIfStale((step) => process.stdout.write(`· ${step}\n`));
}

function withoutBrowser(): Tally {
  process.stdout.write(`${NO_BROWSER}\n`);
  return { ...NOTHING, failed: 1 };
}

async function runAll(browser: string): Promise<Tally> {
  const tally = sumOf([
    await runStaticChecks(),
    await runVitest({ length: "short" }),
    await runPlaywright(browser, { length: "short" }),
  ]);
  tellSlowest(tally);
  tellFlaky(tally);
  const times = timesOf(tally.files);
  process.stdout.write(`${describeTimes(times)}\n`);
  if (process.env.UPDATE_BUDGETS) {
    keepBudgets(times);
    return tally;
  }
  return { ...tally, failed: tally.failed + times.rows.filter(({ isOver }) => isOver).length };
}

async function runSelected(): Promise<Tally> {
  const { vitest, browser: files, title } = await selectTests(words);
  if (vitest.length + files.length === 0) {
    process.stdout.write(`No test belongs to ${words.join(" ")}.\n`);
    return { ...NOTHING, failed: 1 };
  }
  await buildWeb();
  const tallies: Tally[] = [];
  if (vitest.length > 0) tallies.push(await runVitest({ length: "short", files: vitest, title }));
  if (files.length > 0) {
    const browser = findBrowser();
    tallies.push(
      browser ? await runPlaywright(browser, { length: "short", files, title }) : withoutBrowser(),
    );
  }
  const tally = sumOf(tallies);
  tellFlaky(tally);
  return tally;
}

function tellSlowest({ tests }: Tally): void {
  const slowest = tests.toSorted((one, other) => other.durationMs - one.durationMs).slice(0, 20);
  process.stdout.write("The slowest:\n");
  for (const { durationMs, file, title } of slowest) {
    const seconds = (durationMs / 1000).toFixed(1).padStart(6);
    process.stdout.write(`${seconds} s  ${file.split("/").at(-1)}  ${title}`.slice(0, 120).concat("\n"));
  }
}

function tellFlaky({ flaky }: Tally): void {
  for (const { file, title, error } of flaky)
    process.stdout.write(`flaky: ${file}  ${title}\n${error.replaceAll(/^/gm, "    ")}\n`);
}
