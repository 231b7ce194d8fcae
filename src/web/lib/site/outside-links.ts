import { loadConfig, type SiteConfig } from "../backend/site-config.ts";

/** Footer links that the installation configures. */
export const OUTSIDE_LINKS = {
  support: ({ supportUrl }: SiteConfig) => supportUrl,
  bot: ({ telegramLinkUrl, botUsername }: SiteConfig) => `${telegramLinkUrl}/${botUsername}`,
};

/** Sets their addresses before hydration. */
export async function fillOutsideLinks(): Promise<void> {
  const config = await loadConfig();
  for (const [name, addressOf] of Object.entries(OUTSIDE_LINKS)) {
    const link = document.querySelector<HTMLAnchorElement>(`a[data-outside="${name}"]`);
    if (link) link.href = addressOf(config);
  }
}
