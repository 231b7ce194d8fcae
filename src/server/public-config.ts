import type { Config } from "./config.ts";

/** The public settings, served as `/config.json`. */
export type PublicConfig = ReturnType<typeof publicConfigOf>;

/** Without a bot name pages show no link to the bot. */
export function publicConfigOf(
  config: Config,
  {
    embeddedKey = "",
    botUsername = "",
  }: { embeddedKey?: string | undefined; botUsername?: string | undefined } = {},
) {
  return {
    supabaseUrl: config.supabase?.url ?? config.siteUrl,
    publishableKey: config.supabase?.publishableKey ?? embeddedKey,
    botUsername,
    /** Followed by a slash and the bot's name in links. */
    telegramLinkUrl: config.telegram.linkUrl,
    telegramWebUrl: config.telegram.webUrl,
    /** Whether a source accepts the pasted URL itself, including filters that the official API lacks. */
    searchByUrl: config.searchByUrl !== undefined,
    googleSignIn: config.signIn.isGoogleOffered,
    telegramSignIn: config.signIn.isTelegramOffered,
    /** Whether a Telegram user can be linked to an account; untried on hosted Supabase. */
    canLinkTelegram: config.signIn.isTelegramOffered && config.supabase === undefined,
    supportUrl: config.supportUrl,
    legalSiteUrl: config.legalSiteUrl,
    checkIntervalSeconds: config.checkIntervalSeconds,
    /** The domain of people's addresses for alert mails; null if they are not received. */
    mailDomain: config.mailIn?.domain ?? null,
    /** Whether people can be sent mails. */
    sendsMail: config.mail !== undefined,
    /** Whether the pages of signed-in people register the service worker. */
    offlinePages: config.offlinePages,
    hasMapTiles: config.mapTiles !== undefined,
  };
}
