import { useQueryClient } from "@tanstack/react-query";
import { isLanguage, LANGUAGE_TRAITS, LANGUAGES, type Language } from "#core/languages.ts";
import { languageName } from "#text/language-name.ts";
import { useAction } from "#web/lib/browser/use-action.ts";
import { useLanguage, useTexts } from "#web/lib/i18n/use-texts.ts";
import { Select } from "../../components/form/select.tsx";
import { Panel } from "../../components/panel.tsx";
import { FormFailure } from "../../components/ui/failure-notice.tsx";
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
            description: t("alertLanguage.success.description", {
              language: languageName(chosen, pageLanguage),
            }),
          },
    failure: t("alertLanguage.failure", { returnObjects: true }),
  });
  return (
    <Panel id="alert-language" title={t("alertLanguage.title")} description={t("alertLanguage.description")}>
      <Select
        label={t("alertLanguage.title")}
        isLabelHidden
        size="md"
        className="sm:max-w-72"
        value={change.pendingInput ?? language ?? pageLanguage}
        isBusy={change.isBusy}
        onValue={(value) => isLanguage(value) && change.run(value)}
      >
        {LANGUAGES.map((each) => (
          <option key={each} value={each} lang={each}>
            {LANGUAGE_TRAITS[each].name}
          </option>
        ))}
      </Select>
      <p role="status" className="text-sm text-muted empty:hidden">
        {change.isBusy ? t("alertLanguage.saving") : null}
      </p>
      <FormFailure failure={change.failure} />
    </Panel>
  );
}
