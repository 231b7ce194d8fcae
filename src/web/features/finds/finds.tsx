/**
 * All homes found for a person, to be decided on side by side. They come from the database page by page and stay true while
 * they are looked at; what is kept, hidden or noted here is so in the chat too.
 */
import { type ComponentType, Suspense, useMemo, useState } from "react";
import { useSearchParams } from "react-router";
import { useSession } from "#web/lib/auth/session.ts";
import { useTexts } from "#web/lib/i18n/use-texts.ts";
import { Skeleton } from "../../components/ui/skeleton.tsx";
import { FINDS_VIEWS, readAddress } from "./list/address/find-address.ts";
import { ListView } from "./list-view.tsx";
import { type MapProps, MapView } from "./map-view.tsx";
import { ViewTabs } from "./view-tabs.tsx";

/** The views beside the list; each is loaded when it is shown. */
export interface OtherViews {
  map?: ComponentType<MapProps>;
  market?: ComponentType<Record<never, never>>;
  settings?: ComponentType<Record<never, never>>;
}

export function Finds({ views }: { views: OtherViews }) {
  const t = useTexts("finds");
  const userId = useSession().user?.id ?? "";
  const [params] = useSearchParams();
  const address = useMemo(() => readAddress(params), [params]);
  const [count, setCount] = useState<number | null>(null);
  const known = FINDS_VIEWS.filter((view) => view === "list" || views[view] !== undefined);
  const view = known.includes(address.view) ? address.view : "list";
  const Other = view === "market" || view === "settings" ? views[view] : undefined;
  return (
    <div className="mx-auto grid min-h-[80vh] max-w-6xl grid-cols-1 content-start gap-4 px-4 pt-5 pb-16 sm:px-5 md:gap-6 md:px-6 md:pt-10 md:pb-24">
      <div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-1 border-b border-line">
        <div className="flex items-baseline gap-3 pb-2">
          <h1 className="text-3xl md:text-4xl">{t("title")}</h1>
          {view === "list" && count !== null && count > 0 && (
            <p className="figures text-muted">{t("homes", { count })}</p>
          )}
        </div>
        <ViewTabs views={known} current={view} />
      </div>
      {view === "map" && views.map ? (
        <MapView Map={views.map} userId={userId} address={address} />
      ) : Other ? (
        <Suspense fallback={<Skeleton className="h-96 rounded-2xl" />}>
          <Other />
        </Suspense>
      ) : (
        <ListView userId={userId} address={address} onCount={setCount} />
      )}
    </div>
  );
}
