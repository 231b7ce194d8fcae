import { useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "react-router";
import { LANGUAGES, type Language, languageOfPath } from "#core/languages.ts";
import type { Namespace } from "./namespaces.ts";

/** The address decides the language. */
export function useLanguage(): Language {
  return languageOfPath(useLocation().pathname);
}

/** The texts of a namespace in the page's language; suspends until they are there. */
export function useTexts<S extends Namespace>(namespace: S) {
  return useTranslation(namespace, optionsOf[useLanguage()]).t;
}

/** Waits for all texts of a page at once, so that they load, or fail, side by side and not one after the other. */
export function useNamespaces(namespaces: readonly Namespace[]): void {
  useTranslation(namespaces, optionsOf[useLanguage()]);
}

// One object a language, because the hook compares its options by identity.
const optionsOf = Object.fromEntries(LANGUAGES.map((lng) => [lng, { lng }])) as Record<
  Language,
  { lng: Language }
>;

const listeners = new Set<() => void>();
let isLoading = false;

/** The page waits for a translation before it changes, through all retries: whoever pressed should see that it does. */
export function showTextLoading(isLoadingNow: boolean): void {
  if (isLoading === isLoadingNow) return;
  isLoading = isLoadingNow;
  for (const listener of listeners) listener();
}

export function useTextLoading(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => isLoading,
    () => false,
  );
}
