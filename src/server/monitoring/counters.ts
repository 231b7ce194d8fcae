import { readFileSync } from "node:fs";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { z } from "zod";
import type { SendOutcome } from "#telegram/send/channel.ts";
import type { OutgoingMessage } from "#telegram/send/claim-alerts.ts";
import type { CheckResult } from "#watcher/check/check-feed.ts";
import type { MailResult, OutgoingMail } from "../account-mails/send-mails.ts";

export type Counters = ReturnType<typeof createCounters>;

const PRODUCT_VERSION = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8"))).version;
const LATENCY_SECONDS = [1, 2, 5, 10, 30, 60, 120, 300, 600, 1_800, 3_600];
const SEND_RESULTS: readonly SendOutcome["type"][] = [
  ...(["sent", "closed", "moved", "flood", "refused-us", "failed", "unknown", "hopeless"] as const),
];

/** Each becomes a label, whose number must be bounded. */
const REFUSALS_AT_MOST = 30;
const LONGEST_WORDS = 100;

function boundedLabels(): (words: string) => string {
  const known = new Set<string>();
  return (words) => {
    const label = words.replace(/\d{3,}/g, "…").slice(0, LONGEST_WORDS);
    if (!known.has(label) && known.size >= REFUSALS_AT_MOST) return "others";
    known.add(label);
    return label;
  };
}

/** Every metric begins with it. */
export const PREFIX = "sereno_";

type CounterOf = (name: string, help: string, ...labelNames: string[]) => Counter;

function telegramCounters(counter: CounterOf, latency: Histogram) {
  const sends = counter("telegram_sends_total", "Alert messages by Telegram's answer", "result");
  const copies = counter(
    "telegram_possible_copies_total",
    "Alert messages sent again after a send that Telegram did not answer",
  );
  const refusals = counter(
    "telegram_unknown_refusals_total",
    "Refusals in words that are not in the table of known ones",
    "words",
  );
  const refusalLabel = boundedLabels();
  for (const result of SEND_RESULTS) sends.inc({ result }, 0);
  return {
    onSend: ({ alerts }: OutgoingMessage, outcome: SendOutcome, nowMs: number) => {
      sends.inc({ result: outcome.type });
      const isSent = outcome.type === "sent" || (outcome.type === "unknown" && !outcome.isUnsent);
      if (isSent && alerts.some(({ unanswered }) => unanswered > 0)) copies.inc();
      if (outcome.type !== "sent") return;
      for (const { seenMs, source, heldMs } of alerts.slice(0, outcome.includedCount)) {
        if (seenMs !== null && source !== null && heldMs === null)
          latency.observe({ source }, (nowMs - seenMs) / 1000);
      }
    },
    onUnknownRefusal: (words: string) => refusals.inc({ words: refusalLabel(words) }),
  };
}

/** Counters of this process since its start. No label identifies a person, a chat or an address. */
export function createCounters() {
  const registry = new Registry();
  // Each sample of the event loop's delay wakes the process: at the library's 10 ms they were half of its idle CPU time.
  collectDefaultMetrics({ register: registry, prefix: PREFIX, eventLoopMonitoringPrecision: 200 });
  const counter = (name: string, help: string, ...labelNames: string[]) =>
    new Counter({ name: `${PREFIX}${name}`, help, labelNames, registers: [registry] });
  const checks = counter("watcher_checks_total", "Checks of feeds by result", "source", "result");
  const listings = counter("source_new_listings_total", "New listings", "source");
  const alerts = counter("alerts_written_total", "Alerts that checks wrote", "source");
  const mails = counter("outgoing_mails_total", "Attempts to send a mail by result", "kind", "result");
  const signIns = counter(
    "sign_ins_refused_total",
    "Refused sign-ins: wrong password, or too many attempts",
    "reason",
  );
  const cuts = counter("connections_cut_total", "Connections closed to make room, or refused", "reason");
  const limited = counter("requests_limited_total", "Requests refused with 429 by part", "part");
  const connections = new Gauge({
    name: `${PREFIX}connections_open`,
    help: "Open connections of the web server, live pages included",
    registers: [registry],
  });
  const ping = new Gauge({
    name: `${PREFIX}ping_last_success_timestamp_seconds`,
    help: "When PING_URL last answered",
    registers: [registry],
  });
  const latency = new Histogram({
    name: `${PREFIX}alert_delivery_seconds`,
    help: "From when a source saw an event until Telegram accepted the alert, without delays that people chose",
    labelNames: ["source"],
    buckets: LATENCY_SECONDS,
    registers: [registry],
  });
  const build = new Gauge({
    name: `${PREFIX}build_info`,
    help: "The version that runs: always 1",
    labelNames: ["version", "node"],
    registers: [registry],
  });
  build.set({ version: PRODUCT_VERSION, node: process.versions.node }, 1);
  // Prometheus needs a starting value to compute a rate, so all counters start at zero.
  for (const reason of ["wrong", "too-many"]) signIns.inc({ reason }, 0);
  for (const reason of ["replaced", "refused"]) cuts.inc({ reason }, 0);
  for (const part of ["auth", "rest"]) limited.inc({ part }, 0);

  return {
    registry,
    onCheck: (source: string, check: CheckResult) => {
      checks.inc({ source, result: check.outcome });
      if (check.outcome !== "checked") return;
      listings.inc({ source }, check.fresh);
      alerts.inc({ source }, check.alerts);
    },
    onMailRead: (newCount: number) => listings.inc({ source: "mail" }, newCount),
    ...telegramCounters(counter, latency),
    onMail: (kind: OutgoingMail["kind"], result: MailResult) => mails.inc({ kind, result }),
    onSignInRefused: (status: number) => signIns.inc({ reason: status === 429 ? "too-many" : "wrong" }),
    onConnections: (open: number) => connections.set(open),
    onConnectionCut: (reason: string) => cuts.inc({ reason }),
    onRequestLimited: (part: string) => limited.inc({ part }),
    onPing: (at: number) => ping.set(at / 1000),
  };
}
