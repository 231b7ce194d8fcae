// Measures the finds page with 5,000 finds, with a phone's CPU and network: time to the first cards after a click and on a cold
// load, on the website and inside Telegram, and whether cards are ever missing while scrolling. Starts a product of its own.
// A home is drawn when it can be read, and usable when its card, inside Telegram its dialog, is React's.
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

/** Notes when the navigation began and when a home was first in the page, on the clock of the browser. */
const WATCH = `{
  const homes = window.homes = { from: performance.timeOrigin };
  const isIn = (places) => [...document.querySelectorAll(places)].some(({ textContent }) => textContent.includes("Calle de Prueba"));
  const observer = new MutationObserver(() => {
    const at = performance.timeOrigin + performance.now();
    const isUsable = isIn(location.pathname.includes("/app/") ? "[role=dialog]" : "article");
    if (isUsable) observer.disconnect();
    if (isUsable || isIn("#early-finds")) homes.drawn ??= at;
    if (isUsable) homes.usable = at;
  });
  observer.observe(document, { childList: true, subtree: true });
}`;

await withProduct({ port: PORT }, async ({ dataDir }) => {
  const { stored, userId } = await signUp(origin);
  await addFinds(dataDir, { userId, count: FINDS });
  const ask = (use: (page: Page) => Promise<number>) => () =>
    onPhone(executablePath, async (page) => {
      await page.addInitScript(`localStorage.setItem(...${JSON.stringify(stored)})`);
      return use(page);
    });
  const signedIn: OnPage = (use) => ask(use)();
  const guest: OnPage = (use) => onPhone(executablePath, use);
  console.log(`${FINDS} finds, from the click to the first cards:`, await repeated(ask(fromClick)), "ms");
  console.log("the same while the application is still loading:", await repeated(ask(fromEarlyClick)), "ms");
  const phone = await linkTelegram(dataDir, userId);
  print(`${FINDS} finds, cold`, await openings(signedIn, openSite));
  print(
    "from an alert's button in Telegram to its home, cold",
    await openings(guest, (page) => openApp(page, phone)),
  );
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

interface Opening {
  drawnMs: number;
  drawnKb: number;
  usableMs: number;
  usableKb: number;
}

type OnPage = (use: (page: Page) => Promise<number>) => Promise<number>;

async function openings(onPage: OnPage, open: (page: Page) => Promise<void>): Promise<Opening[]> {
  const made: Opening[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    await onPage(async (page) => {
      const received = await watchBytes(page);
      await page.addInitScript(WATCH);
      await open(page);
      await page.locator("[role=dialog], article").getByText("Calle de Prueba").first().waitFor();
      const { from, drawn, usable } =
        await page.evaluate<Record<"from" | "drawn" | "usable", number>>("window.homes");
      const kb = (at: number) => Math.round(received(at) / 100) / 10;
      made.push({ drawnMs: drawn - from, drawnKb: kb(drawn), usableMs: usable - from, usableKb: kb(usable) });
      return usable;
    });
  }
  return made;
}

function print(name: string, made: readonly Opening[]): void {
  const sorted = (of: keyof Opening) =>
    made
      .map((opening) => opening[of])
      .sort((one, other) => one - other)
      .map((value) => Math.round(value))
      .join(", ");
  console.log(
    `${name}: drawn ${sorted("drawnMs")} ms, ${sorted("drawnKb")} kB; usable ${sorted("usableMs")} ms, ${sorted("usableKb")} kB`,
  );
}

async function openSite(page: Page): Promise<void> {
  await page.goto(`${origin}/finds`, { waitUntil: "commit" });
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

async function openApp(page: Page, phone: number): Promise<void> {
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
  // A phone's webview defines it.
  await page.addInitScript("window.TelegramWebviewProxy = { postEvent() {} }");
  await page.goto(`${origin}/app/finds?home=900000001#${fragment}`, { waitUntil: "commit" });
}

/** What the page had received at a moment of the clock, as sent. */
async function watchBytes(page: Page): Promise<(at: number) => number> {
  const pieces: { at: number; requestId: string; bytes: number }[] = [];
  let clock = 0;
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  session.on("Network.requestWillBeSent", ({ wallTime, timestamp }) => {
    clock = (wallTime - timestamp) * 1000;
  });
  session.on("Network.dataReceived", ({ timestamp, requestId, encodedDataLength: bytes }) => {
    if (bytes > 0) pieces.push({ at: timestamp * 1000 + clock, requestId, bytes });
  });
  // The pieces of documents come without their size.
  session.on("Network.loadingFinished", ({ timestamp, requestId, encodedDataLength: bytes }) => {
    if (!pieces.some((piece) => piece.requestId === requestId))
      pieces.push({ at: timestamp * 1000 + clock, requestId, bytes });
  });
  return (until) => pieces.reduce((sum, { at, bytes }) => sum + (at <= until ? bytes : 0), 0);
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
