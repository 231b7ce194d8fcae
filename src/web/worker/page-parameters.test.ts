import { expect, test } from "vitest";
import { PAGE_PARAMETERS } from "./page-parameters.ts";

test("WEB-05 a private page opens offline with each parameter that it reads from its address", () => {
  const pages = import.meta.glob<string>("../features/{finds,filter-settings,account}/**/*.{ts,tsx}", {
    query: "?raw",
    import: "default",
    eager: true,
  });
  const READ = /\b(?:params\.(?:get|has)|one)\("(\w+)"/g;
  const read = Object.entries(pages)
    .filter(([file]) => !file.includes(".test."))
    .flatMap(([, code]) => [...code.matchAll(READ)].map(([, name]) => name));
  expect([...PAGE_PARAMETERS].sort()).toEqual([...new Set(read)].sort());
});
