import { lazy } from "react";
import { LazyMenu } from "../../components/lazy-menu.tsx";
import { Button } from "../../components/ui/button.tsx";
import { useTheme } from "../../lib/theme.ts";
import { useTexts } from "../../lib/use-texts.ts";
import { ThemeIcon } from "./theme-icon.tsx";

const ThemeItems = lazy(async () => ({ default: (await import("./theme-items.tsx")).ThemeItems }));

export function ThemeMenu() {
  const t = useTexts("common");
  const [theme] = useTheme();
  return (
    <LazyMenu
      label={t("header.theme")}
      trigger={
        <Button variant="ghost" size="icon" aria-label={`${t("header.theme")}: ${t(`theme.${theme}`)}`}>
          <ThemeIcon theme={theme} />
        </Button>
      }
      Items={ThemeItems}
    />
  );
}
