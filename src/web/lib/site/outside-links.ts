import { loadConfig, type SiteConfig } from "../backend/site-config.ts";

/** Links of the footer that the installation decides. */
export const OUTSIDE_LINKS = {
  support: ({ supportUrl }: SiteConfig) => supportUrl,
  bot: ({ telegramLinkUrl, botUsername }: SiteConfig) => `${telegramLinkUrl}/${botUsername}`,
};

/** Gives them their addresses on a page whose application sleeps. */
export async function fillOutsideLinks(): Promise<void> {
  const config = await loadConfig();
  for (const [name, addressOf] of Object.entries(OUTSIDE_LINKS)) {
    const link = document.querySelector<HTMLAnchorElement>(`a[data-outside="${name}"]`);
    if (link) link.href = addressOf(config);
  }
}
