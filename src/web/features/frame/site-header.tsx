import { LanternMark } from "../../components/lantern-mark.tsx";
import { LocalLink } from "../../components/local-link.tsx";
import { cn } from "../../lib/class-names.ts";
import { useTexts } from "../../lib/use-texts.ts";
import { AccountArea } from "./account-area.tsx";
import { LanguageMenu } from "./language-menu.tsx";
import { MobileMenu } from "./mobile-menu.tsx";
import { ThemeMenu } from "./theme-menu.tsx";

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
