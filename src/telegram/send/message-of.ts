import { type AlertListing, type AlertNews, isReadvertised } from "#core/alert/alert.ts";
import { ALERT_KINDS } from "#core/alert/alert-kinds.ts";
import { type DistanceTo, distancesTo } from "#core/finds/distance.ts";
import { DEFAULT_LANGUAGE, type Language, languageOr } from "#core/languages.ts";
import type { ChannelMessage, MessageForm, NamedSearch, OwnFacts, SearchNews } from "./channel.ts";
import type { OutgoingMessage } from "./claim-alerts.ts";
import { isLastOfDay } from "./notices/decide-notice.ts";
import { activeSearchesOf, topicOfAlert } from "./quiet-searches.ts";
import { PATIENCE_MS } from "./retry-delay.ts";
import type { Audience } from "./rows/audiences.ts";
import type { OpenAlert, SentAlert } from "./rows/outbox.ts";

export function messageOf(message: OutgoingMessage, nowMs: number): ChannelMessage {
  const { chatId, alerts, audience } = message;
  const [first] = alerts;
  const isAlone = alerts.length === 1;
  return {
    chatId,
    userId: first.userId,
    language: alertLanguage({ alerts }),
    news: alerts.map((alert) => newsOf(alert, audience, nowMs)),
    replyTo: isAlone ? replyTargetOf(first) : null,
    topicId: topicOfAlert(first, audience, nowMs),
    isMuted: isMutedAt(audience, nowMs),
    isAtOnce: isAtOnce(message),
    isSilent: alerts.every(({ isSilent }) => isSilent),
    form: formOf(alerts),
  };
}

/** They are one message because the person wants it so, or because the chat was closed for days, and not after quiet hours. */
function isAtOnce({ alerts, audience }: OutgoingMessage): boolean {
  const isFolded = alerts.some((alert) =>
    activeSearchesOf(alert, audience).some((search) => search.isFolded),
  );
  return isFolded || alerts.some(({ heldMs, createdMs }) => (heldMs ?? createdMs) - createdMs >= PATIENCE_MS);
}

/** An alert that failed on its own is suspected more with each try. */
const NO_PICTURE_FROM_TRY = 3;
const SHORTEST_FROM_TRY = 6;

function formOf(alerts: readonly OpenAlert[]): MessageForm {
  const tries = Math.max(
    0,
    ...alerts.flatMap((alert) => (alert.failingSinceMs === null ? [] : alert.attempts)),
  );
  if (tries >= SHORTEST_FROM_TRY) return "shortest";
  const isUnanswered = alerts.some(({ unanswered }) => unanswered > 0);
  return isUnanswered || tries >= NO_PICTURE_FROM_TRY ? "no-picture" : "whole";
}

export function alertLanguage({ alerts: [first] }: Pick<OutgoingMessage, "alerts">): Language {
  return languageOr(languageOfAlert(first), DEFAULT_LANGUAGE);
}

/**
 * An alert is in its person's language. A question to a chat, and the first greeting, which continues a conversation, are in the
 * chat's language. A sent message keeps its language, and a farewell that of its account, unless the chat has chosen one.
 */
export function languageOfAlert(alert: OpenAlert): Language | null {
  const { kind, chatLanguage, lastLanguage, telegramLanguage, personLanguage } = alert;
  if (chatLanguage !== null) return chatLanguage;
  if (alert.givenLanguage !== null) return alert.givenLanguage;
  if (kind === "question" || kind === "connected") return telegramLanguage ?? lastLanguage ?? personLanguage;
  if (kind === "watch-started" && !alert.wasGreeted)
    return lastLanguage ?? telegramLanguage ?? personLanguage;
  return personLanguage ?? telegramLanguage;
}

/** The chat's first message about the home. */
export function replyTargetOf(alert: OpenAlert): string | null {
  return ALERT_KINDS[alert.kind].isReply || isReadvertised(alert) ? alert.firstMessageId : null;
}

/** With a single search there is no need to name it. */
function newsOf(
  alert: OpenAlert & Partial<Pick<SentAlert, "ended">>,
  audience: Audience,
  nowMs: number,
): SearchNews {
  // The watcher wrote the payload, in the shape of its kind.
  const { kind, payload, people } = alert;
  const plain = { kind, payload, people, isLastOfDay: isLastOfDay(alert, nowMs) } as AlertNews &
    Pick<SearchNews, "people" | "isLastOfDay">;
  const news =
    "listing" in plain.payload
      ? {
          ...plain,
          own: ownFactsOf(plain.payload.listing, alert, audience),
          homeId: alert.homeId,
          mailedMs: alert.mailedMs,
          // In a group the person who presses may be anybody. The alert's id cannot be guessed.
          shareQuery: alert.hasInlineMode && !alert.chatId.startsWith("-") ? alert.id : null,
          opensApp: appOf(alert),
          ended: alert.ended ?? null,
        }
      : plain;
  const isNamed = audience.searches.length > 1 || kind === "summary-offer";
  if (alert.searchIds === null || !isNamed) return news;
  const among = audience.searches.map(({ id, name, filterUrl: url }) => ({ id, name, url }));
  const searches = activeSearchesOf(alert, audience).map(
    ({ id, name, filterUrl, mutedUntilMs }): NamedSearch => ({
      ...{ id, name, filterUrl, among },
      isMuted: isMutedAt({ mutedUntilMs }, nowMs),
    }),
  );
  return searches.length === 0 ? news : { ...news, searches };
}

/** Telegram takes buttons of the app in private chats alone, and only an account of that Telegram user opens there. */
function appOf({ chatId, isOwnTelegram, mainAppOf }: OpenAlert): "button" | { readonly bot: string } | null {
  if (chatId.startsWith("-")) return mainAppOf === null ? null : { bot: mainAppOf };
  return isOwnTelegram ? "button" : null;
}

/** A pause is an infinite mute. Only /resume ends it, so it has no unmute button. */
function isMutedAt({ mutedUntilMs }: { readonly mutedUntilMs: number | null }, nowMs: number): boolean {
  return mutedUntilMs !== null && mutedUntilMs > nowMs && Number.isFinite(mutedUntilMs);
}

/** A group sees no distances or notes of the user, and only the mark that was set in the group. */
function ownFactsOf(listing: AlertListing, alert: OpenAlert, audience: Audience): OwnFacts {
  const warnings = (listing.warnings ?? []).filter(({ kind }) => !audience.hiddenWarnings.includes(kind));
  // A home is kept for the others in the chat to see, with the reason.
  const note = alert.kind === "kept" ? alert.note : null;
  if (alert.chatId.startsWith("-")) return { distances: [], warnings, mark: alert.chatMark, note };
  return { distances: distancesOf(listing, alert, audience), warnings, mark: alert.mark, note: alert.note };
}

function distancesOf(
  { latitude = null, longitude = null, isAddressShown = false }: AlertListing,
  { travelTimes }: OpenAlert,
  { places }: Audience,
): DistanceTo[] {
  return distancesTo({ latitude, longitude, isAddressShown }, places, travelTimes);
}
