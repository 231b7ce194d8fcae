import type { ReactNode } from "react";
import { timeLabel } from "#text/labels.ts";
import { intervalKindOf, intervalLabel } from "#text/watch-interval.ts";
import { watchIntervalOf } from "#web/lib/backend/guest-interval.ts";
import { useNow } from "#web/lib/browser/use-now.ts";
import { useLanguage, useTexts } from "#web/lib/i18n/use-texts.ts";
import type { Watch } from "./watch-calls.ts";
import { waitUntil } from "./watch-state.ts";

const CLOCK_MS = 15_000;

export function WatchFacts({ watch }: { watch: Watch }) {
  const t = useTexts("filter");
  const language = useLanguage();
  const now = useNow(CLOCK_MS);
  const number = new Intl.NumberFormat(language);
  return (
    <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-xl border border-line bg-line sm:grid-cols-3 lg:grid-cols-6">
      <Fact name={t("watch.facts.last")}>
        {watch.last_ok_at === null ? (
          t("watch.facts.none")
        ) : (
          <time dateTime={watch.last_ok_at}>{timeLabel(new Date(watch.last_ok_at), now, language)}</time>
        )}
      </Fact>
      <Fact name={t("watch.facts.next")}>
        <NextCheck watch={watch} now={now} />
      </Fact>
      <Fact name={t("watch.facts.interval")}>
        <Interval watch={watch} />
      </Fact>
      <Fact name={t("watch.facts.found")}>{number.format(watch.found_last_day)}</Fact>
      <Fact name={t("watch.facts.sent")}>{number.format(watch.alerts_sent)}</Fact>
      <Fact name={t("watch.facts.waiting")}>{number.format(watch.alerts_waiting)}</Fact>
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid content-between gap-0.5 bg-[#0d1628] px-3 py-3 sm:px-4">
      <dt className="text-[0.8125rem] leading-tight text-muted">{name}</dt>
      <dd className="figures text-[0.9375rem] leading-snug font-semibold hyphens-auto wrap-anywhere sm:text-base">
        {children}
      </dd>
    </div>
  );
}

function Interval({ watch }: { watch: Watch }) {
  const t = useTexts("filter");
  const language = useLanguage();
  const interval = watchIntervalOf(watch);
  if (interval.intervalSeconds === null && !interval.isServedByMail) return t("watch.facts.none");
  if (intervalKindOf(interval) === "promised") return t("service.intervalValue");
  return intervalLabel(interval, language);
}

function NextCheck({ watch, now }: { watch: Watch; now: Date }) {
  const t = useTexts("filter");
  const language = useLanguage();
  const isUnasked = !watch.can_tell && watch.next_check_at === null;
  if (watch.is_paused || watch.problem !== null || isUnasked) return t("watch.facts.onHold");
  const wait = watch.next_check_at === null ? undefined : waitUntil(watch.next_check_at, now);
  if (watch.next_check_at === null || wait === undefined) return t("watch.facts.now");
  const label = new Intl.RelativeTimeFormat(language, { style: "short" }).format(wait.count, wait.unit);
  return <time dateTime={watch.next_check_at}>{label}</time>;
}
