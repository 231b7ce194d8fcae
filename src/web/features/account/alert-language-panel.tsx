import { useQueryClient } from "@tanstack/react-query";
import { ChevronDown } from "lucide-react";
import { isLanguage, LANGUAGE_TRAITS, LANGUAGES, type Language } from "#core/languages.ts";
import { cn } from "#web/lib/browser/class-names.ts";
import { useAction } from "#web/lib/browser/use-action.ts";
import { useLanguage, useTexts } from "#web/lib/i18n/use-texts.ts";
import { FormFailure } from "../../components/failure-notice.tsx";
import { Panel } from "../../components/panel.tsx";
import { inputClasses } from "../../components/text-field.tsx";
import { changeProfile } from "./change-profile.ts";

interface AlertLanguagePanelProps {
  userId: string;
  language: Language | null;
}

export function AlertLanguagePanel({ userId, language }: AlertLanguagePanelProps) {
  const t = useTexts("account");
  const pageLanguage = useLanguage();
  const queries = useQueryClient();
  const change = useAction({
    run: (chosen: Language) =>
      changeProfile(queries, {
        userId,
        title: t("alertLanguage.title"),
        before: { language },
        mine: { language: chosen },
      }),
    onSuccess: (outcome, chosen) =>
      outcome === "asked"
        ? undefined
        : {
            title: t("alertLanguage.success.title"),
            description: t("alertLanguage.success.description", { language: LANGUAGE_TRAITS[chosen].name }),
          },
    failure: t("alertLanguage.failure", { returnObjects: true }),
  });
  return (
    <Panel id="alert-language" title={t("alertLanguage.title")} description={t("alertLanguage.description")}>
      <div className="relative sm:max-w-72">
        <select
          aria-labelledby="alert-language"
          className={cn(inputClasses, "cursor-pointer appearance-none pr-11")}
          value={change.pendingInput ?? language ?? pageLanguage}
          aria-busy={change.isBusy}
          onChange={({ target }) => {
            if (isLanguage(target.value)) change.run(target.value);
          }}
        >
          {LANGUAGES.map((each) => (
            <option key={each} value={each} lang={each}>
              {LANGUAGE_TRAITS[each].name}
            </option>
          ))}
        </select>
        <ChevronDown aria-hidden className="pointer-events-none absolute top-3.5 right-4 size-5 text-muted" />
      </div>
      <p role="status" className="text-sm text-muted empty:hidden">
        {change.isBusy ? t("alertLanguage.saving") : null}
      </p>
      <FormFailure failure={change.failure} />
    </Panel>
  );
}
