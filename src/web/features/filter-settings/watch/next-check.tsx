import type { Health } from "#core/health/health-of.ts";
import { capitalised } from "#text/labels.ts";
import type { Watch } from "#web/lib/backend/typed-database.ts";
import { useLanguage, useTexts } from "#web/lib/i18n/use-texts.ts";

interface NextCheckProps {
  watch: Watch;
  health: Health;
  now: Date;
}

export function NextCheck({ watch, health, now }: NextCheckProps) {
  const t = useTexts("filter");
  const language = useLanguage();
  const isChecked = ["watching", "first", "queued", "failing", "late", "spent", "muted"].includes(
    health.state,
  );
  if (!isChecked) return t("watch.facts.onHold");
  if (health.state === "first") return t("watch.facts.now");
  const at =
    health.state === "spent" || health.state === "queued" ? health.until.toISOString() : watch.next_check_at;
  const wait = at === null ? undefined : waitUntil(at, now);
  if (at === null || wait === undefined) return t("watch.facts.now");
  const label = new Intl.RelativeTimeFormat(language, { style: "long" }).format(wait.count, wait.unit);
  return <time dateTime={at}>{capitalised(label.replace(/(?<=\d) /, "\u00a0"))}</time>;
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
