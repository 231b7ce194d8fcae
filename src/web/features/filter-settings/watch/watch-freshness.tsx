import { durationLabel } from "#text/labels.ts";
import type { Watch } from "#web/lib/backend/watches.ts";
import { useClockTime } from "#web/lib/i18n/use-clock-time.ts";
import { useLanguage, useTexts } from "#web/lib/i18n/use-texts.ts";

/** Which source told last, and how soon alerts came: what was measured, never a promise. */
export function WatchFreshness({ watch }: { watch: Pick<Watch, "last_told" | "freshness"> }) {
  const t = useTexts("filter");
  const language = useLanguage();
  const { last_told: told, freshness } = watch;
  const time = useClockTime(told?.at ?? null);
  if (told === null && freshness === null) return null;
  return (
    <div className="figures grid gap-1 text-sm text-muted">
      {told !== null && (
        <p>
          {t("watch.facts.lastTold")} {t(`watch.sources.${told.source}`)},{" "}
          <time dateTime={told.at}>{time}</time>
        </p>
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
