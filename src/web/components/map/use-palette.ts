import { DUSK, NIGHT, type Palette } from "#core/map/palette.ts";
import { useTheme } from "#web/lib/browser/theme.ts";
import { useMedia } from "#web/lib/browser/use-media.ts";

/** Night where the page is dark, dusk where it is light. */
export function usePalette(): Palette {
  const [theme] = useTheme();
  const isDarkDevice = useMedia("(prefers-color-scheme: dark)");
  return theme === "dark" || (theme === "system" && isDarkDevice) ? NIGHT : DUSK;
}
