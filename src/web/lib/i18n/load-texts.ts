/**
 * Loads texts over HTTP, each namespace in the one language that is needed (LANG-07):
 *
 *   needed ── loaded ────────────────────────▶ shown
 *     └─ failed six times ── English loaded ──▶ English shown
 *                               └─ failed too ──▶ a language the page has already loaded, never keys
 *                                     └─ none ──▶ the page says so, and waits until the texts are loaded
 *
 * i18next has a loader of its own, but it loads every namespace in every language that the page has shown.
 */
import type { i18n as I18n } from "i18next";
import { DEFAULT_LANGUAGE, LANGUAGES, type Language } from "#core/languages.ts";
import type { Namespace } from "#text/namespaces.ts";
import { loadAgain } from "../parts/load-again.ts";
import { setPageFailure } from "../parts/page-failure.ts";
import { TEXT_LOADING } from "../site/constants.ts";

type Texts = Readonly<Record<string, unknown>>;

const addresses = import.meta.glob<string>(["/src/text/locales/*/*.json", "!**/{mail,bot,alert}.json"], {
  query: "?url",
  import: "default",
  eager: true,
});

/** The files of a language, for visits without a connection. */
export function textAddresses(language: Language): string[] {
  return Object.entries(addresses)
    .filter(([file]) => file.startsWith(`/src/text/locales/${language}/`))
    .map(([, address]) => address);
}

/** By i18next instance: what is being loaded now, and how to load what another language stands in for. */
const pending = new WeakMap<I18n, Map<string, Promise<void>>>();
const substituted = new WeakMap<I18n, Map<string, () => Promise<void>>>();

export function areTextsLoaded(i18n: I18n, language: Language, namespaces: readonly Namespace[]): boolean {
  return namespaces.every((namespace) => i18n.hasResourceBundle(language, namespace));
}

/** Whether the texts are there in this very language, and no other one stands in. */
export function isLoadedItself(i18n: I18n, language: Language, namespace: Namespace): boolean {
  const isSubstituted = substituted.get(i18n)?.has(`${language}/${namespace}`) ?? false;
  return !isSubstituted && i18n.hasResourceBundle(language, namespace);
}

/** Resolves when there is something to show; it never rejects. */
export async function loadTexts(
  i18n: I18n,
  language: Language,
  namespaces: readonly Namespace[],
): Promise<void> {
  const missing = namespaces.filter((namespace) => !i18n.hasResourceBundle(language, namespace));
  if (missing.length === 0) return;
  const loads = pending.get(i18n) ?? new Map<string, Promise<void>>();
  pending.set(i18n, loads);
  await Promise.all(
    missing.map((namespace) => {
      const key = `${language}/${namespace}`;
      const load =
        loads.get(key) ?? loadNamespace(i18n, language, namespace).finally(() => loads.delete(key));
      loads.set(key, load);
      return load;
    }),
  );
}

/** A language that could not be loaded is tried again when the connection is back. */
export function retryFailedTexts(i18n: I18n): void {
  for (const retry of [...(substituted.get(i18n)?.values() ?? [])]) void retry();
}

async function loadNamespace(i18n: I18n, language: Language, namespace: Namespace): Promise<void> {
  const texts = await fetchTexts(language, namespace).catch(() => undefined);
  if (texts !== undefined) return addTexts(i18n, language, namespace, texts);
  const substitute = await substituteFor(i18n, language, namespace);
  if (!substitute) return addTexts(i18n, language, namespace, await waitFor(language, namespace));
  // Meanwhile a part that needs this very language may have loaded it.
  if (isLoadedItself(i18n, language, namespace)) return;
  addTexts(i18n, language, namespace, substitute);
  const retries = substituted.get(i18n) ?? new Map<string, () => Promise<void>>();
  substituted.set(
    i18n,
    retries.set(`${language}/${namespace}`, () => loadNamespace(i18n, language, namespace)),
  );
}

function addTexts(i18n: I18n, language: Language, namespace: Namespace, texts: Texts): void {
  i18n.addResourceBundle(language, namespace, texts, true, true);
  substituted.get(i18n)?.delete(`${language}/${namespace}`);
}

async function waitFor(language: Language, namespace: Namespace): Promise<Texts> {
  const address = textAddress(language, namespace);
  const texts = await loadAgain(
    () => readJson(address),
    (reason) => setPageFailure(address, reason),
  );
  setPageFailure(address, null);
  return texts;
}

/** For a part that has its own way to fail: one attempt, which may reject. */
export async function requireTexts(
  i18n: I18n,
  language: Language,
  namespaces: readonly Namespace[],
): Promise<void> {
  await Promise.all(
    namespaces.map(async (namespace) => {
      addTexts(i18n, language, namespace, await readJson(textAddress(language, namespace)));
    }),
  );
}

async function substituteFor(
  i18n: I18n,
  language: Language,
  namespace: Namespace,
): Promise<Texts | undefined> {
  const loadedIn = (code: Language): Texts | undefined => i18n.getResourceBundle(code, namespace);
  const english = loadedIn(DEFAULT_LANGUAGE);
  if (english || language === DEFAULT_LANGUAGE) return english ?? LANGUAGES.map(loadedIn).find(Boolean);
  const loaded = await fetchTexts(DEFAULT_LANGUAGE, namespace).catch(() => undefined);
  return loaded ?? LANGUAGES.map(loadedIn).find(Boolean);
}

export const textAddress = (language: Language, namespace: Namespace) =>
  addresses[`/src/text/locales/${language}/${namespace}.json`] ?? "";

async function fetchTexts(language: Language, namespace: Namespace): Promise<Texts> {
  const address = textAddress(language, namespace);
  const { maxRetries, retryTimeout } = TEXT_LOADING;
  for (let retries = 0; ; retries++) {
    try {
      return await inTurn(() => readJson(address));
    } catch (error) {
      if (retries === maxRetries || navigator.onLine === false) throw error;
      await new Promise((resolve) => setTimeout(resolve, retryTimeout * 2 ** retries));
    }
  }
}

async function readJson(address: string): Promise<Texts> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address} answered ${response.status}`);
  return response.json();
}

let running = 0;
const waiting: (() => void)[] = [];

async function inTurn<Result>(run: () => Promise<Result>): Promise<Result> {
  if (running < TEXT_LOADING.maxParallelReads) running++;
  else await new Promise<void>((resolve) => waiting.push(resolve));
  try {
    return await run();
  } finally {
    const next = waiting.shift();
    // The next one takes over this one's turn.
    if (next) next();
    else running--;
  }
}
