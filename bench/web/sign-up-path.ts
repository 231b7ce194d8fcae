// Clicks and seconds of a newcomer: from the landing page to the first alert with a search link, with an email address and
// with Telegram; from a pasted listing link to watching; and in the chat with the bot to the first alert, with a link and by
// questions. Starts a product of its own with its simulators. Targets: six clicks, three on our own pages with Telegram, five, and
// four presses with one pasted link.
import type { BrowserContext, Locator, Page } from "@playwright/test";
import { chromium } from "@playwright/test";
import { findBrowser, NO_BROWSER } from "../../scripts/find-browser.ts";
import auth from "../../src/text/locales/en/auth.json" with { type: "json" };
import bot from "../../src/text/locales/en/bot.json" with { type: "json" };
import filter from "../../src/text/locales/en/filter.json" with { type: "json" };
import landing from "../../src/text/locales/en/landing.json" with { type: "json" };
import { until } from "../until.ts";
import { openProductDatabase, withProduct } from "./local-product.ts";

const PORT = 3980;
const RUNS = 2;
const CONSOLE = `http://localhost:${PORT + 1}`;
const SEARCH =
  "https://www.idealista.com/alquiler-viviendas/madrid/chamberi/trafalgar/con-precio-hasta_1400/";

const ALERT = "New in Trafalgar, Chamberí";

const executablePath = findBrowser() ?? "";
if (!executablePath) throw new Error(NO_BROWSER);

/** Counts clicks, and measures from the first one. */
class Path {
  clicks = 0;
  private from = performance.now();

  async click(target: Locator): Promise<void> {
    await target.waitFor();
    if (this.clicks === 0) this.from = performance.now();
    this.clicks += 1;
    await target.click();
  }

  get seconds(): string {
    return ((performance.now() - this.from) / 1_000).toFixed(1);
  }
}

await withProduct(
  { port: PORT, environment: { CHECK_INTERVAL_SECONDS: "30" } },
  async ({ origin, dataDir }) => {
    const listingLink = await knownListing(dataDir);
    const rows: Record<string, string | number>[] = [];
    for (let run = 0; run < RUNS; run += 1) {
      rows.push(await onPage(origin, fromLanding), await onPage(origin, fromListing(listingLink)));
      rows.push(await onPage(origin, inChat("link")), await onPage(origin, inChat("questions")));
      rows.push(await onPage(origin, withTelegram));
    }
    console.table(rows.toSorted((one, other) => String(one.way).localeCompare(String(other.way))));
  },
);

async function onPage<T>(
  origin: string,
  walk: (page: Page, context: BrowserContext) => Promise<T>,
): Promise<T> {
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
  try {
    const context = await browser.newContext({
      baseURL: origin,
      locale: "en-GB",
      viewport: { width: 390, height: 844 },
    });
    return await walk(await context.newPage(), context);
  } finally {
    await browser.close();
  }
}

async function fromLanding(page: Page, context: BrowserContext) {
  const path = new Path();
  await signUp(page, path);
  await page.getByLabel(filter.url.label, { exact: true }).fill(SEARCH);
  const messages = await watchInTelegram(page, context, path);
  const watching = path.seconds;
  const alert = await secondsToAlert(context, () =>
    messages.getByText(ALERT).last().waitFor({ timeout: 120_000 }),
  );
  return {
    way: "search link",
    clicks: path.clicks,
    "s to watching": watching,
    "s from listing to alert": alert,
  };
}

/** A person who has never met the bot, with a link or without one. */
function inChat(way: "link" | "questions") {
  return async (page: Page, context: BrowserContext) => {
    // Wide enough for the list of people beside the chat.
    await page.setViewportSize({ width: 1100, height: 900 });
    await page.goto(`${CONSOLE}/#telegram`);
    await page.getByText("New person").click();
    await page.getByLabel("Name", { exact: true }).fill(`Eva ${crypto.randomUUID().slice(0, 8)}`);
    await page.getByRole("button", { name: "Create" }).click();
    const path = new Path();
    const messages = page.getByRole("log", { name: "Messages" });
    const say = async (text: string) => {
      await page.getByPlaceholder("Message").fill(text);
      await page.keyboard.press("Enter");
    };
    await path.click(page.getByRole("button", { name: "Start", exact: true }));
    if (way === "link") {
      await messages.getByText(bot.start_ways).waitFor();
      await say(SEARCH);
    } else {
      await path.click(messages.getByRole("button", { name: bot.questions_button }));
      await path.click(messages.getByRole("button", { name: filter.questions.rent }));
      await messages.getByText(bot.question_where).waitFor();
      await say("Trafalgar");
      const place = messages.getByRole("button", { name: "Trafalgar, Chamberí, Madrid" });
      const price = messages.getByRole("button", { name: bot.question_any_price });
      await place.or(price).first().waitFor();
      if (await place.isVisible()) await path.click(place);
      await path.click(price);
      await path.click(messages.getByRole("button", { name: bot.question_any_bedrooms }));
    }
    await path.click(messages.getByRole("button", { name: bot.watch_it }));
    await messages.getByText(bot.search_added_next).waitFor();
    const watching = path.seconds;
    return {
      way: `chat, ${way}`,
      clicks: path.clicks,
      "s to watching": watching,
      "s from listing to alert": await secondsToAlert(context, () =>
        messages.getByText(ALERT).last().waitFor({ timeout: 120_000 }),
      ),
    };
  };
}

