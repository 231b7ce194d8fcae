import type { ReactNode } from "react";
import type { Health } from "#core/health/health-of.ts";
import { COUNTS } from "#text/health-words.ts";
import { timeLabel } from "#text/labels.ts";
import { intervalKindOf, intervalLabel } from "#text/watch-interval.ts";
import { watchIntervalOf } from "#web/hydration/guest-interval.ts";
import type { Watch } from "#web/lib/backend/typed-database.ts";
import { useWatchInterval } from "#web/lib/backend/use-watch-interval.ts";
import { useNow } from "#web/lib/browser/use-now.ts";
import { useLanguage, useTexts, useWords } from "#web/lib/i18n/use-texts.ts";

const CLOCK_MS = 15_000;

interface WatchFactsProps {
  watch: Watch;
  health: Health;
}

export function WatchFacts({ watch, health }: WatchFactsProps) {
  const t = useTexts("filter");
  const words = useWords("common");
  const now = useNow(CLOCK_MS);
  return (
    <div className="grid gap-4">
      <Facts className="grid-cols-2 sm:grid-cols-3">
        <Fact name={t("watch.facts.last")}>
          {watch.last_ok_at === null ? (
            t("watch.facts.none")
          ) : (
            <time dateTime={watch.last_ok_at}>{timeLabel(new Date(watch.last_ok_at), now, words)}</time>
          )}
        </Fact>
        <Fact name={t("watch.facts.next")}>
          <NextCheck watch={watch} health={health} now={now} />
        </Fact>
        <Fact name={t("watch.facts.interval")}>
          <Interval watch={watch} />
        </Fact>
      </Facts>
      <Counts watch={watch} />
    </div>
  );
}

/** All counts cover the same period, and each is a part of the first. */
function Counts({ watch }: { watch: Watch }) {
  const t = useTexts("health");
  const number = new Intl.NumberFormat(useLanguage());
  return (
    <section aria-labelledby="alert-counts" className="grid gap-2">
      <h3 id="alert-counts" className="text-sm font-semibold">
        {t("counts.title")}
      </h3>
      <Facts className="grid-cols-2 sm:grid-cols-4">
        {COUNTS.map((name) => (
          <Fact key={name} name={t(`counts.${name}`)}>
            {number.format(watch.alerts[name])}
          </Fact>
        ))}
      </Facts>
      <p className="text-[0.8125rem] leading-snug text-muted">{t("counts.note")}</p>
    </section>
  );
}

function Facts({ className, children }: { className: string; children: ReactNode }) {
  return (
    <dl className={`grid gap-px overflow-hidden rounded-xl border border-line bg-line ${className}`}>
      {children}
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid content-between gap-0.5 bg-[#0d1628] px-3 py-3 last:odd:col-span-full sm:px-4 sm:last:odd:col-span-1">
      <dt className="text-[0.8125rem] leading-tight text-muted">{name}</dt>
      <dd className="figures text-[0.9375rem] leading-snug font-semibold hyphens-auto wrap-anywhere sm:text-base">
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

function NextCheck({ watch, health, now }: WatchFactsProps & { now: Date }) {
  const t = useTexts("filter");
  const language = useLanguage();
  const isChecked = ["watching", "first", "queued", "failing", "spent", "muted"].includes(health.state);
  if (!isChecked) return t("watch.facts.onHold");
  if (health.state === "first") return t("watch.facts.now");
  const at =
    health.state === "spent" || health.state === "queued" ? health.until.toISOString() : watch.next_check_at;
  const wait = at === null ? undefined : waitUntil(at, now);
  if (at === null || wait === undefined) return t("watch.facts.now");
  const label = new Intl.RelativeTimeFormat(language, { style: "short" }).format(wait.count, wait.unit);
  return <time dateTime={at}>{label}</time>;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

interface Wait {
  count: number;
  unit: "minute" | "hour" | "day";
}

/** Rounded up to whole minutes, hours or days; undefined if the time has passed. */
export function waitUntil(time: string, now: Date): Wait | undefined {
  const leftMs = Date.parse(time) - now.getTime();
  if (!(leftMs > 0)) return undefined;
  if (leftMs <= 2 * HOUR_MS) return { count: Math.ceil(leftMs / MINUTE_MS), unit: "minute" };
  if (leftMs <= 2 * DAY_MS) return { count: Math.ceil(leftMs / HOUR_MS), unit: "hour" };
  return { count: Math.ceil(leftMs / DAY_MS), unit: "day" };
}
