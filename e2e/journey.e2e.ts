import { expect, type Locator } from "@playwright/test";
import { consoleUrl } from "./support/console.ts";
import { newEmail, PASSWORD } from "./support/people.ts";
import { textsIn } from "./support/texts.ts";
import { test } from "./support/visitor.ts";

const SEARCH =
  "https://www.idealista.com/alquiler-viviendas/madrid/chamberi/trafalgar/con-precio-hasta_1400,ascensor/";

test("WIZ-05 BOT-02 WATCH-03 a new user signs up, pastes a search, connects a chat with one tap, watches after six clicks and receives an alert in the chat", async ({
  page,
  context,
}, testInfo) => {
  const { alert: words, auth, filter, landing } = textsIn("en");
  let clicks = 0;
  const click = async (target: Locator) => {
    clicks += 1;
    await target.click();
  };
  await page.goto("/");
  await click(page.getByRole("button", { name: landing.hero.cta }).first());
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel(auth.fields.fullName.label, { exact: true }).fill("Ana García");
  await dialog.getByLabel(auth.fields.email.label, { exact: true }).fill(newEmail());
  await dialog.getByLabel(auth.fields.password.label, { exact: true }).fill(PASSWORD);
  await click(dialog.locator("button[type=submit]"));
  await expect(page).toHaveURL("/filter-settings");

  await page.getByLabel(filter.url.label, { exact: true }).fill(`Look at this! ${SEARCH}pagina-2`);
  await expect(page.getByText("Trafalgar, Chamberí").first()).toBeVisible();
  await click(page.getByRole("button", { name: filter.steps.next }));

  const opening = context.waitForEvent("page");
  await click(page.getByRole("link", { name: filter.connect.button }));
  const telegram = await opening;
  await click(telegram.getByRole("dialog").getByRole("button", { name: "Someone new" }));
  const messages = telegram.getByRole("log", { name: "Messages" });
  await expect(messages.getByText(/^✅/)).toBeVisible();
  // The wizard moves to its last step by itself; only saving is left.
  await click(page.getByRole("button", { name: filter.steps.save }));
  await expect(
    page.locator("[data-sonner-toast]").filter({ hasText: filter.messages.successInitial }),
  ).toBeVisible();
  await expect(messages.getByText(words.watchStarted)).toBeVisible();
  expect(clicks).toBe(6);

  const portal = await context.newPage();
  await portal.goto(`${consoleUrl}/#portal`);
  await portal.getByLabel("Search URL").fill(SEARCH);
  await portal.getByRole("button", { name: "Publish a match" }).click();
  await expect(portal.getByRole("status")).toContainText("Trafalgar, Chamberí, Madrid");

  const alert = messages.getByText("New in Trafalgar, Chamberí");
  await expect(alert).toBeVisible({ timeout: 60_000 });
  await expect(messages.getByRole("link", { name: "Open on Idealista" })).toHaveAttribute(
    "href",
    /^https:\/\/www\.idealista\.com\/en\/inmueble\/\d+\/$/,
  );

  await telegram.setViewportSize({ width: 390, height: 1010 });
  await alert.scrollIntoViewIfNeeded();
  // The picture in the README.
  await telegram.screenshot({ path: testInfo.outputPath("alert.png") });

  // The landing page now shows the user's own listing.
  await page.goto("/");
  await expect(page.getByRole("button", { name: /Ana García/ })).toBeVisible();
  await expect(page.getByRole("main").getByText("Trafalgar, Madrid").first()).toBeVisible();
});
