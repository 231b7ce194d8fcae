// The settings of sign-in with Google and with Telegram.
import { z } from "zod";

const url = z.url({ protocol: /^https?$/ }).transform((text) => text.replace(/\/+$/, ""));
const secret = z.string().min(1);

export const signInSchema = {
  GOOGLE_CLIENT_ID: secret.optional(),
  GOOGLE_CLIENT_SECRET: secret.optional(),
  GOOGLE_URL: url.optional(),
  TELEGRAM_LOGIN_SECRET: secret.optional(),
  TELEGRAM_LOGIN_URL: url.optional(),
  HOSTED_TELEGRAM_LOGIN: z.enum(["on", "off"]).default("off"),
};

type Client = { clientId: string; clientSecret: string; url?: string };

export function signInOf(
  env: z.infer<z.ZodObject<typeof signInSchema>> & {
    SUPABASE_URL?: string | undefined;
    TELEGRAM_BOT_TOKEN?: string | undefined;
  },
) {
  const google = clientOf(env.GOOGLE_CLIENT_ID, env.GOOGLE_CLIENT_SECRET, env.GOOGLE_URL);
  // Telegram's client is the bot, whose id is the part of its token before the colon.
  const botId = env.TELEGRAM_BOT_TOKEN?.split(":")[0];
  const telegram = clientOf(botId, env.TELEGRAM_LOGIN_SECRET, env.TELEGRAM_LOGIN_URL);
  const isHosted = env.SUPABASE_URL !== undefined;
  return {
    google,
    telegram,
    /** What the pages offer. A hosted Supabase has its own settings, which cannot be read from here. */
    isGoogleOffered: isHosted || google !== undefined,
    isTelegramOffered: isHosted ? env.HOSTED_TELEGRAM_LOGIN === "on" : telegram !== undefined,
  };
}

function clientOf(
  clientId: string | undefined,
  clientSecret: string | undefined,
  address: string | undefined,
): Client | undefined {
  if (clientId === undefined || clientSecret === undefined) return undefined;
  return { clientId, clientSecret, ...(address ? { url: address } : {}) };
}
