import { Suspense } from "react";
import { type Health, healthOf } from "#core/health/health-of.ts";
import { intervalKindOf, intervalSentence } from "#text/watch-interval.ts";
import { lazyPart } from "#web/components/parts/lazy-part.tsx";
import type { SavedSearch } from "#web/lib/backend/searches.ts";
import { useWatchInterval } from "#web/lib/backend/use-watch-interval.ts";
import { useWatches } from "#web/lib/backend/watches.ts";
import { useHealthWords } from "#web/lib/i18n/use-health-words.ts";
import { useTexts, useWords } from "#web/lib/i18n/use-texts.ts";
import { FindsLink } from "../../components/finds-link.tsx";
import { HealthLine } from "../../components/health-line.tsx";
import { LocalLink } from "../../components/local-link.tsx";
import { Panel } from "../../components/panel.tsx";
import { Button } from "../../components/ui/button.tsx";
import { TextLink } from "../../components/ui/text-link.tsx";

// Names need the table of places, which a single search does not.
const SearchNames = lazyPart(async () => (await import("./search-names.tsx")).SearchNames, {
  namespaces: ["search"],
});

interface FilterPanelProps {
  userId: string;
  searches: readonly SavedSearch[];
}

export function FilterPanel({ userId, searches }: FilterPanelProps) {
  const t = useTexts("account");
  const isActive = searches.length > 0;
  return (
    <Panel id="filter" title={t("filter.title")}>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <div>
          <p className="text-sm text-muted">{t("filter.status")}</p>
          <p className="font-semibold">{isActive ? t("filter.active") : t("filter.none")}</p>
        </div>
        <TextLink size="line" to="/filter-settings">
          {isActive ? t("filter.manage") : t("filter.setUp")}
        </TextLink>
      </div>
      {isActive ? (
        <SearchStatus userId={userId} searches={searches} />
      ) : (
        <p className="text-md text-muted">
          <span className="font-medium text-ink">{t("filter.notConfigured")}.</span>{" "}
          {t("filter.noneDescription")}
        </p>
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

/** With one search its status and what it means; of several those that are not simply watched. */
function SearchStatus({ userId, searches }: FilterPanelProps) {
  const { data: watches } = useWatches(userId);
  const healthOfSearch = ({ id }: SavedSearch) => {
    const watch = watches?.find((one) => one.id === id);
    return watch && healthOf(watch);
  };
  const different = searches.filter((search) => healthOfSearch(search)?.state !== "watching");
  const [only, ...others] = searches;
  const health = only && healthOfSearch(only);
  if (others.length > 0 && different.length > 0) {
    return (
      <Suspense fallback={null}>
        {health && <SearchNames searches={searches} shown={different} healthOf={healthOfSearch} />}
      </Suspense>
    );
  }
  return (
    <div className="grid min-h-12 content-start gap-1">
      <HealthLine health={health} />
      {health && <Description health={health} />}
    </div>
  );
}

function Description({ health }: { health: Health }) {
  const { text } = useHealthWords(health);
  return <p className="text-md text-muted">{text ?? <ActiveDescription />}</p>;
}

function ActiveDescription() {
  const t = useTexts("account");
  const words = useWords("common");
  const interval = useWatchInterval();
  if (intervalKindOf(interval) === "promised") return t("filter.activeDescription");
  return intervalSentence(interval, words);
}
