import { LogOut, SlidersHorizontal, UserRound } from "lucide-react";
import { isLanguage, LANGUAGE_TRAITS, LANGUAGES } from "#core/languages.ts";
import { LocalLink } from "#web/components/local-link.tsx";
import {
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuRadioGroup,
  DropdownMenuRadioItem,
  DropdownMenuSeparator,
} from "#web/components/ui/dropdown-menu.tsx";
import { useSession } from "#web/lib/auth/session.ts";
import { THEMES, type Theme, useTheme } from "#web/lib/browser/theme.ts";
import { useChooseLanguage } from "#web/lib/i18n/choose-language.ts";
import { useLanguage, useTexts } from "#web/lib/i18n/use-texts.ts";
import { ThemeIcon } from "./theme-icon.tsx";

/** The items of the header's menus, loaded with the first menu that is opened. */

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

export function LanguageItems() {
  const language = useLanguage();
  const chooseLanguage = useChooseLanguage();
  return (
    <DropdownMenuRadioGroup
      value={language}
      onValueChange={(chosen) => isLanguage(chosen) && chooseLanguage(chosen)}
    >
      {LANGUAGES.map((each) => (
        <DropdownMenuRadioItem key={each} value={each} lang={each}>
          {LANGUAGE_TRAITS[each].name}
        </DropdownMenuRadioItem>
      ))}
    </DropdownMenuRadioGroup>
  );
}

export function UserItems() {
  const t = useTexts("common");
  const { user, signOut } = useSession();
  return (
    <>
      <DropdownMenuLabel className="max-w-64 wrap-anywhere">
        {user?.email || t("header.emailNotProvided")}
      </DropdownMenuLabel>
      <DropdownMenuSeparator />
      <DropdownMenuItem asChild>
        <LocalLink to="/profile">
          <UserRound aria-hidden />
          {t("header.profile")}
        </LocalLink>
      </DropdownMenuItem>
      <DropdownMenuItem asChild>
        <LocalLink to="/filter-settings">
          <SlidersHorizontal aria-hidden />
          {t("header.filterSettings")}
        </LocalLink>
      </DropdownMenuItem>
      <DropdownMenuSeparator />
      <DropdownMenuItem onSelect={() => void signOut()}>
        <LogOut aria-hidden />
        {t("header.signOut")}
      </DropdownMenuItem>
    </>
  );
}
