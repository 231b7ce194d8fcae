import type { Page } from "@playwright/test";

/** The paths of what the service worker has stored. */
export const kept = (page: Page) =>
  page.evaluate<string[]>(`(async () => {
    const paths = [];
    for (const name of await caches.keys())
      for (const { url } of await (await caches.open(name)).keys()) paths.push(new URL(url).pathname);
    return paths;
  })()`);
