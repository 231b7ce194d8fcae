// Measures the finds page with 5,000 finds, with a phone's CPU and network: time to the first cards after a click and on a cold
// load, on the website and inside Telegram, and whether cards are ever missing while scrolling. Starts a product of its own.
// Targets: 1 s after the click, 3 s cold, 2.5 s from an alert's button to its home inside Telegram with no more bytes than the
// website's page needs, no empty screen while scrolling.
import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "@playwright/test";
import { signInitData } from "#simulators/telegram/mini-app/sign-init-data.ts";
import { openProductDatabase, signUp, withProduct } from "#test/local-product.ts";
import { findBrowser, NO_BROWSER } from "../../scripts/find-browser.ts";
import { addFinds } from "./add-finds.ts";
import { onPhone } from "./phone.ts";

const PORT = Number(process.env.PORT || 3990);
const RUNS = 5;
const FINDS = Number(process.argv.find((argument) => argument.startsWith("--finds="))?.slice(8) ?? 5_000);
const SCROLLS = 60;
const SIMULATED_BOT_TOKEN = "7000000001:AAH-simulated-bot-token-of-35-chars";
const origin = `http://localhost:${PORT}`;

const executablePath = findBrowser() ?? "";
if (!executablePath) throw new Error(NO_BROWSER);
const TELEGRAM_ID = 5_299_999_999;

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
  const bytes: Record<string, number[]> = { site: [], app: [] };
  const counted = (place: "site" | "app", use: (page: Page) => Promise<number>) => async (page: Page) => {
    const received = await countBytes(page);
    const wait = await use(page);
    bytes[place]?.push(received());
    return wait;
  };
  console.log(`${FINDS} finds, cold, the first home drawn:`, await repeated(ask(coldDrawn)), "ms");
  console.log(`${FINDS} finds, cold:`, await repeated(ask(counted("site", cold))), "ms");
  const phone = await linkTelegram(dataDir, userId);
  const inApp = () =>
    onPhone(
      executablePath,
      counted("app", (page) => coldInApp(page, phone)),
    );
  const drawnInApp = () => onPhone(executablePath, (page) => coldInApp(page, phone, drawn));
  console.log(
    "from an alert's button in Telegram to its home drawn, cold:",
    await repeated(drawnInApp),
    "ms",
  );
  console.log("from an alert's button to its home in Telegram, cold:", await repeated(inApp), "ms");
  const kilobytes = (values: number[] = []) => Math.round(Math.max(...values) / 1000);
  console.log(`kB before them: website ${kilobytes(bytes.site)}, Telegram ${kilobytes(bytes.app)}`);
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

/** A home can be read, before or after the application has taken over. */
const drawn = (page: Page) => page.getByText("Calle de Prueba").first();

const coldDrawn = (page: Page) => cold(page, drawn(page));

async function cold(page: Page, shown = page.getByRole("article").first()): Promise<number> {
  const from = performance.now();
  await page.goto(`${origin}/finds`, { waitUntil: "commit" });
  await shown.waitFor();
  return performance.now() - from;
}

/** The launch data is signed for this Telegram user, who signs in to the account. */
async function linkTelegram(dataDir: string, userId: string): Promise<number> {
  const sql = await openProductDatabase(dataDir);
  await sql`
    insert into auth.identities (user_id, provider, provider_id, identity_data)
    values (${userId}, 'custom:telegram', ${String(TELEGRAM_ID)}, '{}')`;
  await sql.end();
  return TELEGRAM_ID;
}

const opened = (page: Page) => page.getByRole("dialog").getByText("Calle de Prueba").first();

async function coldInApp(page: Page, phone: number, shown = opened): Promise<number> {
  const fields = {
    user: { id: phone, first_name: "Ana" },
    query_id: "AAF",
    auth_date: Math.floor(Date.now() / 1000),
  };
  const fragment = new URLSearchParams({
    tgWebAppData: signInitData(fields, SIMULATED_BOT_TOKEN),
    tgWebAppVersion: "9.6",
    tgWebAppThemeParams: "{}",
  });
  const from = performance.now();
  await page.goto(`${origin}/app/finds?home=900000001#${fragment}`, { waitUntil: "commit" });
  await shown(page).waitFor();
  return performance.now() - from;
}

/** Everything that the page has received since, as sent. */
async function countBytes(page: Page): Promise<() => number> {
  let bytes = 0;
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  session.on("Network.dataReceived", ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  return () => bytes;
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
