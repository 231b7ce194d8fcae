import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const LEAVES = /\blocation\s*(?:\.\s*(?:assign|replace)\b|(?:\.\s*href\s*)?=(?![=>]))|\bwindow\s*\.\s*open\b/;

test("READ-11: only two files navigate to another URL: the script in the head, to a sitePath, and the sign-in, to a provider", () => {
  const files = globSync("src/web/**/*.{ts,tsx}", { exclude: ["**/*.test.ts"] });
  const leaving = files.filter((file) => LEAVES.test(readFileSync(file, "utf8")));
  expect(leaving.sort()).toEqual(["src/web/features/auth/auth-calls.ts", "src/web/hydration/boot-script.ts"]);
});

test("READ-11: the server only redirects the web app's trailing slashes", () => {
  const files = globSync("src/server/**/*.ts", { exclude: ["**/*.test.ts"] });
  const redirecting = files.filter((file) => /\.redirect\(|\blocation:/.test(readFileSync(file, "utf8")));
  expect(redirecting).toEqual(["src/server/http/web-app.ts"]);
});
