/** Prices that Sereno saw, town by town, with the number of homes behind each figure. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useSession } from "#web/lib/auth/session.ts";
import { useRecheckSession } from "#web/lib/auth/use-recheck-session.ts";
import { isMissing, useLoaded } from "#web/lib/backend/use-loaded.ts";
import { useNow } from "#web/lib/browser/use-now.ts";
import { useLanguage, useTexts } from "#web/lib/i18n/use-texts.ts";
import { MissingNotice } from "../../../components/parts/missing-notice.tsx";
import { LoadingBlocks } from "../../../components/ui/loading-blocks.tsx";
import { figuresQuery, type OwnMarket, ownMarketsQuery, townsQuery } from "../market-figures.ts";
import { TooFewFigures } from "../too-few-figures.tsx";
import { MarketControls } from "./market-controls.tsx";
import { formatDate } from "./market-format.ts";
import { levelsIn, ownFirst, sortedRows, zoneRows } from "./market-rows.ts";
import { TownSummary } from "./town-summary.tsx";
import { type Choice, orderText, useChoice } from "./use-choice.ts";
import { ZoneTable } from "./zone-table.tsx";

const DAY_MS = 24 * 60 * 60_000;
/** Figures cover this period. */
const WINDOW_MS = 90 * DAY_MS;

export function MarketView() {
  const t = useTexts("market");
  const language = useLanguage();
  const since = new Date(useNow(DAY_MS).getTime() - WINDOW_MS);
  const userId = useSession().user?.id ?? "";
  const towns = useQuery(townsQuery);
  const own = useQuery(ownMarketsQuery(userId));
  const [choice, choose] = useChoice(towns.data ?? [], own.data?.[0] ?? null);
  useRecheckSession(towns.failureCount > 0);
  const isReady = useLoaded(towns, own);
  const hasNone = isReady && towns.data !== undefined && !choice;
  return (
    <section aria-labelledby="market" className="grid gap-6">
      {/* Without figures the page is the one sentence that says so. */}
      <div className={hasNone ? "sr-only" : "grid max-w-prose gap-2"}>
        <h2 id="market" className="text-2xl">
          {t("title")}
        </h2>
        {!hasNone && <p className="text-muted">{t("lead", { date: formatDate(since, language) })}</p>}
      </div>
      {isMissing(towns) && <MissingNotice message={t("failed")} onRetry={() => void towns.refetch()} />}
      {!isReady && !isMissing(towns) && <Loading />}
      {hasNone && (
        <p className="max-w-prose py-2">
          <TooFewFigures />
        </p>
      )}
      {choice && isReady && (
        <>
          <MarketControls towns={towns.data ?? []} choice={choice} choose={choose} />
          <Figures choice={choice} own={own.data ?? []} choose={choose} />
        </>
      )}
    </section>
  );
}

interface FiguresProps {
  choice: Choice;
  own: readonly OwnMarket[];
  choose(change: Record<string, string>): void;
}

function Figures({ choice, own, choose }: FiguresProps) {
  const t = useTexts("market");
  const language = useLanguage();
  const { town, operation, size, order } = choice;
  const query = useQuery({
    ...figuresQuery(town.placeId, operation),
    // Keep the previous town until the next is loaded, so that nothing jumps.
    placeholderData: keepPreviousData,
  });
  if (isMissing(query)) return <MissingNotice message={t("failed")} onRetry={() => void query.refetch()} />;
  if (query.data === undefined) return <Loading />;
  const figures = query.data;
  const levels = levelsIn(figures);
  const level = levels.find((one) => one === choice.level) ?? levels[0];
  const ofTown = figures.find(({ placeId, sizeBand }) => placeId === town.placeId && sizeBand === size);
  const rows = level
    ? sortedRows(zoneRows(figures, { level, size }), order, new Intl.Collator(language))
    : [];
  return (
    <div aria-busy={query.isPlaceholderData} className="grid gap-6 aria-busy:opacity-55">
      <TownSummary name={town.name} figure={ofTown ?? null} />
      {rows.length > 0 && level && (
        <ZoneTable
          // Another list starts at its top.
          key={`${town.placeId} ${operation} ${level}`}
          rows={ownFirst(rows, own)}
          town={ofTown ?? null}
          choice={choice}
          level={level}
          levels={levels}
          onLevel={(chosen) => choose({ level: chosen })}
          onOrder={(chosen) => choose({ by: orderText(chosen) })}
        />
      )}
    </div>
  );
}

function Loading() {
  const t = useTexts("market");
  return <LoadingBlocks label={t("loading")} heights={["h-12", "h-40", "h-96"]} />;
}
