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
  const listeners = new Map<string, (event: unknown) => void>();
  let replaced: string | undefined;
  const { pathname, search, hash } = new URL(path, "https://sereno.example");
  const window = {
    addEventListener() {},
    location: { pathname, search, hash, replace: (target: string) => (replaced = target) },
    get localStorage() {
      if (isStorageBlocked) throw new Error("SecurityError");
      const setItem = (key: string, value: string) => Object.assign(stored, { [key]: value });
      return Object.defineProperty({ ...stored }, "setItem", { value: setItem });
    },
  };
  const run = new Function("window", "document", "navigator", bootScript());
  const addEventListener = (type: string, listener: (event: unknown) => void) =>
    listeners.set(type, listener);
  run(window, { documentElement: root, addEventListener }, { languages });
  const { theme, guest, cookieNotice } = root.dataset;
  return { theme, isHidden: root.hidden, replaced, guest, cookieNotice, root, window, listeners, stored };
}

test("LANG-04 the script in the head redirects before the first paint", () => {
  expect(boot({ path: "/es?a=1#b", stored: { i18nextLng: "ru" } })).toMatchObject({
    theme: undefined,
    isHidden: true,
    replaced: "/ru?a=1#b",
  });
});

test("READ-11: the script in the head never redirects to another site", () => {
  for (const path of [
    "/es//evil.example/",
    "/es/\\evil.example/",
    "/fr///evil.example/",
    "/es/%09//evil.example/",
  ]) {
    const { replaced = "/" } = boot({ path, stored: { i18nextLng: "en" } });
    expect(new URL(replaced, "https://sereno.example").origin, path).toBe("https://sereno.example");
  }
});

test("LANG-03 the script in the head reads the browser's language", () => {
  expect(boot({ path: "/", languages: ["fr-FR"] }).replaced).toBe("/fr");
});

test("a known theme is set before the first paint, any other is ignored", () => {
  expect(boot({ path: "/", stored: { theme: "dark" } }).theme).toBe("dark");
  expect(boot({ path: "/", stored: { theme: "system" } }).theme).toBeUndefined();
  expect(boot({ path: "/", stored: { theme: "purple" } }).theme).toBeUndefined();
});

test("blocked storage leaves the page as it is", () => {
  expect(boot({ path: "/es", isStorageBlocked: true })).toMatchObject({
    theme: undefined,
    isHidden: false,
    replaced: undefined,
  });
});

test("HEAD-01 without a stored session and a message in the address the person is a guest at once", () => {
  expect(boot({ path: "/privacy#contact" }).guest).toBe("true");
  for (const path of ["/#access_token=a", "/?code=a", "/#/profile#access_token=a", "/#error=a"]) {
    expect([path, boot({ path }).guest]).toEqual([path, undefined]);
  }
  expect(boot({ path: "/", stored: { "sb-localhost-auth-token": "{}" } }).guest).toBeUndefined();
  expect(boot({ path: "/", stored: { "sb-localhost-auth-token.1": "{}" } }).guest).toBeUndefined();
});

test("COOK-01 the notice shows to guests until it is accepted", () => {
  expect(boot({ path: "/" }).cookieNotice).toBe("shown");
  expect(boot({ path: "/", stored: { "sb-localhost-auth-token": "{}" } }).cookieNotice).toBeUndefined();
  expect(boot({ path: "/", stored: { cookieConsent: "true" } }).cookieNotice).toBeUndefined();
  expect(boot({ path: "/", isStorageBlocked: true }).cookieNotice).toBe("shown");
});
