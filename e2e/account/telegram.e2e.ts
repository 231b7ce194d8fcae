import { expect, type Locator, type Page } from "@playwright/test";
import type { Language } from "#core/languages.ts";
import { authDialogIn } from "../support/auth-dialog.ts";
import { filterPageIn } from "../support/filter-page.ts";
import { inDatabase } from "../support/product-database.ts";
import { messagesOn, newPhone } from "../support/telegram.ts";
import { textsIn } from "../support/texts.ts";
import { expectDestructive, expectSuccess, test } from "../support/visitor.ts";

// Only what needs a browser. Attacks are tested in src/backend/auth/providers/telegram-*.db.test.ts.

const SEARCH =
  "https://www.idealista.com/alquiler-viviendas/madrid/chamberi/trafalgar/con-precio-hasta_1400,ascensor/";

/** Chooses a person on Telegram's consent page. */
async function consent(page: Page, phone: number, { isBotAllowed = true } = {}): Promise<void> {
  await expect(page.getByRole("heading", { name: "Log in to Sereno" })).toBeVisible();
  if (!isBotAllowed) await page.getByRole("checkbox").uncheck();
  await page.getByRole("button", { name: String(phone) }).click();
}

async function goToTelegram(page: Page, language: Language): Promise<void> {
  const form = authDialogIn(page, language);
  await form.open("signin");
  await form.telegram.click();
}

const signedOut = (page: Page, language: Language) =>
  page.getByRole("banner").getByRole("button", { name: textsIn(language).common.header.signIn });

const chatsOf = (phone: number) =>
  inDatabase(async (sql) => [
    ...(await sql`select state, users.email from chats join auth.users on id = user_id where chat_id = ${phone}`),
  ]);

test("START-01 START-08 a newcomer has an account and a connected chat after two clicks, pastes a link and watches after the third (de)", async ({
  page,
}) => {
  const phone = await newPhone("Ana");
  const { auth, landing, filter, alert } = textsIn("de");
  let clicks = 0;
  const click = async (target: Locator) => {
    clicks += 1;
    await target.click();
  };
  await page.goto("/de");
  await click(page.getByRole("button", { name: landing.hero.cta }).first());
  await click(authDialogIn(page, "de").telegram);
  await consent(page, phone);
  await expectSuccess(page, auth.signUp.success);
  await expect(page).toHaveURL("/de/filter-settings");
  await expect(page.getByRole("button", { name: /Ana/ })).toBeVisible();
  expect(await chatsOf(phone)).toEqual([{ state: "connected", email: null }]);
  expect(clicks).toBe(2);

  const form = filterPageIn(page, "de");
  await form.url.fill(SEARCH);
  await expect(page.getByText(filter.chats.arrived.replace("{{name}}", "Ana"))).toBeVisible();
  await click(form.watchNow);
  await expect(
    page.locator("[data-sonner-toast]").filter({ hasText: filter.messages.successInitial }),
  ).toBeVisible();
  await expect
    .poll(async () => (await messagesOn(phone)).map(({ text }) => text).join())
    .toContain(alert.watchStarted);
  expect(clicks).toBe(3);
  await expect(form.form).toBeVisible();
  await page.goBack();
  expect(page.url()).not.toMatch(/token|code=/);
});

test("START-08 without bot access the account is made and the page asks for Start; signing in again opens the same account (en)", async ({
  page,
}) => {
  const phone = await newPhone("Ben");
  const { auth, common, filter } = textsIn("en");
  await goToTelegram(page, "en");
  await consent(page, phone, { isBotAllowed: false });
  await expectSuccess(page, auth.signUp.success);
  expect(await chatsOf(phone)).toEqual([]);
  const form = filterPageIn(page, "en");
  await form.url.fill(SEARCH);
  await form.next.click();
  await expect(page.getByRole("link", { name: filter.connect.button })).toBeVisible();

  const account = page.getByRole("button", { name: /Ben/ });
  await account.click();
  await page.getByRole("menuitem", { name: common.header.signOut }).click();
  await expect(signedOut(page, "en")).toBeVisible();
  await goToTelegram(page, "en");
  await consent(page, phone, { isBotAllowed: false });
  await expectSuccess(page, auth.signIn.success);
  await expect(page).toHaveURL("/");
  await expect(account).toBeVisible();
});

test("START-08 cancelling at Telegram returns with a message and signs nobody in (de)", {
  tag: "@long",
}, async ({ page }) => {
  const { telegram } = textsIn("de").auth;
  await goToTelegram(page, "de");
  await page.getByRole("button", { name: "Cancel" }).click();
  await expectDestructive(page, {
    title: telegram.failure.title,
    description: telegram.errors.cancelled,
  });
  await expect(page).toHaveURL("/de");
  await expect(signedOut(page, "de")).toBeVisible();
});

test("START-06 an account without a password confirms its owner with Telegram before it is deleted", {
  tag: "@long",
}, async ({ page }) => {
  const { account } = textsIn("en");
  const phone = await newPhone("Cleo");
  await goToTelegram(page, "en");
  await consent(page, phone);
  await expect(page).toHaveURL("/filter-settings");
  await inDatabase(
    (sql) => sql`
      update auth.mfa_amr_claims set updated_at = updated_at - interval '11 minutes' where session_id in (
        select sessions.id from auth.sessions join auth.identities using (user_id) where provider_id = ${String(phone)})`,
  );
  await page.goto("/profile");
  await page.getByRole("region", { name: account.delete.title }).getByRole("button").click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel(account.delete.dialog.label).fill(account.delete.dialog.word);
  await dialog.getByRole("button", { name: account.delete.dialog.submit }).click();
  await dialog
    .getByRole("button", { name: account.confirm.button.replace("{{provider}}", "Telegram") })
    .click();
  await consent(page, phone);
  await expect(page).toHaveURL("/profile");
});
