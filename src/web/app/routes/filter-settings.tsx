import filter from "#locales/en/filter.json";
import { PrivatePageMeta } from "../../components/page-meta.tsx";
import { Protected } from "../../components/protected.tsx";
import { FilterSettings } from "../../features/filter-settings/filter-settings.tsx";
import { registerEnglish } from "../../lib/english.ts";
import type { PageHandle } from "../../lib/surfaces.ts";
import { useTexts } from "../../lib/use-texts.ts";

registerEnglish("filter", filter);

export const handle: PageHandle = { surfaces: ["filter"] };

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
