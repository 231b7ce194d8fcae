import type { OpenAlert, SourceNotice } from "./rows/outbox.ts";

const DAY_MS = 86_400_000;

type Notice = Pick<
  OpenAlert,
  "kind" | "eventKey" | "payload" | "position" | "createdMs" | "sourceNotices" | "isOtherSourceDown"
>;

/**
 * Several feeds of a person, and the feeds of several people, may fail at once. A chat gets one notice that the source is down
 * and, when all feeds for it work again, one that it is up.
 */
export function isRepeatedNotice(alert: Notice): boolean {
  const notices = alert.sourceNotices ?? [];
  const isOfSameEvent = ({ kind, eventKey, isOwn, isSent }: SourceNotice) =>
    !isOwn && isSent && kind === alert.kind && eventKey === alert.eventKey;
  if (notices.some(isOfSameEvent)) return true;
  const earlier = notices.filter(({ isOwn, position }) => isOwn && position < alert.position);
  if (alert.kind === "source-down") return wasDownSent(alert, earlier);
  return alert.kind === "source-up" && (alert.isOtherSourceDown || wasUpSent(earlier));
}

/** Reported within a day, and not up in between. A month whose requests are spent is news after an outage. */
function wasDownSent({ createdMs, payload }: Notice, earlier: readonly SourceNotice[]): boolean {
  const isSpent = (payload as { readonly reason?: string }).reason === "quota-spent";
  return since(earlier, "source-up").some(
    (other) =>
      other.createdMs > createdMs - DAY_MS &&
      other.state !== "undeliverable" &&
      other.state !== "expired" &&
      (!isSpent || other.reason === "quota-spent"),
  );
}

function wasUpSent(earlier: readonly SourceNotice[]): boolean {
  return since(earlier, "source-down").some(
    ({ isSent, state }) => isSent || state === "pending" || state === "sending" || state === "sent",
  );
}

/** The notices after the last one of this kind. */
function since(earlier: readonly SourceNotice[], kind: SourceNotice["kind"]): readonly SourceNotice[] {
  const last = Math.max(-1, ...earlier.filter((one) => one.kind === kind).map(({ position }) => position));
  return earlier.filter(({ position }) => position > last);
}
