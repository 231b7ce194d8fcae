/**
 * All homes found for a person, to compare and decide on. The list loads page by page and stays up to date while it is open;
 * what a person keeps, hides or notes here changes in the chat too.
 */
import { useQueryClient } from "@tanstack/react-query";
import { Suspense, useMemo, useState } from "react";
import { Link, useSearchParams } from "react-router";
import { lazyPart } from "#web/components/parts/lazy-part.tsx";
import { useSession } from "#web/lib/auth/session.ts";
import { cn } from "#web/lib/browser/class-names.ts";
import { usePressedLink } from "#web/lib/browser/use-pressed-choice.ts";
import { useTexts } from "#web/lib/i18n/use-texts.ts";
import { Skeleton } from "../../components/ui/skeleton.tsx";
import { FINDS_VIEWS, type FindsView, readAddress } from "./list/address/find-address.ts";
import { useSettledMarks } from "./list/use-marks.ts";
import { ListView } from "./list-view.tsx";
import { MapView, prefetchPoints } from "./map-view.tsx";

const MarketView = lazyPart(async () => (await import("./market/market-view.tsx")).MarketView, {
  namespaces: ["market"],
});
const FindsSettings = lazyPart(async () => (await import("./settings/finds-settings.tsx")).FindsSettings, {
  namespaces: ["finds-settings"],
});

export function Finds() {
  const t = useTexts("finds");
  const userId = useSession().user?.id ?? "";
  const [params] = useSearchParams();
  const address = useMemo(() => readAddress(params), [params]);
  const { view } = address;
  const [count, setCount] = useState<number | null>(null);
  useSettledMarks(userId);
  return (
    <div
      className={cn(
        "mx-auto grid min-h-page grid-cols-1 content-start gap-3 px-4 pt-2 pb-16 sm:gap-4 sm:px-5 sm:pt-5 md:gap-6 md:px-6 md:pt-10 md:pb-24",
        view === "map" ? "max-w-screen-2xl lg:gap-4 lg:pt-6" : "max-w-6xl",
      )}
    >
      {view === "list" && <SkipToHomes />}
      <div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-1 border-b border-line">
        <div className="flex items-baseline gap-3 sm:pb-2">
          <h1 className="text-xl sm:text-3xl md:text-4xl">{t("title")}</h1>
          {view === "list" && count !== null && count > 0 && (
            <p className="figures text-muted">{t("homes", { count })}</p>
          )}
        </div>
        <ViewTabs current={view} userId={userId} />
      </div>
      {view === "list" && <ListView userId={userId} address={address} onCount={setCount} />}
      {view === "map" && <MapView userId={userId} address={address} />}
      <Suspense fallback={<Skeleton className="h-96 rounded-2xl" />}>
        {view === "market" && <MarketView />}
        {view === "settings" && <FindsSettings />}
      </Suspense>
    </div>
  );
}

/** For the keyboard: past the views and filters, to the first home. */
function SkipToHomes() {
  const t = useTexts("finds");
  return (
    <a
      href="#homes"
      className="fixed top-2 left-2 z-50 -translate-y-20 rounded-xl bg-ink px-4 py-3 font-semibold text-background focus:translate-y-0"
    >
      {t("skipToHomes")}
    </a>
  );
}

/** Each view has its own address: the filters of the list do not apply to the market. */
function ViewTabs({ current, userId }: { current: FindsView; userId: string }) {
  const t = useTexts("finds");
  const queries = useQueryClient();
  const [shown, follow] = usePressedLink(current);
  return (
    <nav
      aria-label={t("views.label")}
      className="max-sm:-mx-4 max-sm:shrink-0 max-sm:basis-[calc(100%+2rem)] max-sm:overflow-x-auto max-sm:px-4"
    >
      <ul className="flex w-max gap-5 sm:gap-6">
        {FINDS_VIEWS.map((view) => (
          <li key={view}>
            <Link
              to={addressOf(view)}
              aria-current={view === shown ? "page" : undefined}
              onClick={(event) => {
                follow(view, addressOf(view))(event);
                if (view === "map" && view !== current) prefetchPoints(queries, userId);
              }}
              className="flex min-h-11 items-center border-b-2 border-transparent font-semibold text-muted hover:text-ink aria-[current]:border-ink aria-[current]:text-ink"
            >
              {t(`views.${view}`)}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function addressOf(view: FindsView): string {
  return view === "list" ? "?" : `?view=${view}`;
}
