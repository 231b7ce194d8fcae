import type { AlertNews } from "#core/alert/alert.ts";
import { DEFAULT_LANGUAGE } from "#core/languages.ts";
import type { ChannelMessage, NamedSearch, SearchNews } from "#core/ports/channel.ts";
import type { Audience } from "#store/outbox/audiences.ts";
import type { OpenAlert } from "#store/outbox/outbox.ts";
import type { OutgoingMessage } from "./claim-alerts.ts";
import { topicOf, voicesOf } from "./search-silence.ts";

/** The message as the channel takes it. */
export function messageOf({ chatId, alerts, audience }: OutgoingMessage, nowMs: number): ChannelMessage {
  const [first] = alerts;
  const isAlone = alerts.length === 1;
  return {
    chatId,
    userId: first.userId,
    language: first.language ?? DEFAULT_LANGUAGE,
    news: alerts.map((alert) => newsOf(alert, audience)),
    replyTo: isAlone ? first.replyTo : null,
    topicId: topicOf(first, audience, nowMs),
  };
}

/** Who has one search knows which it is. */
function newsOf(alert: OpenAlert, audience: Audience): SearchNews {
  // The facts were written by our own watcher, in the shape of their kind.
  const news = { kind: alert.kind, payload: alert.payload } as AlertNews;
  if (alert.searchIds === null || audience.searches.length <= 1) return news;
  const searches = voicesOf(alert, audience).map(
    ({ id, name, filterUrl }): NamedSearch => ({ id, name, filterUrl }),
  );
  return searches.length === 0 ? news : { ...news, searches };
}
