// Measures the time from the click on "Filter settings" until its field can be used, with a phone's CPU and network.
import type { Page } from "@playwright/test";
import { signUp } from "#test/local-product.ts";
import { onPhone } from "./phone.ts";

interface Options {
  executablePath: string;
  origin: string;
  runs: number;
}

/** Signs one person up and uses a new browser for each run. Sorted, so that the median is in the middle. */
export async function filterSettingsWaits({ executablePath, origin, runs }: Options): Promise<number[]> {
  const { stored } = await signUp(origin);
  const waits: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    const wait = await onPhone(executablePath, async (page) => {
      await page.addInitScript(`localStorage.setItem(...${JSON.stringify(stored)})`);
      await page.goto(origin);
      // The landing page shows this link to a signed-in person without finds.
      await page.locator('main a[href="/filter-settings"]').waitFor();
      return timeOf(page);
    });
    waits.push(wait);
  }
  return waits.sort((one, other) => one - other);
}

async function timeOf(page: Page): Promise<number> {
  const from = performance.now();
  await page.locator("main button").first().click();
  await page.locator("main input").first().fill("https://www.idealista.com/");
  return performance.now() - from;
}
