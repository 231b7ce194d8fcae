/** The text for a search's status, on pages, in chats and in mails. */
import type { AlertCounts, Health, ToldGap } from "#core/health/health-of.ts";
import { formatNumber } from "./labels.ts";
import { formatMoment, SPANISH_TIME_ZONE } from "./moments.ts";
import type { Words } from "./namespaces.ts";
import { dayLabel } from "./watch-interval.ts";

export interface HealthWords {
  /** One line, the same everywhere. */
  readonly title: string;
  /** What it means and what to do; undefined if all is well. */
  readonly text?: string | undefined;
}

export interface Reader extends Words<"health"> {
  readonly now: Date;
}

export function healthWords(health: Health, { t, language, now }: Reader): HealthWords {
  switch (health.state) {
    case "chatsLost":
      return {
        title: health.onlyLoss === null ? t("chatsLost.title") : t(`chatsLost.only.${health.onlyLoss}`),
        text: t("chatsLost.text"),
      };
    case "muted": {
      if (health.until === null) return { title: t("muted.endless"), text: t("muted.endlessText") };
      const until = momentWords(health.until, ["until.today", "until.later"], { t, language, now });
      return { title: t("muted.until", { until }), text: t("muted.untilText") };
    }
    case "spent": {
      const date = dayLabel(health.until, language);
      const mail = health.isServedByMail ? [t("spent.mail")] : [];
      return { title: t("spent.title", { date }), text: [t("spent.text", { date }), ...mail].join(" ") };
    }
    case "queued": {
      const at = momentWords(health.until, ["at.today", "at.later"], { t, language, now });
      return { title: t("queued.title", { at }), text: t("queued.text") };
    }
    case "failing": {
      const since = momentWords(health.since, ["since.today", "since.earlier"], { t, language, now });
      const reason = t(`reasons.${health.reason}`);
      return { title: t("failing.title", { since }), text: t("failing.text", { reason }) };
    }
    case "late": {
      const since = momentWords(health.since, ["since.today", "since.earlier"], { t, language, now });
      return { title: t("late.title", { since }), text: t("late.text") };
    }
    case "first":
      return { title: t(health.isAgain ? "first.again" : "first.title"), text: t("first.text") };
    case "watching":
      return { title: t("watching.title") };
    default:
      return { title: t(`${health.state}.title`), text: t(`${health.state}.text`) };
  }
}

/** When homes may have been missed, and what was done about it. By clocks in Spain, where the homes are. */
export function gapWords({ from, until }: ToldGap, { t, language }: Words<"health">): string {
  const moment = (at: string) =>
    formatMoment(new Date(at), language, {
      ...{ timeZone: SPANISH_TIME_ZONE, day: "numeric", month: "short" },
      ...{ hour: "2-digit", minute: "2-digit" },
    });
  return t("gap", { from: moment(from), until: moment(until) });
}

export const COUNTS = ["found", "sent", "waiting", "undelivered"] as const;

/** "Last 24 hours · Found 5 · Sent 3 · …" */
export function countsLine(counts: AlertCounts, { t, language }: Words<"health">): string {
  return [
    t("counts.title"),
    ...COUNTS.map((name) => `${t(`counts.${name}`)}\u00a0${formatNumber(counts[name], language)}`),
  ].join("\u00a0· ");
}

/** The time of day in Spain, where the homes are, with the day unless it is today. */
function momentWords(
  moment: Date,
  [today, another]:
    | readonly ["since.today", "since.earlier"]
    | readonly ["until.today", "until.later"]
    | readonly ["at.today", "at.later"],
  { t, language, now }: Reader,
): string {
  const time = formatMoment(moment, language, {
    timeZone: SPANISH_TIME_ZONE,
    hour: "2-digit",
    minute: "2-digit",
  });
  const day = dayLabel(moment, language);
  const isToday = day === dayLabel(now, language) && Math.abs(now.getTime() - moment.getTime()) < 86_400_000;
  return isToday ? t(today, { time }) : t(another, { day, time });
}
