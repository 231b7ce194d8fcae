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

test("LANG-07 a translation that failed five retries is not requested again by the next page", async () => {
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

test("LANG-07 a failed translation is requested again after 350 ms, then after twice the time", async () => {
  let asked = 0;
  vi.stubGlobal("fetch", async () => {
    asked += 1;
    if (asked <= 5) throw new TypeError("Failed to fetch");
    return new Response(JSON.stringify({ session: { signedOut: "Hors ligne" } }));
  });
  const i18n = await startI18n("en", {});
  const loading = i18n.loadLanguages("fr");
  for (const [index, waitMs] of [350, 700, 1400, 2800, 5600].entries()) {
    await vi.advanceTimersByTimeAsync(index === 0 ? waitMs - 1 : waitMs - 2);
    expect(asked).toBe(index + 1);
    await vi.advanceTimersByTimeAsync(2);
  }
  await loading;
  expect(asked).toBe(6);
  expect(i18n.getFixedT("fr")("session.signedOut")).toBe("Hors ligne");
});
