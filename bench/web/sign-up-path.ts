// How long is the way from the landing page to the first alert? A newcomer with a mouse, among the simulators: every click is
// counted, the one in Telegram too; typing, with Tab from field to field, is none. Needs CHROMIUM_PATH or Chrome.
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContext, chromium, type Locator, type Page } from "@playwright/test";
import { freePort } from "#backend/postgres/embedded-postgres.ts";
import alertTexts from "#text/locales/en/alert.json" with { type: "json" };
import auth from "#text/locales/en/auth.json" with { type: "json" };
import filter from "#text/locales/en/filter.json" with { type: "json" };
import landing from "#text/locales/en/landing.json" with { type: "json" };
import { findBrowser } from "../../scripts/find-browser.ts";
import { until } from "../until.ts";

const MAX_CLICKS = 6;
const START_WITHIN_MS = 180_000;
const ALERT_WITHIN_MS = 120_000;
const SEARCH = "https://www.idealista.com/alquiler-viviendas/madrid/chamberi/con-precio-hasta_1500/";

interface Row {
  step: string;
  click: number | "";
  seconds: string;
}

const executablePath = findBrowser();
if (!executablePath) throw new Error("No browser: set CHROMIUM_PATH");
const product = await startAmongSimulators();
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
try {
  const { rows, here, there } = await walk(await browser.newContext({ locale: "en-GB" }), product.url);
  console.table(rows);
  console.log(
    `${here} clicks on Sereno's pages and ${there} in Telegram: ${here + there}, at most ${MAX_CLICKS}.`,
  );
  process.exitCode = here + there > MAX_CLICKS ? 1 : 0;
} finally {
  await browser.close();
  await product.stop();
}

async function walk(context: BrowserContext, url: string) {
  const page = await context.newPage();
  await page.goto(url, { waitUntil: "networkidle" });
  const path = startPath();
  await path.click(`"${landing.hero.cta}"`, page.getByRole("button", { name: landing.hero.cta }).first());
  await page.getByRole("dialog").waitFor();
  await type(page, "Ana García", `bench-${crypto.randomUUID()}@example.com`, "correct horse");
  path.note("name, e-mail and password typed");
  await path.click(`"${auth.signUp.submit}"`, page.getByRole("dialog").locator("button[type=submit]"));
  // The field waits for the link: nothing is clicked to reach it.
  const field = page.getByLabel(filter.url.label, { exact: true });
  await page.locator("input[name=url]:focus").waitFor();
  await type(page, SEARCH);
  await until(async () => (await field.inputValue()) === SEARCH, 5_000);
  path.note("link pasted");
  await path.click(
    `"${filter.steps.next}"`,
    page.getByRole("button", { name: filter.steps.next, exact: true }),
  );
  const opening = context.waitForEvent("page");
  await path.click(`"${filter.connect.button}"`, page.getByRole("link", { name: filter.connect.button }));
  const telegram = await opening;
  // Telegram's own Start; the simulator asks at the same time whose phone it is.
  await path.clickThere("Start, in Telegram", telegram.getByRole("button", { name: "Someone new" }));
  const save = page.getByRole("button", { name: filter.steps.save, exact: true });
  await save.waitFor();
  path.note("the chat has come, the review is shown");
  await path.click(`"${filter.steps.save}"`, save);
  const openText = alertTexts.open.replace("{{portal}}", "Idealista");
  const messages = telegram.getByRole("log", { name: "Messages" });
  await messages.getByText(alertTexts.watchStarted).waitFor({ timeout: ALERT_WITHIN_MS });
  path.note("the watch has begun, said in Telegram");
  await publishMatch(product.consoleUrl);
  await messages.getByRole("link", { name: openText }).first().waitFor({ timeout: ALERT_WITHIN_MS });
  path.note("a home is published, and its alert is in Telegram");
  return path.walked();
}

function startPath() {
  const startedAt = performance.now();
  const rows: Row[] = [];
  let [here, there] = [0, 0];
  const add = (step: string, click: Row["click"]) =>
    rows.push({ step, click, seconds: ((performance.now() - startedAt) / 1000).toFixed(1) });
  return {
    note: (step: string) => add(step, ""),
    click: async (step: string, target: Locator) => {
      await target.click();
      here += 1;
      add(step, here + there);
    },
    clickThere: async (step: string, target: Locator) => {
      await target.click();
      there += 1;
      add(step, here + there);
    },
    walked: () => ({ rows, here, there }),
  };
}

async function type(page: Page, ...texts: string[]): Promise<void> {
  for (const [index, text] of texts.entries()) {
    if (index > 0) await page.keyboard.press("Tab");
    await page.keyboard.insertText(text);
  }
}

/** A landlord somewhere puts a home on the portal that fits. */
async function publishMatch(consoleUrl: string): Promise<void> {
  const answer = await fetch(`${consoleUrl}/api/portal/listings`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ url: SEARCH }),
  });
  if (!answer.ok) throw new Error(await answer.text());
}

/** As `npm start` does it, on a database of its own. */
async function startAmongSimulators() {
  const dataDir = await mkdtemp(join(tmpdir(), "sereno-path-"));
  const [port, consolePort] = [await freePort(), await freePort()];
  const url = `http://localhost:${port}`;
  const child = spawn(process.execPath, ["scripts/start.ts"], {
    cwd: new URL("../..", import.meta.url),
    stdio: ["ignore", "ignore", "inherit"],
    env: {
      ...process.env,
      PORT: String(port),
      CONSOLE_PORT: String(consolePort),
      SITE_URL: url,
      DATA_DIR: dataDir,
      LOG_LEVEL: "error",
    },
  });
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const isReady = () =>
    fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  if (!(await until(isReady, START_WITHIN_MS))) throw new Error("The product did not start");
  return {
    url,
    consoleUrl: `http://localhost:${consolePort}`,
    stop: async () => {
      child.kill("SIGTERM");
      await exited;
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
