// The settings of the bot and of the Mini App.
import { z } from "zod";

const url = z.url({ protocol: /^https?$/ }).transform((text) => text.replace(/\/+$/, ""));

export const telegramSchema = {
  TELEGRAM_BOT_TOKEN: z
    .string()
    .regex(/^\d+:[\w-]{30,}$/, "doesn't look like a bot token")
    .optional(),
  TELEGRAM_BOT_USERNAME: z
    .string()
    .regex(/^\w{5,32}$/, "must be the bot's username without the @")
    .optional(),
  TELEGRAM_API_ROOT: url.default("https://api.telegram.org"),
  TELEGRAM_LINK_URL: url.default("https://t.me"),
  TELEGRAM_WEB_URL: url.default("https://web.telegram.org"),
  TELEGRAM_WEBHOOK_SECRET: z
    .string()
    .regex(/^[\w-]{32,256}$/, "needs 32 to 256 letters, digits, _ or -")
    .optional(),
  MINI_APP: z.enum(["on", "off"]).optional(),
};

type TelegramSettings = z.infer<z.ZodObject<typeof telegramSchema>> & { SUPABASE_URL?: string | undefined };

export function telegramOf(env: TelegramSettings, siteUrl: string) {
  const webUrl = new URL(env.TELEGRAM_WEB_URL).origin;
  return {
    token: env.TELEGRAM_BOT_TOKEN,
    username: env.TELEGRAM_BOT_USERNAME,
    apiRoot: env.TELEGRAM_API_ROOT,
    linkUrl: env.TELEGRAM_LINK_URL,
    webUrl,
    webhookSecret: env.TELEGRAM_WEBHOOK_SECRET,
    miniApp: miniAppOf(env, siteUrl),
  };
}

/** Launches are verified with the bot's token, and hosted Supabase has no way to open a session from one. */
function miniAppOf(env: TelegramSettings, siteUrl: string) {
  // Telegram opens https pages only, except on its test servers.
  const isWanted = env.MINI_APP ? env.MINI_APP === "on" : siteUrl.startsWith("https:");
  const isOffered = isWanted && env.TELEGRAM_BOT_TOKEN !== undefined && env.SUPABASE_URL === undefined;
  return isOffered ? { framedBy: new URL(env.TELEGRAM_WEB_URL).origin } : undefined;
}
