import type { ReactNode } from "react";
import { COUNTS } from "#text/health-words.ts";
import { durationLabel, formatNumber } from "#text/labels.ts";
import { intervalKindOf, intervalLabel } from "#text/watch-interval.ts";
import { watchIntervalOf } from "#web/hydration/guest-interval.ts";
import type { SavedSearch } from "#web/lib/backend/searches.ts";
import type { Watch } from "#web/lib/backend/typed-database.ts";
import { useWatchInterval } from "#web/lib/backend/use-watch-interval.ts";
import { useClockTime } from "#web/lib/i18n/use-clock-time.ts";
import { useLanguage, useTexts, useWords } from "#web/lib/i18n/use-texts.ts";
import { RawLink } from "../search/portal-link.tsx";
import { RenameSearch } from "../searches/rename-search.tsx";
import { LatestAlerts } from "./latest-alerts.tsx";

interface DetailsPartProps {
  userId: string;
  search: SavedSearch | null;
  url: string;
  watch: Watch | null | undefined;
}

/** The figures of a search, its latest alerts, its link and its name. */
export function DetailsPart({ userId, search, url, watch }: DetailsPartProps) {
  return (
    <div className="grid gap-5">
      {watch && <Counts watch={watch} />}
      {watch && <WatchFreshness watch={watch} />}
      <LatestAlerts watch={watch} />
      <RawLink url={url} />
      {search && <RenameSearch key={search.id} userId={userId} search={search} />}
    </div>
  );
}

/** All counts cover the same period, and each is a part of the first. */
function Counts({ watch }: { watch: Watch }) {
  const t = useTexts("health");
  const interval = useTexts("filter")("watch.facts.interval");
  const language = useLanguage();
  return (
    <section aria-labelledby="alert-counts" className="grid gap-2">
      <h3 id="alert-counts" className="text-[0.9375rem]">
        {t("counts.title")}
      </h3>
      <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-xl border border-line bg-line">
        {COUNTS.map((name) => (
          <Fact key={name} name={t(`counts.${name}`)}>
            {formatNumber(watch.alerts[name], language)}
          </Fact>
        ))}
        <Fact name={interval}>
          <Interval watch={watch} />
        </Fact>
      </dl>
      <p className="text-[0.8125rem] leading-snug text-muted">{t("counts.note")}</p>
    </section>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid content-between gap-0.5 bg-surface px-3 py-2.5 last:odd:col-span-full sm:px-4">
      <dt className="text-[0.8125rem] leading-tight text-muted">{name}</dt>
      <dd className="figures text-[0.9375rem] leading-snug font-semibold hyphens-auto wrap-anywhere">
        {children}
      </dd>
    </div>
  );
}

/** The interval of this search, or the usual one if it has none yet. */
function Interval({ watch }: { watch: Watch }) {
  const t = useTexts("filter");
  const words = useWords("common");
  const usual = useWatchInterval();
  const isKnown = watch.interval_seconds !== null || watch.is_served_by_mail;
  const interval = isKnown ? watchIntervalOf(watch) : usual;
  if (intervalKindOf(interval) === "promised") return t("service.intervalValue");
  return intervalLabel(interval, words);
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
        <p>{t("watch.facts.lastAlert", { time, source: t(`watch.sources.${sent.source}`) })}</p>
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
