import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { packedFiles } from "./packed-files.ts";

const files = packedFiles();

test("RUN-06 the package contains the built web, our programs and what they need, and neither tests nor sources of the web", () => {
  const needed = [
    "package.json",
    "README.md",
    "LICENSE",
    "CHANGELOG.md",
    ".env.example",
    "scripts/launch.mjs",
  ];
  const ours = [
    "src/server/main.ts",
    "simulators/main.ts",
    "supabase/prepare-database.sql",
    "deploy/sereno.service",
  ];
  const built = ["build/client/index.html", "build/client/ru/index.html", "docs/operating.md"];
  expect([...needed, ...ours, ...built].filter((path) => !files.includes(path))).toEqual([]);
  expect(
    readdirSync("supabase/migrations").filter((name) => !files.includes(`supabase/migrations/${name}`)),
  ).toEqual([]);
  const unwanted =
    /\.test\.tsx?$|^(?:src\/web|test|e2e|bench|\.ci|\.github|node_modules|build\/server)\/|^package-lock|\.env$/;
  expect(files.filter((path) => unwanted.test(path))).toEqual([]);
});
