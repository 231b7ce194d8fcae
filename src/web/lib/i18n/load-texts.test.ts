import type { i18n as I18n } from "i18next";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Language } from "#core/languages.ts";
import type { Namespace } from "#text/namespaces.ts";
import { startI18n } from "./i18n-client.ts";
import { areTextsLoaded, isLoadedItself, loadTexts, requireTexts } from "./load-texts.ts";

const listeners: (() => void)[] = [];
/** Each attempt as "fr/common". */
let asked: string[] = [];

beforeEach(() => {
  asked = [];
  listeners.length = 0;
  vi.useFakeTimers();
  vi.stubGlobal("window", {
    addEventListener: (_: string, listener: () => void) => listeners.push(listener),
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Answers by file and attempt; undefined is a connection that fails. */
function serve(answer: (file: string, attempt: number) => object | undefined): void {
  vi.stubGlobal("fetch", async (address: string) => {
    const file = /locales\/(\w+\/[\w-]+)/.exec(address)?.[1] ?? address;
    asked.push(file);
    const texts = answer(file, asked.filter((one) => one === file).length);
    if (texts === undefined) throw new TypeError("Failed to fetch");
    return Response.json(texts);
  });
}

async function load(i18n: I18n, language: Language, ...namespaces: Namespace[]): Promise<void> {
  const loading = loadTexts(i18n, language, namespaces);
  await vi.advanceTimersByTimeAsync(30_000);
  await loading;
}

const attemptsOf = (file: string) => asked.filter((one) => one === file).length;
const signedOut = (i18n: I18n, language: Language) => i18n.getFixedT(language)("session.signedOut");
const common = (text: string) => ({ session: { signedOut: text } });

test("LANG-07 a page loads a namespace in its language only", async () => {
  serve(() => common("Hors ligne"));
  const i18n = await startI18n("es", { common: common("Fuera") });
  await load(i18n, "fr", "common");
  await load(i18n, "fr", "legal");
  expect(asked).toEqual(["fr/common", "fr/legal"]);
  expect([signedOut(i18n, "fr"), signedOut(i18n, "es")]).toEqual(["Hors ligne", "Fuera"]);
  expect(areTextsLoaded(i18n, "fr", ["common", "legal"])).toBe(true);
  expect(areTextsLoaded(i18n, "es", ["legal"])).toBe(false);
});

test("LANG-07 a translation that fails is asked for again after 350 ms, then twice as long each time", async () => {
  serve((_, attempt) => (attempt <= 5 ? undefined : common("Hors ligne")));
  const i18n = await startI18n("en", {});
  const loading = loadTexts(i18n, "fr", ["common"]);
  for (const [index, waitMs] of [350, 700, 1400, 2800, 5600].entries()) {
    await vi.advanceTimersByTimeAsync(index === 0 ? waitMs - 1 : waitMs - 2);
    expect(asked.length).toBe(index + 1);
    await vi.advanceTimersByTimeAsync(2);
  }
  await loading;
  expect(asked).toEqual(Array(6).fill("fr/common"));
  expect(signedOut(i18n, "fr")).toBe("Hors ligne");
});

test("LANG-07 a translation given up after five retries shows English and is not asked for again by the next page that needs it", async () => {
  serve((file) => (file.startsWith("fr/") ? undefined : common("Signed out")));
  const i18n = await startI18n("fr", {});
  await load(i18n, "fr", "common");
  expect([attemptsOf("fr/common"), attemptsOf("en/common")]).toEqual([6, 1]);
  expect(signedOut(i18n, "fr")).toBe("Signed out");
  await load(i18n, "fr", "common");
  expect(asked.length).toBe(7);
});

test("LANG-07 where English fails too the texts stay in the language they were in, and no key is shown", async () => {
  serve(() => undefined);
  const i18n = await startI18n("es", { common: common("Fuera") });
  await load(i18n, "fr", "common");
  expect(signedOut(i18n, "fr")).toBe("Fuera");
});

test("CALM-01 texts that are loaded in no language are waited for, until the connection is back", async () => {
  let isOnline = false;
  serve(() => (isOnline ? { privacy: { title: "Confidentialité" } } : undefined));
  const i18n = await startI18n("fr", { common: common("Hors ligne") });
  const title = () => i18n.getFixedT("fr", "legal")("privacy.title");
  const loading = loadTexts(i18n, "fr", ["legal"]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(title()).toBe("");
  isOnline = true;
  for (const listener of listeners) listener();
  await loading;
  expect(title()).toBe("Confidentialité");
});

test("LANG-07 a failed translation is loaded when the connection is back", async () => {
  let isOnline = false;
  serve(() => (isOnline ? common("Hors ligne") : undefined));
  const i18n = await startI18n("es", { common: common("Fuera") });
  await load(i18n, "fr", "common");
  isOnline = true;
  for (const listener of listeners) listener();
  await vi.advanceTimersByTimeAsync(1);
  expect(signedOut(i18n, "fr")).toBe("Hors ligne");
});

test("CALM-01 a text that must be in its own language does not count as loaded while English stands in for it", async () => {
  let isBroken = true;
  serve((file) => (isBroken && file.startsWith("es/") ? undefined : common(file)));
  const i18n = await startI18n("es", {});
  await load(i18n, "es", "common");
  expect(signedOut(i18n, "es")).toBe("en/common");
  expect(areTextsLoaded(i18n, "es", ["common"])).toBe(true);
  expect(isLoadedItself(i18n, "es", "common")).toBe(false);
  await expect(requireTexts(i18n, "es", ["common"])).rejects.toThrow("Failed to fetch");
  for (const listener of listeners) listener();
  await vi.advanceTimersByTimeAsync(30_000);
  expect(isLoadedItself(i18n, "es", "common")).toBe(false);
  isBroken = false;
  await requireTexts(i18n, "es", ["common"]);
  expect(signedOut(i18n, "es")).toBe("es/common");
  expect(isLoadedItself(i18n, "es", "common")).toBe(true);
});

test("LANG-07 at most ten translations load in parallel, and one that two parts need loads once", async () => {
  const open: (() => void)[] = [];
  let most = 0;
  let current = 0;
  vi.stubGlobal("fetch", async () => {
    most = Math.max(most, ++current);
    await new Promise<void>((resolve) => open.push(resolve));
    current--;
    return Response.json({});
  });
  const i18n = await startI18n("en", {});
  const namespaces = ["common", "legal", "landing", "auth", "map", "market", "finds", "home"] as const;
  const loads = (["fr", "de", "fr"] as const).map((language) => loadTexts(i18n, language, namespaces));
  let answered = 0;
  for (; open.length > 0 || answered === 0; answered++) {
    await vi.advanceTimersByTimeAsync(0);
    open.shift()?.();
    await vi.advanceTimersByTimeAsync(0);
  }
  await Promise.all(loads);
  expect([most, answered]).toEqual([10, 2 * namespaces.length]);
});
