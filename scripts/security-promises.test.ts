import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** What stands in brackets behind a promise: requirements or the beginnings of test names, and the files with the tests. */
const EVIDENCE = /(?:[(;]\s*)((?:[A-Z]+-?\d+|"[^"]+"|,|\s)*)((?:`[^`]+\.test\.ts`(?:,\s*)?)+)/g;

/** The line with the name of a test, also below a table of its cases. */
const TITLE = /^\s*(?:test\b.*)?["`]/;

test("each promise of SECURITY.md names a test that exists", () => {
  const text = readFileSync("SECURITY.md", "utf8");
  const promises = [...text.matchAll(EVIDENCE)].map(([, named = "", files = ""]) => ({
    names: [...named.matchAll(/[A-Z]+-?\d+|"[^"]+"/g)].map(([name]) => name.replaceAll('"', "")),
    files: [...files.matchAll(/`([^`]+)`/g)].map(([, file = ""]) => file),
  }));
  const named = promises.flatMap(({ files }) => files);
  expect(named).toEqual([...text.matchAll(/`([^`]+\.test\.ts)`/g)].map(([, file]) => file));
  const lacking = promises.flatMap(({ names, files }) =>
    files.flatMap((file) => {
      const titles = readFileSync(file, "utf8")
        .split("\n")
        .filter((line) => TITLE.test(line));
      const missing = names.filter((name) => !titles.some((title) => title.includes(name)));
      return names.length === 0 ? [file] : missing.map((name) => `${name} in ${file}`);
    }),
  );
  expect(lacking).toEqual([]);
});
