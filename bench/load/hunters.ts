// People with searches that do not overlap, the listings published for them, and how often each was notified. Telegram's ledger
// shows what was lost and what was sent twice.
import { publishMatching } from "#simulators/portal/publish-matching.ts";
import type { PortalSimulator } from "#simulators/portal/start-portal-simulator.ts";
import { createPerson } from "#simulators/telegram/phone/create.ts";
import type { TelegramSimulator } from "#simulators/telegram/start-telegram-simulator.ts";

/** Four feeds: rent and sale, each with and without a wish that only the API can filter by. Price ranges do not overlap. */
const MARKETS = [
  { market: "alquiler-viviendas", wish: "", lowestEur: 700 },
  { market: "alquiler-viviendas", wish: ",terraza", lowestEur: 2_000 },
  { market: "venta-viviendas", wish: "", lowestEur: 150_000 },
  { market: "venta-viviendas", wish: ",terraza", lowestEur: 200_000 },
];
const SEARCHES_A_MARKET = 10;
const WIDTH_EUR = 100;

export interface Hunter {
  readonly url: string;
  readonly chatId: number;
  readonly lowestEur: number;
  /** The prices of the listings published for this search, and when. */
  readonly published: Map<number, number>;
}

export function createHunters(telegram: TelegramSimulator): Hunter[] {
  return MARKETS.flatMap(({ market, wish, lowestEur }) =>
    Array.from({ length: SEARCHES_A_MARKET }, (_, n) => {
      const from = lowestEur + n * WIDTH_EUR;
      const limits = `con-precio-hasta_${from + WIDTH_EUR - 1},precio-desde_${from}${wish}`;
      return {
        url: `https://www.idealista.com/${market}/madrid-madrid/${limits}/`,
        chatId: createPerson(telegram, { isStarted: true }).id,
        lowestEur: from,
        published: new Map<number, number>(),
      };
    }),
  );
}

/** Publishes one more listing for a person, unless all prices of their range are used. */
export function publishFor(portal: PortalSimulator, hunter: Hunter | undefined): void {
  if (!hunter || hunter.published.size === WIDTH_EUR) return;
  const priceEur = hunter.lowestEur + hunter.published.size;
  const outcome = publishMatching(portal.market, { url: hunter.url, fields: { priceEur } });
  if (!outcome.isPublished) throw new Error(outcome.reason);
  hunter.published.set(priceEur, Date.now());
}

/** How often the person of each listing was notified of it. */
export function timesSent(telegram: TelegramSimulator, hunters: readonly Hunter[]): number[] {
  return sendings(telegram, hunters).map(({ at }) => at.length);
}

/** Milliseconds from each listing's publication until Telegram first accepted its alert. */
export function sendingTimes(telegram: TelegramSimulator, hunters: readonly Hunter[]): number[] {
  return sendings(telegram, hunters).flatMap(({ publishedAt, at: [first] }) =>
    first === undefined ? [] : [first - publishedAt],
  );
}

function sendings(telegram: TelegramSimulator, hunters: readonly Hunter[]) {
  const messages = Map.groupBy(telegram.ledger.accepted, ({ chatId }) => chatId);
  return hunters.flatMap(({ chatId, published }) =>
    [...published].map(([priceEur, publishedAt]) => {
      const price = `€${priceEur.toLocaleString("en")}`;
      const sent = (messages.get(chatId) ?? []).filter(({ text }) => text.includes(price));
      return { publishedAt, at: sent.map(({ at }) => at) };
    }),
  );
}
