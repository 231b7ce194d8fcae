// "What to look at first" of the README, as it is written: the names of buttons are read from its steps.
import { readFileSync } from "node:fs";
import { expect, type Page } from "@playwright/test";
import { consoleUrl } from "./support/console.ts";
import { newEmail, PASSWORD } from "./support/people.ts";
import { inDatabase } from "./support/product-database.ts";
import { textsIn } from "./support/texts.ts";
import { test } from "./support/visitor.ts";

const SEARCH =
  "https://www.idealista.com/alquiler-viviendas/madrid/chamberi/almagro/con-precio-hasta_1900,ascensor/";
const WIDER = SEARCH.replace(",ascensor", "");

/** The numbered steps, each on one line. */
const STEPS =
  readFileSync("README.md", "utf8")
    .split("## What to look at first\n")[1]
    ?.split("\n<img")[0]
    ?.trim()
    .split(/\n(?=\d+\. )/)
    .map((step) => step.replace(/^\d+\. /, "").replace(/\s+/g, " ")) ?? [];

/** The names in quotation marks of a step, counted from one. */
const namesIn = (step: number): string[] =>
  [...(STEPS[step - 1] ?? "").matchAll(/"([^"]+)"/g)].map(([, name = ""]) => name);

test("EASY-06 the README's nine steps work as written", { tag: "@long" }, async ({ page, context }) => {
  test.slow();
  const { alert, auth, filter, finds, landing } = textsIn("en");
  const [connect = "", thatsMe = ""] = namesIn(2);
  const [watchIt = ""] = namesIn(4);
  const [fewer = "", inlineMode = ""] = namesIn(5);
  const [dayLater = ""] = namesIn(8);
  expect(STEPS.map((step) => step.split(/[:,.] /)[0])).toEqual([
    "Open <http://localhost:3000>",
    'Press "Connect Telegram"',
    "In the console's Portal tab publish a listing that matches",
    "In the console's chat send the bot another link",
    "Open Homes in the header",
    "In the console's chat send the bot the link of a single listing",
    "Stop the server or cut the line while Homes is open",
    'A day after your first search the page of each search offers alert emails ("A day later" in the console moves it on)',
    "Read [ARCHITECTURE.md](ARCHITECTURE.md)",
  ]);

  // 1
  await page.goto("/");
  await page.getByRole("button", { name: landing.hero.cta }).first().click();
  const dialog = page.getByRole("dialog");
  const email = newEmail();
  await dialog.getByLabel(auth.fields.fullName.label, { exact: true }).fill("Ana García");
  await dialog.getByLabel(auth.fields.email.label, { exact: true }).fill(email);
  await dialog.getByLabel(auth.fields.password.label, { exact: true }).fill(PASSWORD);
  await dialog.locator("button[type=submit]").click();
  await page.getByLabel(filter.url.label, { exact: true }).fill(SEARCH);
  await expect(page.getByText(/Almagro, Chamberí.*1,900/).first()).toBeVisible();
  await page.getByRole("button", { name: filter.steps.next }).click();

  // 2
  const opening = context.waitForEvent("page");
  await page.getByRole("link", { name: connect }).click();
  const telegram = await opening;
  await telegram.getByRole("dialog").getByRole("button", { name: "Someone new" }).click();
  const messages = telegram.getByRole("log", { name: "Messages" });
  await messages.getByRole("button", { name: thatsMe }).click();
  await page.getByRole("button", { name: filter.steps.save }).click();
  await expect(page.getByText(filter.messages.successInitial)).toBeVisible();

  await expect(messages.getByText(alert.watchStarted)).toBeVisible({ timeout: 120_000 });

  // 3
  const portal = await context.newPage();
  await portal.goto(`${consoleUrl}/#portal`);
  const publish = () => publishMatch(portal, SEARCH);
  const first = await publish();
  const alerts = messages.getByText("New in Almagro");
  await expect(alerts.first()).toBeVisible({ timeout: 60_000 });
  const listing = portal.getByRole("article").filter({ hasText: first });
  await listing.getByRole("button", { name: "Cut price 5 %" }).click();
  await expect(messages.getByText(/Price cut|Now €|cheaper/i).first()).toBeVisible({ timeout: 60_000 });
  await listing.getByRole("button", { name: "Withdraw" }).click();
  await listing.getByRole("button", { name: "Bring back" }).click();

  // 4
  await write(telegram, WIDER);
  await telegram.getByRole("button", { name: watchIt, exact: true }).click();
  await expect(messages.getByText(textsIn("en").bot.search_added_next.slice(0, 20)).first()).toBeVisible();
  const before = await alerts.count();
  await publish();
  await expect.poll(() => alerts.count(), { timeout: 60_000 }).toBeGreaterThan(before);
  // Both are called by what tells them apart.
  await expect(messages.getByRole("article").last()).toContainText(/🔎 .*Almagro.* · .*Almagro/);

  // 5
  await page.getByRole("link", { name: "Homes", exact: true }).first().click();
  await expect(page).toHaveURL(/\/finds/);
  await expect(page.getByRole("article").first()).toContainText("Almagro");
  const cards = await page.getByRole("article").count();
  await telegram.getByRole("button", { name: "Hide", exact: true }).last().click();
  await expect.poll(() => page.getByRole("article").count()).toBe(cards - 1);
  // Whether a rule fits depends on the home; where none does there is no such button.
  expect(fewer).toBe(alert.less);
  await expect(telegram.getByLabel(inlineMode)).toBeVisible();

  // 6
  await write(telegram, `https://www.idealista.com/inmueble/${first}/`);
  await expect(
    telegram.getByRole("button", { name: textsIn("en").bot.listing_similar }).last(),
  ).toBeVisible();

  // 7
  await context.setOffline(true);
  await page.getByRole("article").first().getByRole("button", { name: "Keep" }).click();
  await expect(page.getByText(finds.card.willBeSaved).first()).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByText(finds.card.willBeSaved)).toHaveCount(0, { timeout: 60_000 });
  const kept = () =>
    inDatabase(
      (sql) => sql`
        select mark from public.marks join auth.users on users.id = user_id where email = ${email} and mark = 'kept'`,
    );
  await expect.poll(async () => (await kept()).length).toBe(1);

  // 8: only this person's time passes, because other tests share the trial. The whole of it is tested in scripts/trial.
  await portal.route("**/api/day-later", async (route) => {
    await inDatabase(
      (sql) => sql`
        update public.searches set created_at = created_at - interval '1 day'
        where user_id = (select id from auth.users where email = ${email})`,
    );
    await route.fulfill({ json: {} });
  });
  await page.goto("/filter-settings");
  await page
    .getByRole("link", { name: /^Edit / })
    .first()
    .click();
  await expect(page.getByLabel(filter.url.label, { exact: true })).toBeVisible();
  await expect(page.getByText(textsIn("en")["alert-mails"].title)).toHaveCount(0);
  await portal.getByRole("button", { name: dayLater }).click();
  await expect(portal.getByText("It is a day later")).toBeVisible();
  await page.reload();
  await expect(page.getByText(textsIn("en")["alert-mails"].title).first()).toBeVisible();
  await expect(portal.getByRole("button", { name: "Save search" })).toBeVisible();

  // 9
  expect(readFileSync("ARCHITECTURE.md", "utf8").length).toBeGreaterThan(1_000);
});

/** Publishes a listing that matches, and returns its code. */
async function publishMatch(portal: Page, url: string): Promise<string> {
  await portal.getByLabel("Search URL").fill(url);
  const answered = portal.waitForResponse((answer) => answer.request().method() === "POST");
  await portal.getByRole("button", { name: "Publish a match" }).click();
  const { listings } = await (await answered).json();
  return String(listings[0].code);
}

async function write(telegram: Page, text: string): Promise<void> {
  await telegram.getByRole("textbox", { name: "Message" }).fill(text);
  await telegram.keyboard.press("Enter");
}
