import { PrivatePageMeta } from "../../components/page-meta.tsx";
import { Protected } from "../../components/protected.tsx";
import { FilterSettings } from "../../features/filter-settings/filter-settings.tsx";
import { useTexts } from "../../lib/i18n/use-texts.ts";
import type { PageHandle } from "../../lib/site/page-handle.ts";

export const handle: PageHandle = {
  namespaces: ["filter", "alert-mails", "health", "home", "search"],
  isPrivate: true,
};

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
