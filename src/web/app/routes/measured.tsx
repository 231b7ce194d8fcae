import { PageMeta } from "../../components/page-meta.tsx";
import { Measured } from "../../features/measured/measured.tsx";
import { useTexts } from "../../lib/i18n/use-texts.ts";
import type { PageHandle } from "../../lib/site/page-handle.ts";

export const handle: PageHandle = { namespaces: ["measured"] };

export default function MeasuredPage() {
  const t = useTexts("measured");
  return (
    <>
      <PageMeta path="/measured" title={`${t("title")} · Sereno`} description={t("description")} />
      <Measured />
    </>
  );
}
