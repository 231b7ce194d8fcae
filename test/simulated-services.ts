import {
  DEFAULT_BY_URL_KEY,
  DEFAULT_CREDENTIALS,
  type PortalSimulator,
} from "#simulators/portal/start-portal-simulator.ts";
import type { TelegramSimulator } from "#simulators/telegram/start-telegram-simulator.ts";

/** The settings of a whole product that uses these simulators. */
export function simulatedServices(
  portal: PortalSimulator,
  telegram: TelegramSimulator,
): Record<string, string> {
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
