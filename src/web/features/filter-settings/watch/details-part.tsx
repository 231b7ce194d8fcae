import { COUNTS } from "#text/health-words.ts";
import { durationLabel, formatNumber } from "#text/labels.ts";
import { intervalKindOf, intervalLabel } from "#text/watch-interval.ts";
import { Fact, FactList } from "#web/components/ui/facts.tsx";
import { watchIntervalOf } from "#web/lib/backend/guest-interval.ts";
import type { Watch } from "#web/lib/backend/typed-database.ts";
import { useWatchInterval } from "#web/lib/backend/use-watch-interval.ts";
import { useClockTime } from "#web/lib/i18n/use-clock-time.ts";
import { useLanguage, useTexts, useWords } from "#web/lib/i18n/use-texts.ts";
import { LatestAlerts } from "./latest-alerts.tsx";

/** The figures of a search, and its latest alerts. */
export function DetailsPart({ watch }: { watch: Watch | null | undefined }) {
  return (
    <div className="grid gap-5">
      {watch && <Counts watch={watch} />}
      {watch && <WatchFreshness watch={watch} />}
      <LatestAlerts watch={watch} />
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
      <h3 id="alert-counts" className="text-md">
        {t("counts.title")}
      </h3>
      <FactList look="boxes">
        {COUNTS.map((name) => (
          <Fact key={name} name={t(`counts.${name}`)}>
            {formatNumber(watch.alerts[name], language)}
          </Fact>
        ))}
        <Fact name={interval}>
          <Interval watch={watch} />
        </Fact>
      </FactList>
      <p className="text-fine leading-snug text-muted">{t("counts.note")}</p>
    </section>
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
