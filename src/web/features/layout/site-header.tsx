import { Globe } from "lucide-react";
import { lazy } from "react";
import { LanternMark } from "#web/components/lantern-mark.tsx";
import { LazyMenu } from "#web/components/lazy-menu.tsx";
import { LocalLink } from "#web/components/local-link.tsx";
import { Button } from "#web/components/ui/button.tsx";
import { cn } from "#web/lib/browser/class-names.ts";
import { useTheme } from "#web/lib/browser/theme.ts";
import { LANGUAGE_NAMES } from "#web/lib/i18n/language-names.ts";
import { useLanguage, useTexts } from "#web/lib/i18n/use-texts.ts";
import { AccountArea } from "./account-area.tsx";
import { MobileMenu } from "./mobile-menu.tsx";
import { ThemeIcon } from "./theme-icon.tsx";

export function SiteHeader({ isNight }: { isNight: boolean }) {
  const t = useTexts("common");
  return (
    <header
      className={cn(
        "z-30",
        isNight ? "night absolute inset-x-0 top-0" : "relative border-b border-line bg-background",
      )}
    >
      <div className="mx-auto flex h-14 max-w-6xl items-center justify-between pr-2 pl-4 md:h-18 md:px-6">
        <LocalLink
          to="/"
          aria-label={t("header.home")}
          className="-ml-1 flex h-11 items-center gap-2 rounded-lg px-1 text-xl font-bold tracking-tight"
        >
          <LanternMark className="size-8" />
          Sereno
        </LocalLink>
        <div className="hidden items-center gap-1 md:flex">
          <LanguageMenu />
          <ThemeMenu />
          <div className="ml-2">
            <AccountArea />
          </div>
        </div>
        <MobileMenu />
      </div>
    </header>
  );
}

const ThemeItems = lazy(async () => ({ default: (await import("./theme-items.tsx")).ThemeItems }));

function ThemeMenu() {
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

const LanguageItems = lazy(async () => ({ default: (await import("./language-items.tsx")).LanguageItems }));

function LanguageMenu() {
  const t = useTexts("common");
  const language = useLanguage();
  return (
    <LazyMenu
      label={t("header.language")}
      trigger={
        <Button variant="ghost" aria-label={`${t("header.language")}: ${LANGUAGE_NAMES[language]}`}>
          <Globe aria-hidden className="size-4.5" />
          {LANGUAGE_NAMES[language]}
        </Button>
      }
      Items={LanguageItems}
    />
  );
}
