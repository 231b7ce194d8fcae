import { type Language, localizedPath } from "#core/languages.ts";
import { loadConfig } from "#web/lib/backend/site-config.ts";
import { textAddresses } from "#web/lib/i18n/load-texts.ts";
import { PRIVATE_PATHS } from "#web/lib/site/page-paths.ts";

const WORKER = "/worker.js";

/** Registers the service worker, and names the pages and texts of the person's language. */
export async function registerWorker(language: Language): Promise<void> {
  const workers = navigator.serviceWorker as ServiceWorkerContainer | undefined;
  if (!workers) return;
  const { offlinePages } = await loadConfig();
  if (!offlinePages) return;
  await workers.register(WORKER);
  const { active } = await workers.ready;
  const pages = PRIVATE_PATHS.flatMap((path) => [path, localizedPath(path, language)]);
  active?.postMessage({ keep: [...new Set([...pages, ...textAddresses(language)])] });
}
