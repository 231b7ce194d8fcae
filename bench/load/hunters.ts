// People who look for a home, each for one that no other looks for; what is published for them, and how often they were
// told of it. Telegram's ledger is the judge of what was lost and what came twice.
import { publishMatching } from "#simulators/portal/publish-matching.ts";
import type { PortalSimulator } from "#simulators/portal/start-portal-simulator.ts";
import { createPerson } from "#simulators/telegram/phone/create.ts";
import type { TelegramSimulator } from "#simulators/telegram/start-telegram-simulator.ts";

/** Four feeds: rent and sale, each plain and with a wish that only the API can filter by; no two have a price in common. */
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
  /** The prices of what was published for this search and for no other, and when. */
  readonly owed: Map<number, number>;
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
        owed: new Map<number, number>(),
      };
    }),
  );
}

/** One more listing for one of them; nothing where each of their prices was used. */
export function publishFor(portal: PortalSimulator, hunter: Hunter | undefined): void {
  if (!hunter || hunter.owed.size === WIDTH_EUR) return;
  const priceEur = hunter.lowestEur + hunter.owed.size;
  const outcome = publishMatching(portal.market, { url: hunter.url, fields: { priceEur } });
  if (!outcome.isPublished) throw new Error(outcome.reason);
  hunter.owed.set(priceEur, Date.now());
}

/** How often each listing was told to the one it is for. */
export function timesTold(telegram: TelegramSimulator, hunters: readonly Hunter[]): number[] {
  return tellings(telegram, hunters).map(({ at }) => at.length);
}

/** From each listing's publication to Telegram's first yes, in milliseconds. */
export function tellingTimes(telegram: TelegramSimulator, hunters: readonly Hunter[]): number[] {
  return tellings(telegram, hunters).flatMap(({ publishedAt, at: [first] }) =>
    first === undefined ? [] : [first - publishedAt],
  );
}

function tellings(telegram: TelegramSimulator, hunters: readonly Hunter[]) {
  const messages = Map.groupBy(telegram.ledger.accepted, ({ chatId }) => chatId);
  return hunters.flatMap(({ chatId, owed }) =>
    [...owed].map(([priceEur, publishedAt]) => {
      const price = `€${priceEur.toLocaleString("en")}`;
      const told = (messages.get(chatId) ?? []).filter(({ text }) => text.includes(price));
      return { publishedAt, at: told.map(({ at }) => at) };
    }),
  );
}
