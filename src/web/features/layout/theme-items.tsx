import { DropdownMenuRadioGroup, DropdownMenuRadioItem } from "#web/components/ui/dropdown-menu.tsx";
import { THEMES, type Theme, useTheme } from "#web/lib/browser/theme.ts";
import { useTexts } from "#web/lib/i18n/use-texts.ts";
import { ThemeIcon } from "./theme-icon.tsx";

export function ThemeItems() {
  const t = useTexts("common");
  const [theme, chooseTheme] = useTheme();
  return (
    <DropdownMenuRadioGroup value={theme} onValueChange={(chosen) => chooseTheme(chosen as Theme)}>
      {THEMES.map((each) => (
        <DropdownMenuRadioItem key={each} value={each}>
          <ThemeIcon theme={each} />
          {t(`theme.${each}`)}
        </DropdownMenuRadioItem>
      ))}
    </DropdownMenuRadioGroup>
  );
}
