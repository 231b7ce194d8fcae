import { lazy, Suspense } from "react";
import { intervalKindOf, intervalSentence } from "#text/watch-interval.ts";
import type { SavedSearch } from "#web/lib/backend/searches.ts";
import { useWatchInterval } from "#web/lib/backend/use-watch-interval.ts";
import { cn } from "#web/lib/browser/class-names.ts";
import { useLanguage, useTexts } from "#web/lib/i18n/use-texts.ts";
import { FindsLink } from "../../components/finds-link.tsx";
import { LocalLink } from "../../components/local-link.tsx";
import { Panel } from "../../components/panel.tsx";
import { Button } from "../../components/ui/button.tsx";

// Names come from the tables of places, which one search does not need.
const SearchNames = lazy(async () => ({ default: (await import("./search-names.tsx")).SearchNames }));

export function FilterPanel({ searches }: { searches: readonly SavedSearch[] }) {
  const t = useTexts("account");
  const isActive = searches.length > 0;
  return (
    <Panel id="filter" title={t("filter.title")}>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <div>
          <p className="text-sm text-muted">{t("filter.status")}</p>
          <p className="flex items-center gap-2 font-semibold">
            <span
              aria-hidden
              className={cn(
                "size-2.5 rounded-full",
                isActive ? "bg-good" : "border-2 border-strong-line bg-transparent",
              )}
            />
            {isActive ? t("filter.active") : t("filter.none")}
          </p>
        </div>
        <LocalLink
          to="/filter-settings"
          className="inline-flex min-h-11 items-center font-semibold underline decoration-ink/35 underline-offset-4 hover:decoration-ink"
        >
          {isActive ? t("filter.manage") : t("filter.setUp")}
        </LocalLink>
      </div>
      <p className="text-[0.9375rem] text-muted">
        {isActive ? (
          <ActiveDescription />
        ) : (
          <>
            <span className="font-medium text-ink">{t("filter.notConfigured")}.</span>{" "}
            {t("filter.noneDescription")}
          </>
        )}
      </p>
      {searches.length > 1 && (
        <Suspense fallback={null}>
          <SearchNames searches={searches} />
        </Suspense>
      )}
      <div className="flex flex-wrap gap-3">
        <Button
          variant={isActive ? "solid" : "lantern"}
          size="lg"
          className="w-full sm:w-auto sm:justify-self-start"
          asChild
        >
          <LocalLink to="/filter-settings">
            {isActive ? t("filter.manageButton") : t("filter.setUpButton")}
          </LocalLink>
        </Button>
        {isActive && (
          <Button variant="outline" size="lg" className="w-full sm:w-auto" asChild>
            <FindsLink>{t("filter.finds")}</FindsLink>
          </Button>
        )}
      </div>
    </Panel>
  );
}

function ActiveDescription() {
  const t = useTexts("account");
  const language = useLanguage();
  const interval = useWatchInterval();
  if (intervalKindOf(interval) === "promised") return t("filter.activeDescription");
  return intervalSentence(interval, language);
}
