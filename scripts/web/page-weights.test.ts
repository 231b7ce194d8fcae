import { expect, test } from "vitest";
import { BUDGETS_KB, MAP_BUDGETS_KB } from "./page-budgets.ts";
import { weighPages, weighPart } from "./page-weights.ts";

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

test("MAP-05 the map is a chunk of its own within its budget, and no page loads any of it before it is opened", async () => {
  const opened = await weighPart("/finds", "features/finds/map/finds-map.tsx");
  expect(opened.byFile.size).toBeGreaterThan(1);
  const [chunk = 0] = [...opened.byFile].flatMap(([file, bytes]) =>
    /^assets\/map-library-/.test(file) ? bytes : [],
  );
  expect(chunk / 1000).toBeGreaterThan(50);
  expect(chunk / 1000).toBeLessThanOrEqual(MAP_BUDGETS_KB.library);
  expect(opened.bytes / 1000).toBeLessThanOrEqual(MAP_BUDGETS_KB.page);
  const weights = await weighPages(Object.keys(BUDGETS_KB));
  for (const [path, { byFile, byPackage }] of weights) {
    expect([path, [...byFile.keys()].filter((file) => /^assets\/map-library-/.test(file))]).toEqual([
      path,
      [],
    ]);
    expect([path, byPackage.has("ol"), byPackage.has("pmtiles")]).toEqual([path, false, false]);
  }
  // The picture of an area in the wizard needs no map.
  const picture = await weighPart("/filter-settings", "components/map/area-picture.tsx");
  expect(picture.byPackage.has("ol")).toBe(false);
});
