// `npm run mutate -- <count> <seed>`: random one-line changes of src, one after another, and whether `npm test` notices them.
// The results are kept in a file by seed, so that a run that was stopped goes on where it was. To be affordable, the steps of
// `npm test` stop at the first failure, and the tests that import the changed file run first.
import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { seeded } from "../../test/seeded.ts";
import { findBrowser, NO_BROWSER } from "../find-browser.ts";
import { buildWebIfStale } from "../web/build-web.ts";
import { type Mutation, mutationsOf } from "./mutations.ts";
import { runTool, withTemporaryFolder } from "./run-tool.ts";
import { runStaticChecks } from "./static-checks.ts";

interface Result {
  number: number;
  path: string;
  line: number;
  before: string;
  after: string;
  /** The step that failed. Undefined if all passed. */
  noticedBy?: string;
}

const [count = 40, seed = 1] = process.argv.slice(2).map(Number);
const kept = `node_modules/.cache/mutations-${seed}.jsonl`;

if (execFileSync("git", ["status", "--porcelain", "src"], { encoding: "utf8" }) !== "")
  throw new Error("src has changes: commit them, or `git checkout src` after a run that was killed.");
const browser = findBrowser();
if (!browser) throw new Error(NO_BROWSER);

const chosen = choose();
const results = readKept();
await withTemporaryFolder(async () => {
  for (const [number, { path, mutation }] of chosen.entries()) {
    if (results.some((one) => one.number === number)) continue;
    const { line, before, after, source } = mutation;
    const noticedBy = await noticing(path, source, browser);
    const result: Result = { number, path, line, before, after, ...(noticedBy ? { noticedBy } : {}) };
    results.push(result);
    appendFileSync(kept, `${JSON.stringify(result)}\n`);
    process.stdout.write(`${rowOf(result)}\n`);
  }
});
const asked = results.filter(({ number }) => number < count);
process.stdout.write(`\n| change | noticed by |\n|---|---|\n${asked.map(rowOf).join("\n")}\n`);
process.stdout.write(
  `Seed ${seed}: ${asked.filter(({ noticedBy }) => noticedBy).length} of ${asked.length} noticed\n`,
);

/** The same for a seed, however many are asked for. */
function choose(): { path: string; mutation: Mutation }[] {
  const random = seeded(seed);
  const paths = globSync("src/**/*.{ts,tsx}")
    .filter((path) => !/\.test\.tsx?$|\.d\.ts$|database-types\.ts$/.test(path))
    .sort();
  const all = paths.flatMap((path) =>
    mutationsOf(path, readFileSync(path, "utf8")).map((mutation) => ({ path, mutation })),
  );
  return Array.from({ length: count }, () => all.splice(Math.floor(random() * all.length), 1)).flat();
}

function readKept(): Result[] {
  if (!existsSync(kept)) return [];
  const lines = readFileSync(kept, "utf8").split("\n").filter(Boolean);
  return lines.map((line) => JSON.parse(line) as Result);
}

async function noticing(path: string, changed: string, chromium: string): Promise<string | undefined> {
  const original = readFileSync(path, "utf8");
  const restore = () => writeFileSync(path, original);
  const stop = () => {
    restore();
    process.exit(1);
  };
  process.once("SIGINT", stop).once("SIGTERM", stop);
  writeFileSync(path, changed);
  try {
    for (const [name, passes] of stepsFor(path, chromium)) if (!(await passes())) return name;
    return undefined;
  } finally {
    restore();
    process.off("SIGINT", stop).off("SIGTERM", stop);
  }
}

function stepsFor(path: string, chromium: string): [name: string, passes: () => Promise<boolean>][] {
  const short = ["--run", "--bail=1", "--tags-filter=!long"];
  return [
    [
      "related tests",
      async () => (await runTool("vitest", ["related", path, "--passWithNoTests", ...short])).isGood,
    ],
    ["checks", async () => (await runStaticChecks()).failed === 0],
    [
      "build",
      () =>
        buildWebIfStale(() => {}).then(
          () => true,
          () => false,
        ),
    ],
    ["unit and database tests", async () => (await runTool("vitest", short)).isGood],
    [
      "browser tests",
      async () => {
        const args = ["test", "--grep-invert", "@long", "--max-failures=1", "--retries=1"];
        return (await runTool("playwright", args, { CHROMIUM_PATH: chromium })).isGood;
      },
    ],
  ];
}

function rowOf({ path, line, before, after, noticedBy }: Result): string {
  const code = (text: string) => `\`${text.replaceAll("|", "\\|")}\``;
  return `| ${path}:${line} ${code(before)} → ${code(after)} | ${noticedBy ?? "nothing"} |`;
}
