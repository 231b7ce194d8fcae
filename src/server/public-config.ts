import type { Config } from "./config.ts";

/** What the browser may know, as `/config.json` tells it. */
export type PublicConfig = {
  supabaseUrl: string;
  publishableKey: string;
  botUsername: string;
  /** A link to the bot is this, a slash and its name. */
  telegramLinkUrl: string;
  /** A source that takes the pasted link is at hand: it honours what the official data cannot. */
  searchByUrl: boolean;
  googleSignIn: boolean;
  supportUrl: string;
  legalSiteUrl: string;
  checkIntervalSeconds: number;
};

/** `embeddedKey` opens the embedded backend; a hosted one brings its own. */
export function publicConfigOf(config: Config, embeddedKey = ""): PublicConfig {
  return {
    supabaseUrl: config.supabase?.url ?? config.siteUrl,
    publishableKey: config.supabase?.publishableKey ?? embeddedKey,
    botUsername: config.telegram.username,
    telegramLinkUrl: config.telegram.linkUrl,
    searchByUrl: config.searchByUrl !== undefined,
    googleSignIn: config.google !== undefined || config.supabase !== undefined,
    supportUrl: config.supportUrl,
    legalSiteUrl: config.legalSiteUrl,
    checkIntervalSeconds: config.checkIntervalSeconds,
  };
}
