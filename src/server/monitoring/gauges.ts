import { Gauge, type Registry } from "prom-client";
import type { Figures } from "#store/figures.ts";

export type Limits = { checkIntervalSeconds: number; monthlyRequests: number | undefined };

export function describeGauges(registry: Registry) {
  const gauge = (name: string, help: string, ...labelNames: string[]) =>
    new Gauge({ name, help, labelNames, registers: [registry] });
  const alerts = gauge("alerts", "Alerts by state", "state");
  const oldestAlert = gauge("alerts_oldest_pending_seconds", "How long the oldest due alert has waited");
  const chats = gauge("chats", "Connections of people and chats by state", "state");
  const filters = gauge("filters", "Filters: active, paused, or served by no source", "state");
  const feeds = gauge("watcher_feeds", "Feeds planned");
  const failing = gauge("watcher_feeds_failing", "Feeds whose last check failed");
  const overdue = gauge("watcher_oldest_due_feed_seconds", "How late the latest check is");
  const interval = gauge("watcher_longest_interval_seconds", "The longest interval between checks of a feed");
  const mails = gauge("mails", "Alert mails of the last 30 days by what became of them", "outcome");
  const waitingMails = gauge("mails_waiting", "Alert mails accepted and not dealt with yet");
  const oldestMail = gauge("mails_oldest_waiting_seconds", "How long the oldest of them has waited");
  const promised = gauge("watcher_promised_interval_seconds", "The interval asked for");
  const showRequests = describeRequests(gauge);
  const showFreshness = describeFreshness(gauge);
  const showLosses = describeLosses(gauge);
  const showOperation = describeOperation(gauge);
  const budget = gauge("provider_monthly_requests", "Requests a month the contract allows");

  return (figures: Figures, limits: Limits) => {
    for (const [byState, shown] of [
      [figures.alertsByState, alerts],
      [figures.chatsByState, chats],
      [figures.filters, filters],
    ] as const) {
      shown.reset();
      for (const [state, count] of Object.entries(byState)) shown.set({ state }, count);
    }
    mails.reset();
    for (const [outcome, count] of Object.entries(figures.mails.byOutcome)) mails.set({ outcome }, count);
    waitingMails.set(figures.mails.waiting);
    oldestMail.set(figures.mails.oldestWaitingSeconds);
    showRequests(figures);
    showFreshness(figures);
    showLosses(figures.losses);
    showOperation(figures);
    oldestAlert.set(figures.oldestPendingAlertSeconds);
    feeds.set(figures.feeds.all);
    failing.set(figures.feeds.failing);
    overdue.set(figures.mostOverdueFeedSeconds);
    interval.set(figures.longestIntervalSeconds);
    promised.set(limits.checkIntervalSeconds);
    if (limits.monthlyRequests !== undefined) budget.set(limits.monthlyRequests);
  };
}

type MakeGauge = (name: string, help: string, ...labelNames: string[]) => Gauge;

function describeRequests(gauge: MakeGauge) {
  const used = gauge("provider_requests_this_month", "Requests made this month", "source");
  const left = gauge("provider_requests_left", "Requests left of this month", "source");
  const share = gauge(
    "provider_requests_used_share",
    "Share of this month's requests that is used",
    "source",
  );
  const costly = gauge("watcher_costly_feeds", "Feeds that cost much and serve one person", "source");
  return ({ requestsThisMonth, monthlyRequests, costlyFeeds }: Figures) => {
    for (const shown of [used, left, share, costly]) shown.reset();
    for (const [source, count] of Object.entries(requestsThisMonth)) used.set({ source }, count);
    for (const [source, limit] of Object.entries(monthlyRequests)) {
      const count = requestsThisMonth[source] ?? 0;
      left.set({ source }, Math.max(0, limit - count));
      share.set({ source }, limit === 0 ? 1 : count / limit);
    }
    for (const [source, count] of Object.entries(costlyFeeds)) costly.set({ source }, count);
  };
}

function describeOperation(gauge: MakeGauge) {
  const leaders = gauge("leaders", "Processes that speak for the bot and send the alerts: one of each", "of");
  const waiting = gauge("outgoing_mails_waiting", "Mails to people that are not sent yet");
  const oldest = gauge("outgoing_mails_oldest_waiting_seconds", "How long the oldest of them has waited");
  const troubles = gauge("troubles", "What the operator is told of, by kind, while it lasts", "kind");
  return ({ leaders: held, outgoingMails, troubles: open }: Figures) => {
    for (const [of, count] of Object.entries(held)) leaders.set({ of }, count);
    waiting.set(outgoingMails.waiting);
    oldest.set(outgoingMails.oldestWaitingSeconds);
    for (const [kind, count] of Object.entries(open)) troubles.set({ kind }, count);
  };
}

function describeFreshness(gauge: MakeGauge) {
  const latency = gauge(
    "alert_latency_seconds",
    "From the moment a source saw an event until Telegram took the alert; waits that people asked for are left out",
    "source",
    "window",
    "quantile",
  );
  const measured = gauge("alert_latency_alerts", "Alerts that latency was measured on", "source", "window");
  const lead = gauge(
    "source_lead_seconds",
    "How much earlier one source saw what the other saw too, median of seven days",
    "earlier",
    "later",
  );
  const events = gauge(
    "source_lead_events",
    "Events that two sources saw, by which was first",
    "earlier",
    "later",
  );
  return ({ freshness, leads }: Figures) => {
    for (const shown of [latency, measured, lead, events]) shown.reset();
    for (const { source, window, alerts, medianSeconds, p95Seconds } of freshness) {
      latency.set({ source, window, quantile: "0.5" }, medianSeconds);
      latency.set({ source, window, quantile: "0.95" }, p95Seconds);
      measured.set({ source, window }, alerts);
    }
    for (const { earlier, later, events: count, medianSeconds } of leads) {
      lead.set({ earlier, later }, medianSeconds);
      events.set({ earlier, later }, count);
    }
  };
}

function describeLosses(gauge: MakeGauge) {
  const unread = gauge(
    "source_unread_listings",
    "Adverts that could not be read, each time one was met, by the field at fault",
    "source",
    "field",
  );
  const unfiltered = gauge(
    "source_filters_not_applied",
    "Answers in which a source did not apply all filters, by the filters asked for",
    "source",
    "filters",
  );
  const gaps = gauge("watcher_gaps", "Readings beyond which listings may have passed unread", "source");
  return (losses: Figures["losses"]) => {
    for (const { source, kind, reason, count } of losses) {
      if (kind === "unread-listing") unread.set({ source, field: reason }, count);
      else if (kind === "filter-not-applied") unfiltered.set({ source, filters: reason }, count);
      else gaps.set({ source }, count);
    }
  };
}
