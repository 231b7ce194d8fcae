import { type BrowserContext, expect, type Page, type Response } from "@playwright/test";

/**
 * Chromium may stay offline, or some of its processes may, after it was connected again, and Playwright asks only for what
 * it has not asked for yet. So the line is cut and connected anew until requests get through.
 */
export async function goOnline(context: BrowserContext): Promise<void> {
  await expect(async () => {
    await context.setOffline(false);
    // The page that keeps the renderer process alive may fetch nothing: see visitor.ts.
    const pages = context.pages().filter((page) => /^http(?!.*\/robots\.txt$)/.test(page.url()));
    const connected = await Promise.all(pages.map((page) => page.evaluate<boolean>(IS_CONNECTED)));
    if (connected.every(Boolean)) return;
    await context.setOffline(true);
    throw new Error("the browser is still offline");
  }).toPass();
}

const IS_CONNECTED = `navigator.onLine && fetch("/robots.txt", { method: "HEAD", cache: "no-store" }).then(
  ({ ok }) => ok,
  () => false,
)`;

/** For a page that may be the browser's own about the lost connection. */
export async function openOnline(page: Page, address: string): Promise<Response | null> {
  let response: Response | null = null;
  await expect(async () => {
    await page.context().setOffline(false);
    try {
      response = await page.goto(address);
    } catch (error) {
      await page.context().setOffline(true);
      throw error;
    }
  }).toPass();
  return response;
}
