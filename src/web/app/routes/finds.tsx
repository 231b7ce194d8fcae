import { PrivatePageMeta } from "../../components/page-meta.tsx";
import { Protected } from "../../components/protected.tsx";
import { Finds } from "../../features/finds/finds.tsx";
import { useTexts } from "../../lib/i18n/use-texts.ts";
import type { PageHandle } from "../../lib/site/page-handle.ts";

export const handle: PageHandle = { namespaces: ["finds", "home"], isPrivate: true };

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
