import type { Audience, AudienceSearch } from "#store/outbox/audiences.ts";
import type { OpenAlert } from "#store/outbox/outbox.ts";
import type { QuietSearches } from "#store/outbox/recipients.ts";
import { quietEndMs } from "./quiet-hours.ts";

/** The searches that may have something to say in the chat. */
function livingOf({ searches }: Audience): AudienceSearch[] {
  return searches.filter(({ isPaused, namesChat }) => namesChat && !isPaused);
}

/** The searches an alert speaks for; where it names none, all of the person's in the chat. */
export function activeSearchesOf(
  { searchIds }: Pick<OpenAlert, "searchIds">,
  audience: Audience,
): AudienceSearch[] {
  return livingOf(audience).filter(({ id }) => searchIds === null || searchIds.includes(id));
}

/** Which searches must wait now, in their quiet hours or muted here; a mute of the chat is one of all of them. */
export function quietSearchesOf(
  audience: Audience,
  nowMs: number,
): QuietSearches & { readonly untilMs: number } {
  const chatMs = laterThan(nowMs, audience.mutedUntilMs);
  const ends = livingOf(audience).map((search) => ({ id: search.id, endMs: endOf(search, nowMs) }));
  const silent = ends.flatMap(({ id, endMs }) => (endMs === undefined ? [] : [{ id, endMs }]));
  const speakingIds = ends.filter(({ endMs }) => endMs === undefined).map(({ id }) => id);
  const firstMs = Math.min(...silent.map(({ endMs }) => endMs));
  if (chatMs !== undefined) {
    const silentIds = ends.map(({ id }) => id);
    const untilMs = speakingIds.length > 0 || silent.length === 0 ? chatMs : Math.max(chatMs, firstMs);
    return { silentIds, speakingIds: [], isAllSilent: true, untilMs };
  }
  const isAllSilent = silent.length > 0 && speakingIds.length === 0;
  return { silentIds: silent.map(({ id }) => id), speakingIds, isAllSilent, untilMs: firstMs };
}

/** That of the first search which may speak. */
export function topicOfAlert(alert: OpenAlert, audience: Audience, nowMs: number): string | null {
  if (alert.searchIds === null) return null;
  const voices = activeSearchesOf(alert, audience);
  return (voices.find((voice) => endOf(voice, nowMs) === undefined) ?? voices[0])?.topicId ?? null;
}

function endOf({ quietFrom, quietUntil, mutedUntilMs }: AudienceSearch, nowMs: number): number | undefined {
  const mutedMs = laterThan(nowMs, mutedUntilMs);
  const hours =
    quietFrom !== null && quietUntil !== null ? { from: quietFrom, until: quietUntil } : undefined;
  const quietMs = hours && quietEndMs(nowMs, hours);
  return quietMs === undefined ? mutedMs : Math.max(quietMs, mutedMs ?? 0);
}

function laterThan(nowMs: number, ms: number | null): number | undefined {
  return ms !== null && ms > nowMs ? ms : undefined;
}
