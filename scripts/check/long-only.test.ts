// `npm test` shows every requirement that can be shown in short.
import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { isLong } from "./select-tests.ts";

/** Requirements that only a long test can show, each with the reason. */
const LONG_ONLY: Record<string, string> = {};

const idsIn = (files: readonly string[]) =>
  new Set(
    files.flatMap((file) =>
      [...readFileSync(file, "utf8").matchAll(/\b[A-Z]{3,8}-\d{2}\b/g)].map(([id]) => id),
    ),
  );
const files = globSync(["{src,simulators,supabase,scripts,test}/**/*.test.ts", "e2e/**/*.e2e.ts"]);

test("each requirement of a long test has a short one too, or a reason", () => {
  const short = idsIn(files.filter((file) => !isLong(file)));
  const long = idsIn(files.filter(isLong));
  expect(long.size).toBeGreaterThan(0);
  expect([...long].filter((id) => !short.has(id)).sort()).toEqual(Object.keys(LONG_ONLY).sort());
});
