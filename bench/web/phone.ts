// Lighthouse's phone profile: CPU, network, screen.
import { chromium, type Page } from "@playwright/test";

const SLOW_4G = { offline: false, latency: 150, downloadThroughput: 204_800, uploadThroughput: 96_000 };
const SLOWDOWN = 4;
const SCREEN = { width: 412, height: 823 };

/** A new browser, as on a first visit. */
export async function onPhone<T>(executablePath: string, use: (page: Page) => Promise<T>): Promise<T> {
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
  try {
    const page = await browser.newPage({ viewport: SCREEN, locale: "en-GB" });
    const session = await page.context().newCDPSession(page);
    await session.send("Network.enable");
    await session.send("Network.emulateNetworkConditions", SLOW_4G);
    await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWDOWN });
    return await use(page);
  } finally {
    await browser.close();
  }
}
