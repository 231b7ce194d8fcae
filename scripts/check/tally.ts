/** What ran in one part of a run. */
export interface Tally {
  passed: number;
  failed: number;
  skipped: number;
  /** Tests of the browser that passed in their second attempt. */
  flaky: Flaky[];
  tests: Timing[];
  /** Also the time between a file's tests. */
  files: FileTime[];
}

export type Kind = "checks" | "unit" | "component" | "database" | "browser";

interface Timing {
  file: string;
  title: string;
  durationMs: number;
}

interface Flaky {
  file: string;
  title: string;
  error: string;
}

export interface FileTime {
  kind: Kind;
  file: string;
  durationMs: number;
}

export const NOTHING: Tally = { passed: 0, failed: 0, skipped: 0, flaky: [], tests: [], files: [] };

/** A change that makes a test fail now and then must not hide among others. */
const MOST_FLAKY = 2;

export function sumOf(tallies: readonly Tally[]): Tally {
  const count = (key: "passed" | "failed" | "skipped") => tallies.reduce((sum, one) => sum + one[key], 0);
  const flaky = tallies.flatMap((one) => one.flaky);
  return {
    passed: count("passed"),
    failed: count("failed") + (flaky.length > MOST_FLAKY ? flaky.length : 0),
    skipped: count("skipped"),
    flaky,
    tests: tallies.flatMap(({ tests }) => tests),
    files: tallies.flatMap(({ files }) => files),
  };
}

export const closingLine = ({ passed, failed, skipped }: Tally) =>
  `${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ""}`;
