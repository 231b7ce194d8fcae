import type { UseQueryResult } from "@tanstack/react-query";
import { Pause, Play } from "lucide-react";
import { useMemo } from "react";
import { type Health, healthOf } from "#core/health/health-of.ts";
import { parseSearchUrl } from "#core/search/url/parse-search-url.ts";
import { describeSearch } from "#text/describe-search.ts";
import { durationLabel } from "#text/labels.ts";
import { LanternMark } from "#web/components/lantern-mark.tsx";
import { Roofline } from "#web/components/roofline.tsx";
import { SubmitButton } from "#web/components/submit-button.tsx";
import { Skeleton } from "#web/components/ui/skeleton.tsx";
import type { SavedSearch } from "#web/lib/backend/searches.ts";
import type { Watch } from "#web/lib/backend/typed-database.ts";
import { cn } from "#web/lib/browser/class-names.ts";
import { useClockTime } from "#web/lib/i18n/use-clock-time.ts";
import { useHealthWords } from "#web/lib/i18n/use-health-words.ts";
import { useLanguage, useTexts, useWords } from "#web/lib/i18n/use-texts.ts";
import type { SavedFilter } from "../form/form-state.ts";
import { usePause } from "../searches/use-search-actions.ts";
import { WatchFacts } from "./watch-facts.tsx";

interface WatchPanelProps {
  userId: string;
  search: SavedSearch | null;
  watch: UseQueryResult<Watch | null>;
  base: SavedFilter | null;
}

export function WatchPanel({ userId, search, watch, base }: WatchPanelProps) {
  const t = useTexts("filter");
  const isPaused = search?.isPaused ?? false;
  const health = watch.data ? healthOf({ ...watch.data, is_paused: isPaused }) : undefined;
  const words = useSearchWords(base?.url ?? "");
  return (
    <section
      aria-labelledby="watch"
      className="night relative overflow-hidden rounded-2xl border border-line bg-[linear-gradient(180deg,#0b1220_0%,#12203c_60%,#1d2b4b_100%)]"
    >
      <Roofline isAsleep className="h-28 opacity-50 md:h-36" />
      <div className="relative grid gap-5 p-5 sm:p-7">
        <h2 id="watch" className="sr-only">
          {t("watch.title")}
        </h2>
        <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-4">
          <div className="flex min-w-0 flex-1 basis-72 gap-4">
            <StateLantern isLit={health?.state === "watching" || health?.state === "first"} />
            <div className="grid min-w-0 gap-1">
              <StateWords health={health} isError={watch.isError} />
              {words && <p className="wrap-anywhere text-ink/85">{words}</p>}
            </div>
          </div>
          {search && <PauseButton userId={userId} search={search} />}
        </div>
        {watch.data && health && <WatchFacts watch={watch.data} health={health} />}
        {watch.data && <WatchFreshness watch={watch.data} />}
      </div>
    </section>
  );
}

function StateWords({ health, isError }: { health: Health | undefined; isError: boolean }) {
  const t = useTexts("filter");
  if (health) return <KnownState health={health} />;
  return isError ? <p>{t("watch.unavailable")}</p> : <Skeleton className="h-7 w-56" />;
}

function KnownState({ health }: { health: Health }) {
  const { title, text } = useHealthWords(health);
  return (
    <div role="status" className="grid gap-1">
      <p className="text-xl leading-snug font-bold tracking-[-0.01em] sm:text-2xl">{title}</p>
      {text !== undefined && <p className="text-muted">{text}</p>}
    </div>
  );
}

function StateLantern({ isLit }: { isLit: boolean }) {
  return (
    <div className="relative size-11 shrink-0">
      {isLit && (
        <div className="absolute top-1/2 left-1/2 size-40 -translate-x-1/2 -translate-y-1/2 rounded-full bg-[radial-gradient(closest-side,rgb(245_165_36/0.4),rgb(245_165_36/0.13)_45%,transparent_72%)]" />
      )}
      <LanternMark className={cn("relative size-11", !isLit && "opacity-45 grayscale")} />
    </div>
  );
}

function useSearchWords(url: string): string | undefined {
  const words = useWords("search");
  return useMemo(() => {
    const parsed = parseSearchUrl(url);
    return parsed.ok ? describeSearch(parsed.search, words).text : undefined;
  }, [url, words]);
}

function PauseButton({ userId, search }: { userId: string; search: SavedSearch }) {
  const t = useTexts("filter");
  const { isBusy, run } = usePause(userId, search);
  const Icon = search.isPaused ? Play : Pause;
  return (
    <SubmitButton
      type="button"
      variant={search.isPaused ? "lantern" : "outline"}
      isBusy={isBusy}
      busyText={t("watch.pausing")}
      onClick={() => run()}
    >
      <Icon aria-hidden className="size-4.5" />
      {search.isPaused ? t("watch.resume") : t("watch.pause")}
    </SubmitButton>
  );
}

/** The source of the last alert, and how fast alerts arrived: measured, not promised. */
function WatchFreshness({ watch }: { watch: Pick<Watch, "last_sent" | "freshness"> }) {
  const t = useTexts("filter");
  const language = useLanguage();
  const { last_sent: sent, freshness } = watch;
  const time = useClockTime(sent?.at ?? null);
  if (sent === null && freshness === null) return null;
  return (
    <div className="figures grid gap-1 text-sm text-muted">
      {sent !== null && (
        <p>{t("watch.facts.lastTold", { time, source: t(`watch.sources.${sent.source}`) })}</p>
      )}
      {freshness !== null && (
        <p>
          {t("watch.freshness", {
            alerts: freshness.alerts,
            median: durationLabel(freshness.median_seconds, language),
            p95: durationLabel(freshness.p95_seconds, language),
          })}
        </p>
      )}
    </div>
  );
}