/** Clicks on our own pages only: the consent is Telegram's. */
async function withTelegram(page: Page, context: BrowserContext) {
  const phone = await newPhone();
  const path = new Path();
  await page.goto("/");
  await path.click(page.getByRole("button", { name: landing.hero.cta }).first());
  await path.click(page.getByRole("dialog").getByRole("button", { name: auth.telegram.button }));
  await page.getByRole("button", { name: String(phone) }).click();
  await page.waitForURL("**/filter-settings");
  const connected = path.seconds;
  await page.getByLabel(filter.url.label, { exact: true }).fill(SEARCH);
  await path.click(page.getByRole("button", { name: filter.steps.watch }));
  await page.locator("[data-sonner-toast]").getByText(filter.messages.success).waitFor();
  const watching = path.seconds;
  const alert = await secondsToAlert(context, () =>
    until(async () => (await textsOn(phone)).includes(ALERT), 120_000),
  );
  return {
    way: "Telegram sign-in",
    clicks: path.clicks,
    "s to connected chat": connected,
    "s to watching": watching,
    "s from listing to alert": alert,
  };
}

async function secondsToAlert(context: BrowserContext, arrives: () => Promise<unknown>): Promise<string> {
  const portal = await context.newPage();
  await portal.goto(`${CONSOLE}/#portal`);
  await portal.getByLabel("Search URL").fill(SEARCH);
  await portal.getByRole("button", { name: "Publish a match" }).click();
  await portal.getByRole("status").getByText("Trafalgar").waitFor();
  const published = performance.now();
  await arrives();
  return ((performance.now() - published) / 1_000).toFixed(1);
}

async function newPhone(): Promise<number> {
  const answer = await fetch(`${CONSOLE}/api/telegram/people`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ firstName: "Ana", languageCode: "en" }),
  });
  return ((await answer.json()) as { person: { id: number } }).person.id;
}

async function textsOn(phone: number): Promise<string> {
  return (await fetch(`${CONSOLE}/api/telegram/chats/${phone}?as=${phone}`)).text();
}

function fromListing(link: string) {
  return async (page: Page, context: BrowserContext) => {
    await signUp(page, new Path());
    const path = new Path();
    await page.getByLabel(filter.url.label, { exact: true }).fill(link);
    await path.click(page.getByRole("button", { name: filter.listing.similar }));
    await watchInTelegram(page, context, path);
    return { way: "listing link", clicks: path.clicks, "s to watching": path.seconds };
  };
}

async function signUp(page: Page, path: Path): Promise<void> {
  await page.goto("/");
  await path.click(page.getByRole("button", { name: landing.hero.cta }).first());
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel(auth.fields.fullName.label, { exact: true }).fill("Ana García");
  await dialog
    .getByLabel(auth.fields.email.label, { exact: true })
    .fill(`${crypto.randomUUID()}@example.com`);
  await dialog.getByLabel(auth.fields.password.label, { exact: true }).fill(`pw-${crypto.randomUUID()}`);
  await path.click(dialog.locator("button[type=submit]"));
}

/** Returns the messages of the new person's chat. */
async function watchInTelegram(page: Page, context: BrowserContext, path: Path): Promise<Locator> {
  await path.click(page.getByRole("button", { name: filter.steps.next }));
  const opening = context.waitForEvent("page");
  await path.click(page.getByRole("link", { name: filter.connect.button }));
  const telegram = await opening;
  await path.click(telegram.getByRole("dialog").getByRole("button", { name: "Someone new" }));
  await path.click(page.getByRole("button", { name: filter.steps.save }));
  await page.locator("[data-sonner-toast]").getByText(filter.messages.success).waitFor();
  return telegram.getByRole("log", { name: "Messages" });
}

/** A flat that the demo search of the landing page has found. */
async function knownListing(dataDir: string): Promise<string> {
  const sql = await openProductDatabase(dataDir);
  let id: string | undefined;
  await until(async () => {
    const [row] = await sql<{ listing_id: string }[]>`
      select listing_id from watch.feed_listings join watch.portal_listings using (listing_id)
      where feed_listings.gone_at is null and place_id like '0-EU-ES-28-%' limit 1`;
    id = row?.listing_id;
    return id !== undefined;
  }, 60_000);
  await sql.end();
  return `https://www.idealista.com/inmueble/${id}/`;
}
