// Measures the finds page with 5,000 finds, with a phone's CPU and network: time to the first cards after a click and on a cold
// load, and whether cards are ever missing while scrolling. Starts a product of its own.
// Targets: 1 s after the click, 3 s cold, no empty screen while scrolling.
import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "@playwright/test";
import { signUp, withProduct } from "#test/local-product.ts";
import { findBrowser, NO_BROWSER } from "../../scripts/find-browser.ts";
import { addFinds } from "./add-finds.ts";
import { onPhone } from "./phone.ts";

const PORT = Number(process.env.PORT || 3990);
const RUNS = 5;
const FINDS = Number(process.argv.find((argument) => argument.startsWith("--finds="))?.slice(8) ?? 5_000);
const SCROLLS = 60;
const origin = `http://localhost:${PORT}`;

const executablePath = findBrowser() ?? "";
if (!executablePath) throw new Error(NO_BROWSER);
await withProduct({ port: PORT }, async ({ dataDir }) => {
  const { stored, userId } = await signUp(origin);
  await addFinds(dataDir, { userId, count: FINDS });
  const ask = (use: (page: Page) => Promise<number>) => () =>
    onPhone(executablePath, async (page) => {
      await page.addInitScript(`localStorage.setItem(...${JSON.stringify(stored)})`);
      return use(page);
    });
  console.log(`${FINDS} finds, from the click to the first cards:`, await repeated(ask(fromClick)), "ms");
  console.log("the same while the application is still loading:", await repeated(ask(fromEarlyClick)), "ms");
  console.log(`${FINDS} finds, cold:`, await repeated(ask(cold)), "ms");
  console.log(`empty screens in ${SCROLLS} scrolls:`, await ask(emptyScreens)());
});

/** On an idle page. */
async function fromClick(page: Page): Promise<number> {
  await page.goto(origin);
  await page.keyboard.press("Shift");
  await page.waitForLoadState("networkidle");
  return clickToCards(page);
}

async function fromEarlyClick(page: Page): Promise<number> {
  await page.goto(origin);
  await page.keyboard.press("Shift");
  return clickToCards(page);
}

async function clickToCards(page: Page): Promise<number> {
  await page.getByRole("button", { name: "Open menu" }).click();
  const link = page.getByRole("navigation").getByRole("link", { name: "Homes" });
  await link.waitFor();
  const from = performance.now();
  await link.click();
  await page.getByRole("article").first().waitFor();
  return performance.now() - from;
}

async function cold(page: Page): Promise<number> {
  const from = performance.now();
  await page.goto(`${origin}/finds`, { waitUntil: "commit" });
  await page.getByRole("article").first().waitFor();
  return performance.now() - from;
}

async function emptyScreens(page: Page): Promise<number> {
  await page.goto(`${origin}/finds`);
  await page.getByRole("article").first().waitFor();
  let empty = 0;
  for (let count = 0; count < SCROLLS; count += 1) {
    await page.mouse.wheel(0, 700);
    await sleep(100);
    const hasCard = await page.evaluate<boolean>(
      `document.elementFromPoint(innerWidth / 2, innerHeight / 2)?.closest("[data-find], [role=feed]") !== null`,
    );
    if (!hasCard) empty += 1;
  }
  return empty;
}

/** Sorted, so that the median is in the middle. */
async function repeated(measure: () => Promise<number>): Promise<string> {
  const waits: number[] = [];
  for (let run = 0; run < RUNS; run += 1) waits.push(await measure());
  return waits
    .sort((one, other) => one - other)
    .map(Math.round)
    .join(", ");
}
