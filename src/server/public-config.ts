import type { Config } from "./config.ts";

/** What the browser may know, as `/config.json` tells it. */
export type PublicConfig = ReturnType<typeof publicConfigOf>;

/** `embeddedKey` opens the embedded backend; a hosted one brings its own. Without a bot's name nobody is led to one. */
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
    /** A link to the bot is this, a slash and its name. */
    telegramLinkUrl: config.telegram.linkUrl,
    /** A source that takes the pasted link is at hand: it honours what the official data cannot. */
    searchByUrl: config.searchByUrl !== undefined,
    googleSignIn: config.google !== undefined || config.supabase !== undefined,
    supportUrl: config.supportUrl,
    legalSiteUrl: config.legalSiteUrl,
    checkIntervalSeconds: config.checkIntervalSeconds,
    /** What stands behind the @ of a person's address for alert mails; null where none are taken. */
    mailDomain: config.mailIn?.domain ?? null,
  };
}
