import { expect, type Page } from "@playwright/test";
import de from "../src/text/locales/de/bot.json" with { type: "json" };
import en from "../src/text/locales/en/bot.json" with { type: "json" };
import enFilter from "../src/text/locales/en/filter.json" with { type: "json" };
import { consoleUrl } from "./support/console.ts";
import { test } from "./support/visitor.ts";

const LINK = "https://www.idealista.com/alquiler-viviendas/madrid/chamberi/trafalgar/con-precio-hasta_1400/";

/** Creates a person who has never met the bot, and returns the messages of their chat. */
async function openPhone(page: Page, language: string) {
  await page.setViewportSize({ width: 1100, height: 1400 });
  await page.goto(`${consoleUrl}/#telegram`);
  await page.getByText("New person").click();
  const name = `Eva ${crypto.randomUUID().slice(0, 8)}`;
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByLabel("Language", { exact: true }).selectOption(language);
  await page.getByRole("button", { name: "Create" }).click();
  // Until then another person's Start is shown.
  await expect(page.getByRole("button", { name })).toHaveAttribute("aria-pressed", "true");
  return page.getByRole("log", { name: "Messages" });
}

const send = async (page: Page, text: string) => {
  await page.getByPlaceholder("Message").fill(text);
  await page.keyboard.press("Enter");
};

test("START-02 a stranger starts in the chat with a link, and gets their data there (de)", async ({
  page,
}) => {
  const messages = await openPhone(page, "de");
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await expect(messages.getByText(de.start_ways)).toBeVisible();
  await send(page, LINK);
  await expect(messages.getByText(de.begin_no_email)).toBeVisible();
  await messages.getByRole("button", { name: de.watch_it }).click();
  await expect(messages.getByText(de.search_added_next)).toBeVisible();
  await send(page, "/export");
  await expect(messages.getByText(/sereno-.*\.json/)).toBeVisible();
});

test("START-03 a stranger without a link answers questions in the chat (en)", async ({ page }) => {
  const messages = await openPhone(page, "en");
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await messages.getByRole("button", { name: en.questions_button }).click();
  await messages.getByRole("button", { name: enFilter.questions.rent }).click();
  await send(page, "Madird");
  await messages.getByRole("button", { name: "Madrid", exact: true }).last().click();
  await messages.getByRole("button", { name: "Chamberí", exact: true }).click();
  await send(page, "1300");
  await messages.getByRole("button", { name: "2+" }).click();
  await expect(messages.getByText(en.begin_no_email)).toBeVisible();
  await messages.getByRole("button", { name: en.watch_it }).click();
  await expect(messages.getByText(en.search_added_next)).toBeVisible();
});
