// Lighthouse's phone profile: CPU, network, screen.
import { chromium, type Page } from "@playwright/test";

type Network = { offline: boolean; latency: number; downloadThroughput: number; uploadThroughput: number };

const SLOW_4G: Network = {
  offline: false,
  latency: 150,
  downloadThroughput: 204_800,
  uploadThroughput: 96_000,
};
const SLOWDOWN = 4;
const SCREEN = { width: 412, height: 823 };

/** A phone with a weak signal. */
export const WEAK_SIGNAL: Network = {
  offline: false,
  latency: 400,
  downloadThroughput: 50_000,
  uploadThroughput: 25_000,
};

/** A new browser, as on a first visit. */
export async function onPhone<T>(
  executablePath: string,
  use: (page: Page) => Promise<T>,
  network = SLOW_4G,
): Promise<T> {
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
  try {
    const page = await browser.newPage({ viewport: SCREEN, locale: "en-GB" });
    const session = await page.context().newCDPSession(page);
    await session.send("Network.enable");
    await session.send("Network.emulateNetworkConditions", network);
    await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWDOWN });
    return await use(page);
  } finally {
    await browser.close();
  }
}
