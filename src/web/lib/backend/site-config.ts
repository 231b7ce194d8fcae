/** The settings of the installation that browsers may read. */
export interface SiteConfig {
  supabaseUrl: string;
  publishableKey: string;
  botUsername: string;
  telegramLinkUrl: string;
  /** The site that may show the Mini App in a frame. */
  telegramWebUrl: string;
  searchByUrl: boolean;
  googleSignIn: boolean;
  telegramSignIn: boolean;
  canLinkTelegram: boolean;
  supportUrl: string;
  legalSiteUrl: string;
  checkIntervalSeconds: number;
  mailDomain: string | null;
  sendsMail: boolean;
  offlinePages: boolean;
  /** Whether the operator has vector tiles for the map. */
  hasMapTiles: boolean;
}

let loading: Promise<SiteConfig> | undefined;

export function loadConfig(): Promise<SiteConfig> {
  loading ??= fetchConfig().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function fetchConfig(): Promise<SiteConfig> {
  const response = await fetch("/config.json");
  if (!response.ok) throw new Error(`config.json answered ${response.status}`);
  return response.json();
}
