import { useSyncExternalStore } from "react";
import { STORAGE_KEYS } from "../site/constants.ts";
import { readStored, store } from "./storage.ts";

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

const listeners = new Set<() => void>();
let chosen: Theme | undefined;

/** The chosen theme and its setter. Colours follow `data-theme` on the page, or the device's setting without it. */
export function useTheme(): [Theme, (theme: Theme) => void] {
  const theme = useSyncExternalStore<Theme>(subscribe, currentTheme, () => "system");
  return [theme, chooseTheme];
}

function chooseTheme(theme: Theme): void {
  chosen = theme;
  store(STORAGE_KEYS.theme, theme);
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  for (const listener of listeners) listener();
}

function currentTheme(): Theme {
  chosen ??= THEMES.find((theme) => theme === readStored(STORAGE_KEYS.theme)) ?? "system";
  return chosen;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
