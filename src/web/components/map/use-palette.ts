import { useSyncExternalStore } from "react";
import { DUSK, NIGHT, type Palette } from "#core/map/palette.ts";
import { useTheme } from "#web/lib/browser/theme.ts";

const DARK = "(prefers-color-scheme: dark)";

/** Night where the page is dark, dusk where it is light. */
export function usePalette(): Palette {
  const [theme] = useTheme();
  const isDarkDevice = useSyncExternalStore(
    (listener) => {
      const query = matchMedia(DARK);
      query.addEventListener("change", listener);
      return () => query.removeEventListener("change", listener);
    },
    () => matchMedia(DARK).matches,
    () => true,
  );
  return theme === "dark" || (theme === "system" && isDarkDevice) ? NIGHT : DUSK;
}
