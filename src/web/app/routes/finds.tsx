import finds from "#text/locales/en/finds.json";
import { PrivatePageMeta } from "../../components/page-meta.tsx";
import { Protected } from "../../components/protected.tsx";
import { Finds } from "../../features/finds/finds.tsx";
import { registerEnglish } from "../../lib/i18n/english.ts";
import { useTexts } from "../../lib/i18n/use-texts.ts";
import type { PageHandle } from "../../lib/site/page-handle.ts";

registerEnglish("finds", finds);

export const handle: PageHandle = { namespaces: ["finds"] };

export default function FindsPage() {
  const t = useTexts("common");
  return (
    <>
      <PrivatePageMeta title={`${t("pages.finds")} · Sereno`} />
      <Protected>
        <Finds />
      </Protected>
    </>
  );
}
