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

/** Waits for all texts of a page at once, so that they load in parallel. */
export function useNamespaces(namespaces: readonly Namespace[]): void {
  useTranslation(namespaces, optionsOf[useLanguage()]);
}

// One object per language, because the hook compares its options by identity.
const optionsOf = Object.fromEntries(LANGUAGES.map((lng) => [lng, { lng }])) as Record<
  Language,
  { lng: Language }
>;

const listeners = new Set<() => void>();
let isLoading = false;

/** A navigation waits for its translation through all retries, so the page shows that it is loading. */
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
