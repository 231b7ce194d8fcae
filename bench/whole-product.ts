/** Settings that connect the product to the simulators, and searches that do not overlap. */
import { allPlaces } from "#core/places/places.ts";
import {
  DEFAULT_BY_URL_KEY,
  DEFAULT_CREDENTIALS,
  type PortalSimulator,
} from "#simulators/portal/start-portal-simulator.ts";
import type { TelegramSimulator } from "#simulators/telegram/start-telegram-simulator.ts";

const CITY = "0-EU-ES-28-07-001-079";
const DISTRICTS = [...allPlaces()].filter(({ id, level }) => level === "district" && id.startsWith(CITY));
const LOWEST_PRICE_EUR = 800;
const WIDTH_EUR = 5;

export function settingsFor(portal: PortalSimulator, telegram: TelegramSimulator): Record<string, string> {
  return {
    ROLES: "web,watcher,bot",
    TELEGRAM_BOT_TOKEN: telegram.bot.token,
    TELEGRAM_BOT_USERNAME: telegram.bot.username,
    TELEGRAM_API_ROOT: telegram.url,
    IDEALISTA_API_URL: portal.url,
    IDEALISTA_API_KEY: DEFAULT_CREDENTIALS.key,
    IDEALISTA_API_SECRET: DEFAULT_CREDENTIALS.secret,
    IDEALISTA_MONTHLY_REQUESTS: "1000000",
    SEARCH_BY_URL_API_URL: portal.url,
    SEARCH_BY_URL_API_KEY: DEFAULT_BY_URL_KEY,
    SEARCH_BY_URL_MONTHLY_REQUESTS: "1000000",
  };
}

/** All different, and so narrow that a listing published for one matches no other. */
export function differentSearches(count: number): string[] {
  return Array.from({ length: count }, (_, n) => {
    const place = DISTRICTS[n % DISTRICTS.length]?.path.join("/");
    const lowest = LOWEST_PRICE_EUR + WIDTH_EUR * n;
    const limits = `con-precio-hasta_${lowest + WIDTH_EUR - 1},precio-desde_${lowest}`;
    return `https://www.idealista.com/alquiler-viviendas/${place}/${limits}/`;
  });
}
