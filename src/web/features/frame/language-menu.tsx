import { Globe } from "lucide-react";
import { lazy } from "react";
import { LazyMenu } from "../../components/lazy-menu.tsx";
import { Button } from "../../components/ui/button.tsx";
import { LANGUAGE_NAMES } from "../../lib/language-names.ts";
import { useLanguage, useTexts } from "../../lib/use-texts.ts";

const LanguageItems = lazy(async () => ({ default: (await import("./language-items.tsx")).LanguageItems }));

export function LanguageMenu() {
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
