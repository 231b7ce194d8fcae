import type { Page } from "@playwright/test";

/** The scripts without which nothing of the application runs. */
export const APPLICATION = "**/assets/vendor-*.js";

/** Whether the application hears clicks itself; a public page sleeps until it is touched. */
export const isAlive = (page: Page) => page.evaluate<boolean>("window.earlyPage.isAlive");
