// How long is the way from the landing page to "Account created!"? Counts what a new person does besides typing, and
// times it in a browser against the product as production runs it. Needs a built web app and CHROMIUM_PATH or Chrome.
import { chromium, type Page } from "@playwright/test";
import auth from "#text/locales/en/auth.json" with { type: "json" };
import landing from "#text/locales/en/landing.json" with { type: "json" };
import { buildWebIfStale } from "../../scripts/build-web.ts";
import { findBrowser } from "../../scripts/find-browser.ts";
import { milliseconds, quantile, startBenchServer } from "../bench-server.ts";

const ROUNDS = 10;
const MAX_CLICKS = 3;
const PORT = "3970";
const SITE_URL = `http://localhost:${PORT}`;

interface Effort {
  clicks: number;
  keys: number;
  typed: number;
}

interface Round extends Effort {
  dialogMs: number;
  createdMs: number;
}

const executablePath = findBrowser();
if (!executablePath) throw new Error("No browser: set CHROMIUM_PATH");
await buildWebIfStale((step) => console.log(step));
const server = await startBenchServer({ PORT, SITE_URL });
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
const byHand: Round[] = [];
const byKeyboard: Round[] = [];
try {
  for (let round = 0; round < ROUNDS; round += 1) {
    byHand.push(await signUp(round, { hasMouse: true }));
    byKeyboard.push(await signUp(round, { hasMouse: false }));
  }
} finally {
  await browser.close();
  await server.stop();
}

console.table({ "mouse and keyboard": rowOf(byHand), "keyboard alone": rowOf(byKeyboard) });
const clicks = Math.max(...byHand.map((round) => round.clicks));
console.log(
  `${clicks} click(s) from the landing page to "${auth.signUp.success.title}". Target: at most ${MAX_CLICKS}.`,
);

async function signUp(round: number, { hasMouse }: { hasMouse: boolean }): Promise<Round> {
  const context = await browser.newContext({
    locale: "en-GB",
    extraHTTPHeaders: { "x-forwarded-for": `10.${hasMouse ? 1 : 2}.0.${round + 1}` },
  });
  const page = await context.newPage();
  await page.goto(SITE_URL, { waitUntil: "networkidle" });
  const effort: Effort = { clicks: 0, keys: 0, typed: 0 };
  const startedAt = performance.now();
  if (hasMouse) {
    await page.getByRole("button", { name: landing.hero.cta }).first().click();
    effort.clicks += 1;
  } else await tabTo(page, landing.hero.cta, effort);
  await page.getByRole("dialog").waitFor();
  const dialogMs = performance.now() - startedAt;
  for (const text of ["Ana García", `bench-${crypto.randomUUID()}@example.com`, "correct horse"]) {
    if (effort.typed > 0) await press(page, "Tab", effort);
    await page.keyboard.insertText(text);
    effort.typed += text.length;
  }
  await press(page, "Enter", effort);
  await page.getByText(auth.signUp.success.title).waitFor();
  const createdMs = performance.now() - startedAt;
  await context.close();
  return { ...effort, dialogMs, createdMs };
}

async function tabTo(page: Page, name: string, effort: Effort): Promise<void> {
  do await press(page, "Tab", effort);
  while ((await page.evaluate("document.activeElement.textContent")) !== name);
  await press(page, "Enter", effort);
}

async function press(page: Page, key: string, effort: Effort): Promise<void> {
  await page.keyboard.press(key);
  effort.keys += 1;
}

function rowOf(rounds: Round[]) {
  const most = (pick: (round: Round) => number) => Math.max(...rounds.map(pick));
  const median = (pick: (round: Round) => number) => milliseconds(quantile(rounds.map(pick), 0.5));
  return {
    clicks: most(({ clicks }) => clicks),
    "keys besides typing": most(({ keys }) => keys),
    "characters typed": most(({ typed }) => typed),
    "to the form (p50)": median(({ dialogMs }) => dialogMs),
    "to the account (p50)": median(({ createdMs }) => createdMs),
  };
}
