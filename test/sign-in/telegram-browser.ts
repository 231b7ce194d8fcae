import { startTelegramLogin, type TelegramLogin } from "#simulators/telegram/oidc/telegram-login.ts";
import {
  startTelegramSimulator,
  type TelegramSimulator,
} from "#simulators/telegram/start-telegram-simulator.ts";
import { startTestProduct, type TestProduct } from "../test-product.ts";
import { openProviderBrowser, type ProviderBrowser } from "./provider-browser.ts";

interface TelegramProduct {
  readonly telegram: TelegramSimulator;
  readonly login: TelegramLogin;
  readonly product: TestProduct;
  stop(): Promise<void>;
}

/** The product with a simulated Telegram to sign in with. */
export async function startTelegramProduct(settings: Record<string, string> = {}): Promise<TelegramProduct> {
  const telegram = await startTelegramSimulator();
  const redirectUris = ["http://localhost:3000/auth/v1/callback"];
  const login = await startTelegramLogin(telegram, { redirectUris });
  const product = await startTestProduct({
    TELEGRAM_BOT_TOKEN: telegram.bot.token,
    TELEGRAM_BOT_USERNAME: telegram.bot.username,
    TELEGRAM_API_ROOT: telegram.url,
    TELEGRAM_LOGIN_SECRET: login.clientSecret,
    TELEGRAM_LOGIN_URL: login.url,
    ...settings,
  });
  return {
    ...{ telegram, login, product },
    stop: async () => {
      await product.stop();
      await Promise.all([login.stop(), telegram.close()]);
    },
  };
}

/** What is pressed on the consent page. */
type TelegramChoice = { person: string; bot_access?: "yes" } | { decision: "cancel" };

export type TelegramBrowser = ProviderBrowser<TelegramChoice>;

export const openTelegramBrowser = (product: TestProduct): TelegramBrowser =>
  openProviderBrowser<TelegramChoice>(product, "custom:telegram");
