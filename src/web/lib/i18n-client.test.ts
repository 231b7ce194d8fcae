import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { startI18n } from "./i18n-client.ts";

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("window", { addEventListener: () => {} });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("LANG-07 a translation given up after five retries is not asked for again by the next page that needs it", async () => {
  let asked = 0;
  vi.stubGlobal("fetch", async () => {
    asked += 1;
    throw new TypeError("Failed to fetch");
  });
  const i18n = await startI18n("en", {});
  const loading = i18n.loadLanguages("fr");
  await vi.advanceTimersByTimeAsync(20_000);
  await loading;
  expect(asked).toBe(6);
  expect(i18n.hasLoadedNamespace("common", { lng: "fr" })).toBe(true);
  const again = i18n.loadNamespaces("common");
  await vi.advanceTimersByTimeAsync(20_000);
  await again;
  expect(asked).toBe(6);
});
