import type { Page } from "@playwright/test";

/** A script that the application cannot start without. */
export const APPLICATION = "**/assets/vendor-*.js";

/** Whether React handles clicks. A public page is hydrated on the first gesture. */
export const isHydrated = (page: Page) => page.evaluate<boolean>("window.preHydration.state === 'hydrated'");
