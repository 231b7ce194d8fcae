import { zoneOfUrl } from "#core/search/url/zone-of-url.ts";
import { quietEndMs } from "./quiet-hours.ts";
import type { Audience, AudienceSearch } from "./rows/audiences.ts";
import type { OpenAlert } from "./rows/outbox.ts";
import type { QuietSearches } from "./rows/recipients.ts";

/** The searches that are not paused and send to the chat. */
function searchesInChat({ searches }: Audience): AudienceSearch[] {
  return searches.filter(({ isPaused, namesChat }) => namesChat && !isPaused);
}

/** The active searches of an alert; all active searches in the chat if the alert names none. */
export function activeSearchesOf(
  { searchIds }: Pick<OpenAlert, "searchIds">,
  audience: Audience,
): AudienceSearch[] {
  return searchesInChat(audience).filter(({ id }) => searchIds === null || searchIds.includes(id));
}

/** The searches that are in quiet hours or muted now. If the chat is muted, all of them are. */
export function quietSearchesOf(
  audience: Audience,
  nowMs: number,
): QuietSearches & { readonly untilMs: number } {
  const chatMs = laterThan(nowMs, audience.mutedUntilMs);
  const ends = searchesInChat(audience).map((search) => ({
    id: search.id,
    endMs: endOf(search, audience, nowMs),
  }));
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

/** The topic of the alert's first search that is not quiet. */
export function topicOfAlert(alert: OpenAlert, audience: Audience, nowMs: number): string | null {
  if (alert.searchIds === null) return null;
  const active = activeSearchesOf(alert, audience);
  return (
    (active.find((search) => endOf(search, audience, nowMs) === undefined) ?? active[0])?.topicId ?? null
  );
}

function endOf(
  { quietFrom, quietUntil, mutedUntilMs, filterUrl }: AudienceSearch,
  { timeZone }: Audience,
  nowMs: number,
): number | undefined {
  const mutedMs = laterThan(nowMs, mutedUntilMs);
  const hours =
    quietFrom !== null && quietUntil !== null
      ? { from: quietFrom, until: quietUntil, zone: timeZone ?? zoneOfUrl(filterUrl) }
      : undefined;
  const quietMs = hours && quietEndMs(nowMs, hours);
  return quietMs === undefined ? mutedMs : Math.max(quietMs, mutedMs ?? 0);
}

function laterThan(nowMs: number, ms: number | null): number | undefined {
  return ms !== null && ms > nowMs ? ms : undefined;
}
