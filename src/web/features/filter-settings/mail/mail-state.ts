/**
 * How far a person has set up their alert mails. Mails from before the address was created do not count: they were sent to another one.
 *
 *   question ── the provider's question is answered ──▶ waiting ── an alert mail ──▶ working ⇄ trouble
 */
import type { AlertMails, MailAddress } from "./mail-calls.ts";

export type MailState = "question" | "waiting" | "working" | "trouble";

type Begun = AlertMails & { address: MailAddress };

export function mailStateOf(mails: Begun): MailState {
  if (openQuestionOf(mails)) return "question";
  const newest = mails.mails.find(
    ({ outcome, receivedAt }) =>
      receivedAt >= mails.address.createdAt &&
      outcome !== "not-an-alert" &&
      outcome !== "forwarding-question",
  );
  if (newest?.outcome === "unreadable" || newest?.outcome === "not-signed") return "trouble";
  return hasArrived(mails) ? "working" : "waiting";
}

export function openQuestionOf({ address, lastAlertAt }: Begun): MailAddress["question"] {
  const { question } = address;
  return question && lastAlertAt !== null && lastAlertAt > question.askedAt ? null : question;
}

export function hasArrived({ address, lastAlertAt }: Begun): boolean {
  return lastAlertAt !== null && lastAlertAt >= address.createdAt;
}

const GOOGLE_HOSTS = new Set(["mail.google.com", "mail-settings.google.com"]);

/** Only pages of Google are linked for the confirmation. */
export function trustedLinkOf(link: string | null): string | undefined {
  if (link === null || !URL.canParse(link)) return undefined;
  const { protocol, host, username, password, href } = new URL(link);
  const isPlain = protocol === "https:" && username === "" && password === "";
  return isPlain && GOOGLE_HOSTS.has(host) ? href : undefined;
}

const OFFER_AFTER_MS = 24 * 60 * 60_000;

/** Alert mails are offered a day after the first search was saved: by then a person knows what Sereno does without them. */
export function isOfferDue(searches: readonly { createdAt: string }[], now: Date): boolean {
  return searches.some(({ createdAt }) => now.getTime() - Date.parse(createdAt) >= OFFER_AFTER_MS);
}

export type NoAlertReason = "chat" | "paused";

/** Why alerts from mails reach nobody; null if they do, or while the chats are loading. */
export function noAlertReasonOf({
  filterIds,
  connectedIds,
  isPaused,
}: {
  filterIds: readonly string[];
  connectedIds: readonly string[] | undefined;
  isPaused: boolean;
}): NoAlertReason | null {
  if (isPaused) return "paused";
  if (connectedIds === undefined || filterIds.some((id) => connectedIds.includes(id))) return null;
  return "chat";
}
