import { lazy } from "react";
import { PrivatePageMeta } from "../../components/page-meta.tsx";
import { Protected } from "../../components/protected.tsx";
import { Finds, type OtherViews } from "../../features/finds/finds.tsx";
import { useTexts } from "../../lib/i18n/use-texts.ts";
import type { PageHandle } from "../../lib/site/page-handle.ts";

export const handle: PageHandle = { namespaces: ["finds", "home"] };

const VIEWS: OtherViews = {
  map: lazy(async () => ({ default: (await import("../../features/finds/map/finds-map.tsx")).FindsMap })),
  market: lazy(async () => ({ default: (await import("../../features/finds/market/market.tsx")).Market })),
  settings: lazy(async () => ({
    default: (await import("../../features/finds/settings/finds-settings.tsx")).FindsSettings,
  })),
};

export default function FindsPage() {
  const t = useTexts("common");
  return (
    <>
      <PrivatePageMeta title={`${t("pages.finds")} · Sereno`} />
      <Protected>
        <Finds views={VIEWS} />
      </Protected>
    </>
  );
}
