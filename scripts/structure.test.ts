// Limits on the structure of the sources that no linter has: folder sizes, and names that stand for one thing.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { expect, test } from "vitest";

const FOLDERS = ["src", "simulators", "scripts", "test", "e2e", "bench"];
const MOST_FILES = 20;
const isTest = (path: string) => /\.test\.tsx?$/.test(path);

const files = (
  await Promise.all(
    FOLDERS.map(async (folder) =>
      (
        await readdir(folder, { recursive: true, withFileTypes: true })
      )
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => join(parentPath, name)),
    ),
  )
).flat();

test(`no folder has more than ${MOST_FILES} files, not counting tests and READMEs`, () => {
  const counts = new Map<string, number>();
  for (const path of files.filter((path) => !isTest(path) && !path.endsWith("README.md")))
    counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
  expect([...counts].filter(([, count]) => count > MOST_FILES)).toEqual([]);
});

test("an exported name is declared in one file of src", () => {
  const declaredIn = new Map<string, string[]>();
  // The router prescribes the exports of route files.
  const sources = files.filter((path) => /^src\/(?!web\/app\/).*\.tsx?$/.test(path) && !isTest(path));
  for (const path of sources) {
    const declarations = readFileSync(path, "utf8").matchAll(
      /^export (?:async )?(?:const|let|function\*?|class|type|interface) (\w+)/gm,
    );
    for (const [, name = ""] of declarations) declaredIn.set(name, [...(declaredIn.get(name) ?? []), path]);
  }
  expect(declaredIn.size).toBeGreaterThan(1_000);
  expect([...declaredIn].filter(([, paths]) => paths.length > 1)).toEqual([]);
});

const componentOf = (path: string) => path.split("/")[1] ?? "";
const twiceIn = (places: ReadonlyMap<string, ReadonlySet<string>>) =>
  [...places].flatMap(([name, paths]) => (paths.size > 1 ? [[name, ...paths]] : []));

test("a file name stands for one file of a component", () => {
  const paths = new Map<string, Set<string>>();
  // The router prescribes the names of routes. Files of data are named after the places in them.
  const named = /^src\/(?!web\/app\/routes\/|core\/zones\/|core\/places\/catalogue\/).*\.tsx?$/;
  for (const path of files.filter((path) => named.test(path))) {
    const name = `${componentOf(path)} ${basename(path)}`;
    paths.set(name, (paths.get(name) ?? new Set()).add(path));
  }
  expect(twiceIn(paths)).toEqual([]);
});

test("a type is declared in one file of a component, exported or not", () => {
  const paths = new Map<string, Set<string>>();
  // Pages may call their own parts alike: PartProps, FormProps.
  for (const path of files.filter((path) => /^src\/(?!web\/).*\.ts$/.test(path) && !isTest(path))) {
    for (const [, type] of readFileSync(path, "utf8").matchAll(/^(?:export )?(?:interface|type) (\w+)/gm)) {
      const name = `${componentOf(path)} ${type}`;
      paths.set(name, (paths.get(name) ?? new Set()).add(path));
    }
  }
  expect(twiceIn(paths)).toEqual([]);
});

/** A class with its variants, e.g. `sm:text-[1rem]` or `h-auto!`. */
const CLASS = String.raw`(?<=["'\s\`])(?:[\w[\]=*-]+:)*`;
const LOOKS: readonly [string, RegExp][] = [
  ["is important", new RegExp(`${CLASS}[a-z][\\w./-]*!(?=["'\\s\`])`)],
  [
    "has an arbitrary size",
    new RegExp(
      `${CLASS}-?(?:text|leading|tracking|w|h|size|min-w|min-h|max-w|max-h|[pm][xytrbl]?|gap|rounded|border|top|right|bottom|left|inset)-\\[(?!#)`,
    ),
  ],
];

test("pages take their looks from components and tokens: no important class, no arbitrary size", () => {
  const pages = files.filter((path) => /^src\/web\/features\/.*\.tsx$/.test(path));
  expect(pages.length).toBeGreaterThan(100);
  const faults = pages.flatMap((path) =>
    readFileSync(path, "utf8")
      .split("\n")
      .filter((line) => /class|"[a-z]/i.test(line) && !line.trim().startsWith("//"))
      .flatMap((line) =>
        LOOKS.filter(([, pattern]) => pattern.test(line)).map(
          ([fault]) => `${path} ${fault}: ${line.trim()}`,
        ),
      ),
  );
  expect(faults).toEqual([]);
});

test("WEB-01 only useLoaded says whether a page is ready: the states of TanStack Query go back when a question is repeated", () => {
  const sources = files.filter(
    (path) => /^src\/web\/.*\.tsx?$/.test(path) && !path.endsWith("/use-loaded.ts"),
  );
  const users = sources.filter((path) =>
    /\bis(Pending|Loading|LoadingError|Error|Success|Fetched|InitialLoading)\b/.test(
      readFileSync(path, "utf8"),
    ),
  );
  expect(sources.length).toBeGreaterThan(300);
  expect(users).toEqual([]);
});

test("a question to the server is written once, as queryOptions, and not where a page asks it", () => {
  const sources = files.filter((path) => /^src\/web\/.*\.tsx?$/.test(path) && !isTest(path));
  const texts = sources.map((path) => [path, readFileSync(path, "utf8")] as const);
  const asks = /\b\w*(?:use|fetch|ensure)\w*Query(?:<[^(]*>)?\(\{\s*queryKey/;
  expect(texts.filter(([, text]) => text.includes("queryOptions(")).length).toBeGreaterThan(15);
  expect(texts.filter(([, text]) => asks.test(text)).map(([path]) => path)).toEqual([]);
});

test("a file that a guide names exists", () => {
  const guides = ["ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md", "test/README.md", "bench/README.md"];
  const named = guides.flatMap((guide) =>
    [...readFileSync(guide, "utf8").matchAll(/`([\w./-]+\.(?:tsx?|mjs))`/g)].map(([, path = ""]) => path),
  );
  expect(named.length).toBeGreaterThan(100);
  const paths = [...files, ...readdirSync("supabase/tests")];
  const exists = (path: string) => existsSync(path) || paths.some((file) => `/${file}`.endsWith(`/${path}`));
  expect(named.filter((path) => !exists(path))).toEqual([]);
});
