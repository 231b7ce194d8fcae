// How the simulated quarter recognizes what a chat was told: this file alone knows the product's kinds of alerts. A message
// counts only if the simulated Telegram has it and it names the home.
import type { Sql } from "postgres";
import { ALERT_KINDS, type AlertKind, type ListingAlertKind } from "#core/alert/alert-kinds.ts";
import type { TelegramSimulator } from "#simulators/telegram/start-telegram-simulator.ts";
import { readIntervals } from "./promises.ts";

type TellingKind = Exclude<ListingAlertKind, "gone" | "kept">;

export type Received =
  | {
      readonly is: "told";
      readonly at: number;
      /** When the product decided it. */
      readonly decidedAt: number;
      readonly kind: TellingKind;
      readonly code: string;
      readonly priceEur: number;
      /** For which of the chat's searches. */
      readonly searchIds: readonly string[];
    }
  /** A count of homes on offer with the newest of them. */
  | { readonly is: "summed-up"; readonly at: number; readonly decidedAt: number; readonly count: number }
  | { readonly is: "gap-told"; readonly at: number; readonly from: number; readonly until: number };

interface Row {
  readonly chatId: string;
  readonly messageId: string;
  readonly kind: AlertKind;
  readonly listingId: string | null;
  readonly eventKey: string;
  /** Null if it is about all of the chat. */
  readonly searchIds: readonly string[] | null;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly createdAt: Date;
  readonly sentAt: Date;
  readonly state: string;
}

/** Reads the messages that came since the last call. The product deletes old rows, so it is called often. */
export async function collectReceived(
  sql: Sql,
  telegram: TelegramSimulator,
  people: Iterable<{ readonly chatId: number; readonly searchId: string; readonly received: Received[] }>,
  seen: Set<string>,
): Promise<void> {
  const rows = await sql<Row[]>`
    select chat_id::text as "chatId", message_id::text as "messageId", kind, listing_id as "listingId", payload,
      event_key as "eventKey", search_ids as "searchIds", created_at as "createdAt", sent_at as "sentAt", state, position::text as position
    from watch.alerts where message_id is not null and state in ('sent', 'merged') order by sent_at, position`;
  const byChat = Map.groupBy(people, ({ chatId }) => String(chatId));
  for (const row of rows) {
    const { chatId, messageId, kind, listingId, eventKey } = row;
    const key = `${chatId} ${messageId} ${kind} ${listingId} ${eventKey} ${row.createdAt.getTime()}`;
    if (seen.has(key)) continue;
    seen.add(key);
    const messages = telegram.chats.get(Number(chatId))?.messages ?? [];
    const message = messages.findLast(({ message }) => message.message_id === Number(messageId));
    const received = message && receivedOf(row);
    const said = received && asSaid(row, received, JSON.stringify(message));
    if (!said) continue;
    for (const person of byChat.get(chatId) ?? [])
      if (isFor(person.searchId, row, said)) person.received.push(said);
  }
}

/** A summary of what waited counts those that it does not name. */
function asSaid({ state }: Row, received: Received, message: string): Received | undefined {
  if (received.is !== "told" || message.includes(received.code)) return received;
  const { at } = received;
  return state === "merged" ? { is: "summed-up", at, decidedAt: at, count: 1 } : undefined;
}

/** All searches of a chat know a home that the chat was told of. */
const isFor = (searchId: string, { searchIds }: Row, { is }: Received): boolean =>
  is === "told" || !searchIds || searchIds.includes(searchId);

/** Notes how often each search is checked, as pages and chats say it. */
export async function collectIntervals(
  sql: Sql,
  people: Iterable<{ readonly searchId: string; readonly intervals: { at: number; seconds: number }[] }>,
  at: number,
): Promise<void> {
  const secondsOf = await readIntervals(sql);
  for (const { searchId, intervals } of people) {
    const seconds = secondsOf.get(searchId);
    if (seconds !== undefined && seconds !== intervals.at(-1)?.seconds) intervals.push({ at, seconds });
  }
}

/** It shows a home on offer because of something that happened to it. */
function isTelling(kind: AlertKind): kind is TellingKind {
  return ALERT_KINDS[kind].isOffer && kind !== "kept";
}

function receivedOf({ kind, listingId, payload, searchIds, createdAt, sentAt }: Row): Received | undefined {
  const at = sentAt.getTime();
  const decidedAt = createdAt.getTime();
  if (isTelling(kind)) {
    const { priceEur } = payload.listing as { priceEur: number };
    return { is: "told", at, decidedAt, kind, code: listingId ?? "", priceEur, searchIds: searchIds ?? [] };
  }
  switch (kind) {
    case "watch-started":
      return { is: "summed-up", at, decidedAt, count: payload.matchCount as number };
    case "gap":
      return { is: "gap-told", at, from: payload.fromMs as number, until: payload.untilMs as number };
    case "source-up":
      return payload.mayHaveMissed
        ? { is: "gap-told", at, from: payload.sinceMs as number, until: payload.untilMs as number }
        : undefined;
    default:
      return undefined;
  }
}
