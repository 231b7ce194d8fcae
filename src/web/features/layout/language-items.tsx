import { isLanguage, LANGUAGES } from "#core/languages.ts";
import { DropdownMenuRadioGroup, DropdownMenuRadioItem } from "#web/components/ui/dropdown-menu.tsx";
import { LANGUAGE_NAMES } from "#web/lib/i18n/language-names.ts";
import { useChooseLanguage } from "#web/lib/i18n/use-choose-language.ts";
import { useLanguage } from "#web/lib/i18n/use-texts.ts";

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
          {LANGUAGE_NAMES[each]}
        </DropdownMenuRadioItem>
      ))}
    </DropdownMenuRadioGroup>
  );
}
