import { expect, test } from "vitest";
import { intervalKindOf } from "#text/watch-interval.ts";
import * as constants from "./constants.ts";

const sources = import.meta.glob<string>(["../../**/*.{ts,tsx}", "!../../**/*.test.ts", "!./constants.ts"], {
  query: "?raw",
  import: "default",
  eager: true,
});
const filesWith = (pattern: RegExp) =>
  Object.keys(sources).filter((file) => pattern.test(sources[file] ?? ""));

test.each([
  ["DEMO_LISTING_LIMIT", 5],
  ["PASSWORD_MIN_LENGTH", 6],
  ["RESET_REDIRECT_MS", 2000],
  ["AUTH_RETRY_MS", 2000],
  ["WIZARD_PROGRESS_PERCENT", [33, 66, 100]],
  ["TOAST", { visible: 3, durationMs: 4000, widthPx: 356, gapPx: 14 }],
  ["TEXT_LOADING", { maxRetries: 5, retryTimeout: 350, maxParallelReads: 10 }],
] as const)(
  "OPS-01 OPS-02 %s has the specification's value, and the pages read it from one place",
  (name, value) => {
    expect(constants).toHaveProperty(name, value);
    expect(filesWith(new RegExp(`\\b${name}\\b`))).not.toEqual([]);
    expect(filesWith(new RegExp(`const ${name}\\b`))).toEqual([]);
  },
);

test("OPS-02 ten minutes is the longest interval that the pages promise", () => {
  const every = (intervalSeconds: number) =>
    intervalKindOf({ intervalSeconds, isServedByMail: false, spentUntil: null });
  expect([every(600), every(601)]).toEqual(["promised", "longer"]);
});
