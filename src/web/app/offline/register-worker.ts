import { type Language, localizedPath } from "#core/languages.ts";
import { textAddress, textAddresses } from "#web/lib/i18n/load-texts.ts";
import { keepForLater } from "#web/lib/offline/visited-pages.ts";
import { OFFLINE_PATHS } from "#web/lib/site/page-paths.ts";

/** Registers the service worker, and names the pages and texts of the person's language. */
export async function registerWorker(language: Language): Promise<void> {
  const pages = OFFLINE_PATHS.flatMap((path) => [path, localizedPath(path, language)]);
  // The message to advertisers is in Spanish.
  const texts = [...textAddresses(language), textAddress("es", "home")];
  await keepForLater({ keep: [...new Set([...pages, ...texts])], keepScripts: true });
}
