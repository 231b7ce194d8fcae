import { Gauge, type Registry } from "prom-client";
import { PREFIX } from "./counters.ts";
import type { Figures } from "./rows/figures.ts";

export type Limits = { checkIntervalSeconds: number; monthlyRequests: number | undefined };

export function describeGauges(registry: Registry) {
  const gauge = (name: string, help: string, ...labelNames: string[]) =>
    new Gauge({ name: `${PREFIX}${name}`, help, labelNames, registers: [registry] });
  const alerts = gauge("alerts", "Alerts by state", "state");
  const oldestAlert = gauge("alerts_oldest_pending_seconds", "Age of the oldest due alert");
  const chats = gauge("chats", "Chats of people by state", "state");
  const filters = gauge("filters", "Searches: active, paused, or without a source", "state");
  const feeds = gauge("watcher_feeds", "Planned feeds");
  const failing = gauge("watcher_feeds_failing", "Feeds whose last check failed");
  const late = gauge("watcher_feeds_late", "Feeds without a successful check for too long");
  const setAside = gauge(
    "watcher_set_aside",
    "Searches, adverts, feeds and steps of planning set aside after an error",
    "kind",
  );
  const showCanary = describeCanary(gauge);
  const overdue = gauge("watcher_oldest_due_feed_seconds", "Delay of the most overdue check");
  const interval = gauge("watcher_longest_interval_seconds", "The longest interval between checks of a feed");
  const mails = gauge("mails", "Alert mails of the last 30 days by outcome", "outcome");
  const waitingMails = gauge("mails_waiting", "Alert mails accepted and not processed yet");
  const oldestMail = gauge("mails_oldest_waiting_seconds", "Age of the oldest of them");
  const unreadable = gauge("search_rules_unreadable", "Saved rules that cannot be read and do nothing");
  const promised = gauge("watcher_promised_interval_seconds", "The configured interval");
  const showRequests = describeRequests(gauge);
  const showFreshness = describeFreshness(gauge);
  const showLosses = describeLosses(gauge);
  const showOperation = describeOperation(gauge);
  const budget = gauge("provider_monthly_requests", "Requests per month allowed by the contract");

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
    showLosses(figures);
    showOperation(figures);
    oldestAlert.set(figures.oldestPendingAlertSeconds);
    feeds.set(figures.feeds.all);
    failing.set(figures.feeds.failing);
    late.set(figures.feeds.late);
    for (const [kind, count] of Object.entries(figures.setAside.counts)) setAside.set({ kind }, count);
    showCanary(figures.canary);
    overdue.set(figures.mostOverdueFeedSeconds);
    unreadable.set(figures.unreadableRules);
    interval.set(figures.longestIntervalSeconds);
    promised.set(limits.checkIntervalSeconds);
    if (limits.monthlyRequests !== undefined) budget.set(limits.monthlyRequests);
  };
}

type MakeGauge = (name: string, help: string, ...labelNames: string[]) => Gauge;

function describeRequests(gauge: MakeGauge) {
  const used = gauge("provider_requests_this_month", "Requests made this month", "source");
  const refused = gauge("provider_requests_refused_this_month", "Refused requests, not charged", "source");
  const left = gauge("provider_requests_left", "Requests left this month", "source");
  const share = gauge("provider_requests_used_share", "Share of this month's requests used", "source");
  const costly = gauge("watcher_costly_feeds", "Expensive feeds that serve one person", "source");
  return ({ requestsThisMonth, monthlyRequests, costlyFeeds, refusedRequestsThisMonth }: Figures) => {
    for (const shown of [used, refused, left, share, costly]) shown.reset();
    for (const [source, count] of Object.entries(refusedRequestsThisMonth)) refused.set({ source }, count);
    for (const [source, count] of Object.entries(requestsThisMonth)) used.set({ source }, count);
    for (const [source, limit] of Object.entries(monthlyRequests)) {
      const count = requestsThisMonth[source] ?? 0;
      left.set({ source }, Math.max(0, limit - count));
      share.set({ source }, limit === 0 ? 1 : count / limit);
    }
    for (const [source, count] of Object.entries(costlyFeeds)) costly.set({ source }, count);
  };
}

function describeCanary(gauge: MakeGauge) {
  const age = gauge("canary_age_seconds", "Time since the demo's feed was last checked and stored");
  const duration = gauge(
    "canary_check_seconds",
    "Duration of that check, from its start until all was stored",
  );
  return (canary: Figures["canary"]) => {
    for (const shown of [age, duration]) shown.remove();
    if (!canary) return;
    age.set(canary.ageSeconds);
    duration.set(canary.checkSeconds);
  };
}

function describeOperation(gauge: MakeGauge) {
  const leaders = gauge("leaders", "Processes that run the bot and the sender: one of each", "of");
  const waiting = gauge("outgoing_mails_waiting", "Mails to people that are not sent yet");
  const oldest = gauge("outgoing_mails_oldest_waiting_seconds", "Age of the oldest of them");
  const incidents = gauge("incidents", "Current incidents by kind", "kind");
  const databaseSize = gauge("database_size_bytes", "Size of the database");
  const backupAge = gauge("backup_age_seconds", "Age of the last scheduled backup, or of the wish for one");
  const backupSize = gauge("backup_size_bytes", "Size of the last scheduled backup");
  return ({ leaders: held, outgoingMails, incidents: open, databaseBytes, backup }: Figures) => {
    databaseSize.set(databaseBytes);
    for (const shown of [backupAge, backupSize]) shown.remove();
    if (backup) backupAge.set(backup.ageSeconds);
    if (backup?.sizeBytes) backupSize.set(backup.sizeBytes);
    for (const [of, count] of Object.entries(held)) leaders.set({ of }, count);
    waiting.set(outgoingMails.waiting);
    oldest.set(outgoingMails.oldestWaitingSeconds);
    for (const [kind, count] of Object.entries(open)) incidents.set({ kind }, count);
  };
}

function describeFreshness(gauge: MakeGauge) {
  const latency = gauge(
    "alert_latency_seconds",
    "From when a source saw an event until Telegram accepted the alert, without delays that people chose",
    "source",
    "window",
    "quantile",
  );
  const measured = gauge("alert_latency_alerts", "Alerts with a measured latency", "source", "window");
  const lead = gauge(
    "source_lead_seconds",
    "How much earlier one source saw an event than another, median of seven days",
    "earlier",
    "later",
  );
  const events = gauge("source_lead_events", "Events that both sources saw", "earlier", "later");
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
    "Listings that could not be parsed, by field; each reading counts",
    "source",
    "field",
  );
  const unfiltered = gauge(
    "source_filters_not_applied",
    "Responses in which a source did not apply all filters, by requested filters",
    "source",
    "filters",
  );
  const gaps = gauge("watcher_gaps", "Readings after which listings may be missing", "source");
  const missed = gauge(
    "coverage_gaps",
    "Searches that may have missed homes in the last seven days, by feed and cause",
    "feed",
    "cause",
  );
  return ({ losses, gaps: found }: Pick<Figures, "losses" | "gaps">) => {
    missed.reset();
    for (const { feed, cause, searches } of found) missed.set({ feed, cause }, searches);
    for (const { source, kind, reason, count } of losses) {
      if (kind === "unread-listing") unread.set({ source, field: reason }, count);
      else if (kind === "filter-not-applied") unfiltered.set({ source, filters: reason }, count);
      else gaps.set({ source }, count);
    }
  };
}
