import { type Language, localizedPath } from "#core/languages.ts";
import { loadConfig } from "#web/lib/backend/site-config.ts";
import { textAddress, textAddresses } from "#web/lib/i18n/load-texts.ts";
import { OFFLINE_PATHS } from "#web/lib/site/page-paths.ts";

const WORKER = "/worker.js";

/** Registers the service worker, and names the pages and texts of the person's language. */
export async function registerWorker(language: Language): Promise<void> {
  const workers = navigator.serviceWorker as ServiceWorkerContainer | undefined;
  if (!workers) return;
  const { offlinePages } = await loadConfig();
  if (!offlinePages) return;
  await workers.register(WORKER);
  const { active } = await workers.ready;
  const pages = OFFLINE_PATHS.flatMap((path) => [path, localizedPath(path, language)]);
  // The message to advertisers is in Spanish.
  const texts = [...textAddresses(language), textAddress("es", "home")];
  active?.postMessage({ keep: [...new Set([...pages, ...texts])] });
}
