import alertMails from "#text/locales/en/alert-mails.json";
import filter from "#text/locales/en/filter.json";
import health from "#text/locales/en/health.json";
import { PrivatePageMeta } from "../../components/page-meta.tsx";
import { Protected } from "../../components/protected.tsx";
import { FilterSettings } from "../../features/filter-settings/filter-settings.tsx";
import { registerEnglish } from "../../lib/i18n/english.ts";
import { useTexts } from "../../lib/i18n/use-texts.ts";
import type { PageHandle } from "../../lib/site/page-handle.ts";

registerEnglish("filter", filter);
registerEnglish("alert-mails", alertMails);
registerEnglish("health", health);

export const handle: PageHandle = { namespaces: ["filter", "alert-mails", "health"] };

export default function FilterSettingsPage() {
  const t = useTexts("common");
  return (
    <>
      <PrivatePageMeta title={`${t("pages.filterSettings")} · Sereno`} />
      <Protected>
        <FilterSettings />
      </Protected>
    </>
  );
}
