import { expect, test } from "vitest";
import { bootScript } from "./boot-script.ts";

interface Page {
  path: string;
  stored?: Record<string, string>;
  isStorageBlocked?: boolean;
  languages?: string[];
}

function boot({ path, stored = {}, isStorageBlocked = false, languages = ["en"] }: Page) {
  const root = { dataset: {} as Record<string, string>, hidden: false };
  let replaced: string | undefined;
  const { pathname, search, hash } = new URL(path, "https://sereno.example");
  const window = {
    location: { pathname, search, hash, replace: (target: string) => (replaced = target) },
    get localStorage() {
      if (isStorageBlocked) throw new Error("SecurityError");
      return { getItem: (key: string) => stored[key] ?? null };
    },
  };
  const run = new Function("window", "document", "navigator", bootScript());
  run(window, { documentElement: root }, { languages });
  return { theme: root.dataset.theme, isHidden: root.hidden, replaced };
}

test("LANG-04 the script in the head redirects before anything is seen", () => {
  expect(boot({ path: "/es?a=1#b", stored: { i18nextLng: "ru" } })).toEqual({
    theme: undefined,
    isHidden: true,
    replaced: "/ru?a=1#b",
  });
});

test("LANG-03 the script in the head reads the browser's language", () => {
  expect(boot({ path: "/", languages: ["fr-FR"] }).replaced).toBe("/fr");
});

test("the chosen theme is set before the first paint, and only a real one", () => {
  expect(boot({ path: "/", stored: { theme: "dark" } }).theme).toBe("dark");
  expect(boot({ path: "/", stored: { theme: "system" } }).theme).toBeUndefined();
  expect(boot({ path: "/", stored: { theme: "purple" } }).theme).toBeUndefined();
});

test("blocked storage leaves the page as it is", () => {
  expect(boot({ path: "/es", isStorageBlocked: true })).toEqual({
    theme: undefined,
    isHidden: false,
    replaced: undefined,
  });
});
