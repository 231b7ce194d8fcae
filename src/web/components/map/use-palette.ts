import { useSyncExternalStore } from "react";
import { DUSK, NIGHT, type Palette } from "#core/map/palette.ts";
import { useMedia } from "#web/lib/browser/use-media.ts";

/** Night where the page is dark, dusk where it is light: as the person chose, or inside Telegram as Telegram's background is. */
export function usePalette(): Palette {
  const theme = useSyncExternalStore(
    onThemeChange,
    () => document.documentElement.dataset.theme,
    () => undefined,
  );
  const isDarkDevice = useMedia("(prefers-color-scheme: dark)");
  return theme === "dark" || (theme === undefined && isDarkDevice) ? NIGHT : DUSK;
}

function onThemeChange(listener: () => void): () => void {
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  return () => observer.disconnect();
}
