import { PrivatePageMeta } from "../../components/page-meta.tsx";
import { Protected } from "../../components/protected.tsx";
import { Finds } from "../../features/finds/finds.tsx";
import { useTexts } from "../../lib/i18n/use-texts.ts";
import { EARLY_PLACE_ID } from "../../lib/site/constants.ts";
import type { PageHandle } from "../../lib/site/page-handle.ts";

export const handle: PageHandle = { namespaces: ["finds", "home"], isPrivate: true };

export default function FindsPage() {
  const t = useTexts("common");
  return (
    <>
      <PrivatePageMeta title={`${t("pages.finds")} · Sereno`} />
      <Protected early={<EarlyPlace />}>
        <Finds />
      </Protected>
    </>
  );
}

/** hydration/early-finds.ts draws the first cards here. React leaves the content alone and removes it with the place. */
function EarlyPlace() {
  return (
    <div
      id={EARLY_PLACE_ID}
      suppressHydrationWarning
      // biome-ignore lint/security/noDangerouslySetInnerHtml: empty
      dangerouslySetInnerHTML={{ __html: "" }}
    />
  );
}
