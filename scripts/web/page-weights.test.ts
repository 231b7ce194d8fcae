import { expect, test } from "vitest";
import { BUDGETS_KB } from "./page-budgets.ts";
import { weighPages } from "./page-weights.ts";

// Reads the build that `npm run check` has made.
test("no page loads more scripts before the first interaction than its budget", async () => {
  const weights = await weighPages(Object.keys(BUDGETS_KB));
  for (const [path, { bytes }] of weights) {
    expect([path, bytes / 1000]).toEqual([
      path,
      expect.toSatisfy((kB: number) => kB <= (BUDGETS_KB[path] ?? 0)),
    ]);
    // An empty page would fit any budget.
    expect(bytes).toBeGreaterThan(1000);
  }
});

test("before the first interaction a legal page loads no application code, and home only its demo", async () => {
  const weights = await weighPages(["/privacy", "/"]);
  const packagesOf = (path: string) => [...(weights.get(path)?.byPackage.keys() ?? [])];
  expect(packagesOf("/privacy").filter((name) => !name.startsWith("src/") && name !== "build tools")).toEqual(
    [],
  );
  expect(packagesOf("/")).toContain("react-dom");
  for (const name of ["react-router", "i18next", "@tanstack/query-core", "@supabase/auth-js"]) {
    expect(packagesOf("/")).not.toContain(name);
  }
});
