import type { i18n as I18n } from "i18next";
import { createContext, useCallback, useContext, useMemo, useSyncExternalStore } from "react";
import { I18nContext, useTranslation } from "react-i18next";
import { DEFAULT_LANGUAGE, LANGUAGES, type Language } from "#core/languages.ts";
import type { Namespace, Translate, Words } from "#text/namespaces.ts";
import { areTextsLoaded, isLoadedItself, loadTexts, requireTexts } from "./load-texts.ts";

/** The address decides the language. Not read from there by each text, because all texts would render again with every address. */
export const LanguageContext = createContext<Language>(DEFAULT_LANGUAGE);

export function useLanguage(): Language {
  return useContext(LanguageContext);
}

/** The texts of a namespace in the page's language; suspends until they are loaded. */
export function useTexts<S extends Namespace>(namespace: S) {
  const language = useLanguage();
  useLoadedTexts(language, [namespace]);
  return useTranslation(namespace, optionsOf[language]).t;
}

/** The same for the functions of `#text`, which put facts into words. */
export function useWords<S extends Namespace>(namespace: S): Words<S> {
  return useWordsIn(useLanguage(), namespace);
}

/** The texts of a namespace in a language that need not be the page's. */
export function useWordsIn<S extends Namespace>(language: Language, namespace: S): Words<S> {
  useLoadedTexts(language, [namespace]);
  const t: unknown = useTranslation(namespace as Namespace, optionsOf[language]).t;
  return useMemo(() => ({ language, t: t as Translate<S> }), [language, t]);
}

/** Waits for all texts of a page at once, so that they load in parallel. */
export function useNamespaces(namespaces: readonly Namespace[]): void {
  useLoadedTexts(useLanguage(), namespaces);
}

/** For code that does not run in a render: the words as soon as they are loaded. */
export function useWordsLoader(): <S extends Namespace>(namespace: S) => Promise<Words<S>> {
  const i18n = useI18n();
  const language = useLanguage();
  return async <S extends Namespace>(namespace: S) => {
    await loadTexts(i18n, language, [namespace]);
    const t: unknown = i18n.getFixedT(language, namespace);
    return { language, t: t as Translate<S> };
  };
}

/** The texts of a part that loads them with its code. No other language stands in for one that is named. */
export function useTextsOf(namespaces: readonly Namespace[], named?: Language) {
  const i18n = useI18n();
  const pageLanguage = useLanguage();
  const language = named ?? pageLanguage;
  const isMissing = (namespace: Namespace) =>
    named ? !isLoadedItself(i18n, named, namespace) : !areTextsLoaded(i18n, language, [namespace]);
  return {
    language,
    areLoaded: !namespaces.some(isMissing),
    load: () => requireTexts(i18n, language, namespaces.filter(isMissing)),
  };
}

/** Starts loading texts that will be needed soon. */
export function usePreloadTexts(): (...namespaces: Namespace[]) => void {
  const i18n = useI18n();
  const language = useLanguage();
  return useCallback((...namespaces) => void loadTexts(i18n, language, namespaces), [i18n, language]);
}

function useI18n(): I18n {
  const context = useContext(I18nContext);
  if (!context) throw new Error("There is no I18nextProvider");
  return context.i18n;
}

function useLoadedTexts(language: Language, namespaces: readonly Namespace[]): void {
  const i18n = useI18n();
  if (!areTextsLoaded(i18n, language, namespaces)) throw showLoading(loadTexts(i18n, language, namespaces));
}

// One object per language, because the hook compares its options by identity.
const optionsOf = Object.fromEntries(LANGUAGES.map((lng) => [lng, { lng }])) as Record<
  Language,
  { lng: Language }
>;

const listeners = new Set<() => void>();
let waits = 0;

/** A navigation waits for its translation through all retries, so the page shows that it is loading. */
function showLoading(load: Promise<void>): Promise<void> {
  count(1);
  return load.finally(() => count(-1));
}

function count(change: 1 | -1): void {
  waits += change;
  // Not within the render that waits.
  queueMicrotask(() => {
    for (const listener of listeners) listener();
  });
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useTextLoading(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => waits > 0,
    () => false,
  );
}
