import { expect, type Page } from "@playwright/test";
import type { Language } from "#core/languages.ts";
import { createTelegramAccount, openTelegramSession } from "#test/telegram-account.ts";
import { linkIn, mailTo } from "../support/console.ts";
import { newClient, newEmail, PASSWORD, signIn } from "../support/people.ts";
import { inDatabase } from "../support/product-database.ts";
import { messagesOn, newPhone } from "../support/telegram.ts";
import { textsIn } from "../support/texts.ts";
import { expectAccessible, expectNoSidewaysScroll, expectSuccess, test } from "../support/visitor.ts";

/** Messages can be slow while other browsers run. */
const LIVE = { timeout: 60_000 };

/** Signs in as the owner of an account that was made by Telegram. */
async function signInByTelegram(page: Page, baseURL: string, language: Language = "en") {
  const phone = await newPhone("Ana", { isStarted: true });
  const { refresh_token, ...account } = await inDatabase(async (sql) => {
    const account = await createTelegramAccount(sql, { name: "Ana García", language, chatId: phone });
    return { ...account, refresh_token: await openTelegramSession(sql, account.userId) };
  });
  const { data } = await (await newClient(baseURL)).auth.refreshSession({ refresh_token });
  await signIn(page, { session: JSON.stringify(data.session) });
  return account;
}

const messages = async (phone: number) => (await messagesOn(phone)).map(({ text }) => text ?? "");

const filled = (text: string, values: Record<string, string>) =>
  Object.entries(values)
    .reduce((filling, [name, value]) => filling.replaceAll(`{{${name}}}`, value), text)
    // Tags of the text are elements on the page.
    .replaceAll(/<[^>]+>/g, "");

test("START-04 an account without an email adds one, sets a password and signs in with it (de)", async ({
  page,
  baseURL,
}) => {
  const { account, auth } = textsIn("de");
  const { chatId } = await signInByTelegram(page, baseURL ?? "", "de");
  await page.goto("/de/profile");
  const details = page.getByRole("region", { name: account.details.title });
  await expect(details.locator("dd").nth(1)).toContainText(account.details.notProvided);
  await expect(details.getByText(account.email.why)).toHaveCount(1);
  const password = page.getByRole("region", { name: account.password.title, exact: true });
  await expect(password).toContainText(account.password.needsEmail);
  await expect(password.getByRole("button")).toHaveCount(0);
  await expect(page.getByText(/null|undefined/)).toHaveCount(0);
  await expectAccessible(page);

  await details.getByRole("button", { name: account.email.add }).click();
  const field = details.getByLabel(account.email.label, { exact: true });
  await details.getByRole("button", { name: account.email.send }).click();
  await expect(field).toHaveAccessibleDescription(auth.validation.emailRequired);
  const email = newEmail();
  await field.fill(email);
  await details.getByRole("button", { name: account.email.send }).click();
  await expectSuccess(page, {
    title: account.email.success.title,
    description: filled(account.email.success.description, { email }),
  });
  await expect(details).toContainText(filled(account.email.pendingText, { email }));
  await expectAccessible(page);
  await details.getByRole("button", { name: account.email.again }).click();
  await expect(details.getByRole("alert")).toContainText("60");
  await page.reload();
  await expect(details).toContainText(filled(account.email.pendingText, { email }));

  await page.goto(linkIn(await mailTo(email)));
  await expect(page).toHaveURL("/de/confirm-email");
  const heading = page.getByRole("heading", { level: 1 });
  await expect(heading).toHaveText(auth.confirmEmail.question.email_change.title);
  await expect(page.getByRole("main"), "whose account it is").toContainText("Telegram: Ana García");
  await expectAccessible(page);
  await page.getByRole("button", { name: auth.confirmEmail.yes }).click();
  await expect(heading).toHaveText(auth.confirmEmail.done.email_change.title);
  await expect(page.getByRole("main")).toContainText(email);
  await page.getByRole("link", { name: auth.confirmEmail.done.profile }).click();
  await expect(details.locator("dd").nth(1)).toHaveText(email);
  const { title } = textsIn("de").alert.notices["email-added"];
  await expect.poll(() => messages(chatId), LIVE).toEqual([expect.stringContaining(title)]);

  await password.getByRole("button", { name: account.password.openNone }).click();
  await password.getByLabel(account.password.new, { exact: true }).fill(PASSWORD);
  await password.getByLabel(account.password.confirm, { exact: true }).fill(PASSWORD);
  await password.getByRole("button", { name: account.password.save }).click();
  await expectSuccess(page, account.password.success);
  const client = await newClient(baseURL ?? "");
  const again = await client.auth.signInWithPassword({ email, password: PASSWORD });
  expect(again.data.user?.email).toBe(email);
});

