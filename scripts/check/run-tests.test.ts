import { expect, test } from "vitest";
import { tallyOfPlaywright, tallyOfVitest, type VitestReport } from "./run-tests.ts";
import { closingLine, NOTHING, sumOf } from "./tally.ts";

const attempt = (message?: string) => ({ duration: 1_000, ...(message ? { error: { message } } : {}) });
const specs = [
  { title: "good", file: "a.e2e.ts", tests: [{ status: "expected", results: [attempt()] }] },
  {
    title: "shaky",
    file: "finds/b.e2e.ts",
    tests: [{ status: "flaky", results: [attempt("\u001b[31mtoo late\u001b[39m"), attempt()] }],
  },
  {
    title: "bad",
    file: "a.e2e.ts",
    tests: [{ status: "unexpected", results: [attempt("no"), attempt("no")] }],
  },
];
const report = {
  stats: { expected: 1, unexpected: 1, flaky: 1, skipped: 2 },
  errors: [],
  suites: [{ specs: [], suites: [{ specs }] }],
};

test("a browser test that passes in its second attempt is green and flaky, with its name and its first error", () => {
  const tally = tallyOfPlaywright(report);
  expect(tally).toMatchObject({ passed: 2, failed: 1, skipped: 2 });
  expect(tally.flaky).toEqual([{ file: "e2e/finds/b.e2e.ts", title: "shaky", error: "too late" }]);
  expect(tally.files.map(({ durationMs }) => durationMs)).toEqual([1_000, 2_000, 2_000]);
});

test("two flaky tests are green, more are red", () => {
  const flaky = { file: "e2e/a.e2e.ts", title: "shaky", error: "too late" };
  const passed = (count: number) => ({ ...NOTHING, passed: 3, flaky: Array(count).fill(flaky) });
  expect([2, 3].map((count) => sumOf([passed(count)]).failed)).toEqual([0, 3]);
  expect(sumOf([passed(1), passed(1), passed(1)]).failed).toBe(3);
});

test("the closing line counts everything that ran", () => {
  const all = sumOf([
    { ...NOTHING, passed: 3 },
    { ...NOTHING, passed: 2, failed: 1 },
  ]);
  expect(closingLine(all)).toBe("5 passed, 1 failed");
  expect(closingLine({ ...all, skipped: 2 })).toBe("5 passed, 1 failed, 2 skipped");
});

const tests = [
  { title: "x", status: "passed", duration: 500 },
  { title: "matrix", status: "skipped", tags: ["long"] },
  { title: "needs Linux", status: "skipped" },
];
const unitReport = {
  numPassedTests: 1,
  numFailedTests: 0,
  testResults: [
    {
      name: `${process.cwd()}/src/core/a.db.test.ts`,
      status: "failed",
      startTime: 1_000,
      endTime: 4_000,
      assertionResults: tests,
    },
  ],
};

test("a test file that cannot be loaded counts as failed, and the time of a file includes its hooks", () => {
  const tally = tallyOfVitest(unitReport);
  expect(tally).toMatchObject({ passed: 1, failed: 1 });
  expect(tally.files).toEqual([{ kind: "database", file: "src/core/a.db.test.ts", durationMs: 3_000 }]);
  expect(tally.tests[0]).toEqual({ file: "src/core/a.db.test.ts", title: "x", durationMs: 500 });
});

test("a failed test counts once", () => {
  const [file] = unitReport.testResults;
  const failing = { ...file, assertionResults: [{ title: "y", status: "failed" }] } as typeof file;
  expect(
    tallyOfVitest({ ...unitReport, numFailedTests: 1, testResults: [failing] as VitestReport["testResults"] })
      .failed,
  ).toBe(1);
});

test("a test that was not asked for is not counted as skipped", () => {
  const skipped = (["short", "long", "selected", undefined] as const).map(
    (length) => tallyOfVitest(unitReport, length).skipped,
  );
  expect(skipped).toEqual([1, 1, 0, 2]);
});