test("START-04 a link confirms in a browser that is not signed in, once, and signs nobody in", {
  tag: "@long",
}, async ({ page, browser, baseURL }) => {
  const { account, auth } = textsIn("en");
  await signInByTelegram(page, baseURL ?? "");
  await page.goto("/profile");
  const details = page.getByRole("region", { name: account.details.title });
  await details.getByRole("button", { name: account.email.add }).click();
  const email = newEmail();
  await details.getByLabel(account.email.label, { exact: true }).fill(email);
  await details.getByRole("button", { name: account.email.send }).click();
  const link = linkIn(await mailTo(email));
  const elsewhere = await (await browser.newContext({ locale: "en" })).newPage();
  await elsewhere.goto(link);
  await elsewhere.getByRole("button", { name: auth.confirmEmail.yes }).click();
  await expect(elsewhere.getByRole("heading", { level: 1 })).toHaveText(
    auth.confirmEmail.done.email_change.title,
  );
  await expect(elsewhere.getByRole("banner").getByRole("button", { name: "Sign in" })).toBeVisible();
  await page.reload();
  await expect(details.locator("dd").nth(1)).toHaveText(email);
  const password = page.getByRole("region", { name: account.password.title, exact: true });
  await expect(password.getByRole("button", { name: account.password.openNone })).toBeVisible();

  await elsewhere.goto("about:blank");
  await elsewhere.goto(link);
  await expect(elsewhere.getByRole("alert")).toContainText(auth.confirmEmail.problem.expired);
  await elsewhere.context().close();
});

test("START-04 the header and the mobile menu name an account without an email (de)", {
  tag: "@long",
}, async ({ page, baseURL }) => {
  const { common } = textsIn("de");
  await signInByTelegram(page, baseURL ?? "");
  await page.goto("/de/profile");
  await page.getByRole("button", { name: /Ana García/ }).click();
  await expect(page.getByRole("menu")).toContainText(common.header.emailNotProvided);
  await page.keyboard.press("Escape");
  await page.setViewportSize({ width: 320, height: 640 });
  await expectNoSidewaysScroll(page);
  await page.getByRole("button", { name: common.header.openMenu }).click();
  const menu = page.getByRole("navigation", { name: common.header.navigation });
  await expect(menu).toContainText("Ana García");
  await expect(menu).toContainText(common.header.emailNotProvided);
});

test("START-04 deleting an account without an email asks for a fresh sign-in with Telegram (de)", async ({
  page,
  baseURL,
}) => {
  const { account } = textsIn("de");
  const { userId, chatId } = await signInByTelegram(page, baseURL ?? "", "de");
  const provedAgo = (minutes: number) =>
    inDatabase(
      (sql) => sql`
        update auth.mfa_amr_claims set updated_at = now() - ${minutes} * interval '1 minute'
        where session_id in (select id from auth.sessions where user_id = ${userId})`,
    );
  await provedAgo(11);
  await page.goto("/de/profile");
  await page.getByRole("button", { name: account.delete.open }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel(account.delete.dialog.label).fill(account.delete.dialog.word);
  const submit = dialog.getByRole("button", { name: account.delete.dialog.submit });
  await submit.click();
  const confirm = dialog.getByRole("button", {
    name: filled(account.confirm.button, { provider: "Telegram" }),
  });
  await expect(confirm).toBeVisible();
  await expectAccessible(page);
  const asked = page.waitForRequest(/\/auth\/v1\/authorize\?provider=custom%3Atelegram/);
  // The page stays: what Telegram asks there is another test's.
  await page.route(/\/auth\/v1\/authorize/, (route) => route.fulfill({ status: 204 }));
  await confirm.click();
  await asked;
  await provedAgo(1);
  await page.goto("/de/profile");
  await page.getByRole("button", { name: account.delete.open }).click();
  await dialog.getByLabel(account.delete.dialog.label).fill(account.delete.dialog.word);
  await submit.click();
  await expectSuccess(page, account.delete.success);
  expect(await inDatabase((sql) => sql`select from auth.users where id = ${userId}`)).toHaveLength(0);
  const { accountDeleted } = textsIn("de").alert;
  await expect.poll(() => messages(chatId), LIVE).toEqual([expect.stringContaining(accountDeleted)]);
});

test("START-04 on a phone, the steps for alert emails are sent to the Telegram chat of an account without an email (de)", {
  tag: "@long",
}, async ({ page, baseURL }) => {
  const texts = textsIn("de")["alert-mails"].mailed.inChat;
  await page.setViewportSize({ width: 390, height: 844 });
  const { userId, chatId } = await signInByTelegram(page, baseURL ?? "", "de");
  await inDatabase(
    (sql) => sql`
      insert into public.searches (user_id, filter_url, receiver_ids, created_at)
      select ${userId}, 'https://www.idealista.com/alquiler-viviendas/madrid-madrid/', array[chat_id::text],
        now() - interval '2 days'
      from public.chats where user_id = ${userId}`,
  );
  await page.goto("/de/filter-settings#alert-mails");
  await expect(page.getByText(texts.text)).toBeVisible();
  await page.getByRole("button", { name: texts.button }).click();
  await expectSuccess(page, texts.sent);
  const { title } = textsIn("de").alert.notices["alert-mail-steps"];
  await expect
    .poll(async () => (await messages(chatId)).filter((text) => text.includes(title)), LIVE)
    .toHaveLength(1);
});
