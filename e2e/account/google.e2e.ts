import { expect, type Page } from "@playwright/test";
import type { Language } from "#core/languages.ts";
import { authDialogIn } from "../support/auth-dialog.ts";
import { addGooglePerson } from "../support/console.ts";
import { newEmail, signUp } from "../support/people.ts";
import { textsIn } from "../support/texts.ts";
import { expectAccessible, expectDestructive, expectSuccess, test } from "../support/visitor.ts";

// Only what needs a browser: the redirects to Google and back, and the message shown afterwards. Failures of the flow are tested in
// src/backend/auth/providers/provider-flow.db.test.ts, their messages in src/web/features/auth/auth-outcome.test.ts.

async function goToGoogle(page: Page, language: Language): Promise<void> {
  const form = authDialogIn(page, language);
  await form.open("signin");
  await form.google.click();
  await expect(page.getByRole("heading", { name: "Choose an account" })).toBeVisible();
}

async function chooseAccount(page: Page, email: string): Promise<void> {
  await page.getByLabel("Another account").fill(email);
  await page.getByRole("button", { name: "Continue" }).click();
}

const signedOut = (page: Page, language: Language) =>
  page.getByRole("banner").getByRole("button", { name: textsIn(language).common.header.signIn });

test("AUTH-02 ROUTE-11 TRUE-04 a new user signing in with Google lands on the filter settings in their language, without a token in the URL; later sign-ins land on the home page", async ({
  page,
}) => {
  const email = newEmail();
  await addGooglePerson({ email, name: "Gabriela Ruiz", isVerified: true });
  await goToGoogle(page, "fr");
  await chooseAccount(page, email);
  const { auth, common } = textsIn("fr");
  await expectSuccess(page, auth.signUp.success);
  await expect(page).toHaveURL("/fr/filter-settings");
  const account = page.getByRole("button", { name: /Gabriela Ruiz/ });
  await expect(account).toBeVisible();
  expect(await page.evaluate("window.location.href")).not.toMatch(/token|code=/);
  await page.goBack();
  expect(page.url()).not.toMatch(/token|code=/);

  // Opening the home page right after a sign-up does not redirect again.
  await page.goto("/fr");
  await expect(account).toBeVisible();
  await account.click();
  await page.getByRole("menuitem", { name: common.header.signOut }).click();
  await expect(signedOut(page, "fr")).toBeVisible();
  await goToGoogle(page, "fr");
  await chooseAccount(page, email);
  await expectSuccess(page, auth.signIn.success);
  await expect(account).toBeVisible();
  await expect(page).toHaveURL("/fr");
});

test('AUTH-08 cancelling at Google shows "Google sign in failed" in the original language', async ({
  page,
}) => {
  const { google } = textsIn("fr").auth;
  await goToGoogle(page, "fr");
  await page.getByRole("button", { name: "Cancel" }).click();
  await expectDestructive(page, { title: google.failure.title, description: google.errors.cancelled });
  await expect(page).toHaveURL("/fr");
  await expect(signedOut(page, "fr")).toBeVisible();
});

test("AUTH-02 AUTH-08 an unverified Google address is not linked to an account, and the error says why", {
  tag: "@long",
}, async ({ page, baseURL }) => {
  const { google } = textsIn("en").auth;
  const person = await signUp(baseURL ?? "", "Ana García");
  await addGooglePerson({ email: person.email, name: "Not Ana", isVerified: false });
  await goToGoogle(page, "en");
  await chooseAccount(page, person.email);
  await expectDestructive(page, { title: google.failure.title, description: google.errors.unverifiedEmail });
  await expect(page).toHaveURL("/");
  await expect(signedOut(page, "en")).toBeVisible();
});

test("AUTH-08 a tampered OAuth state is refused with an error in the default language", {
  tag: "@long",
}, async ({ page }) => {
  const { auth } = textsIn("en");
  await goToGoogle(page, "fr");
  const consent = new URL(page.url());
  consent.searchParams.set("state", "changed");
  await page.goto(consent.href);
  await chooseAccount(page, newEmail());
  await expectDestructive(page, {
    title: auth.google.failure.title,
    description: auth.errors.codes.bad_oauth_state,
  });
  await expect(signedOut(page, "en")).toBeVisible();
});

test("AUTH-07 TRUE-04 a user with a password account who signs in with Google is welcomed back on the home page", async ({
  page,
  baseURL,
}) => {
  const { email } = await signUp(baseURL ?? "", "Ana García");
  await addGooglePerson({ email, name: "Ana García", isVerified: true });
  await goToGoogle(page, "en");
  await chooseAccount(page, email);
  await expectSuccess(page, textsIn("en").auth.signIn.success);
  await expect(page).toHaveURL("/");
});

test("ROUTE-09 after signing in with Google, a redirected guest continues to the requested page", async ({
  page,
}) => {
  await page.goto("/profile");
  await expect(page).toHaveURL("/");
  await authDialogIn(page, "en").google.click();
  await chooseAccount(page, newEmail());
  await expect(page).toHaveURL("/profile");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Profile");
});

test("AUTH-02 after going back from Google with the browser's Back button, the form works again", {
  tag: "@long",
}, async ({ page }) => {
  await goToGoogle(page, "en");
  await page.goBack();
  const form = authDialogIn(page, "en");
  // The browser may restore the page with the dialog open, or load it again.
  await expect(form.dialog.or(signedOut(page, "en")).first()).toBeVisible();
  if ((await form.dialog.count()) === 0) await signedOut(page, "en").click();
  await expect(form.google).toHaveAttribute("aria-disabled", "false");
});

/** The callback URL of a Google sign-in, not yet used by the browser that started it. */
async function unusedCallbackUrl(page: Page): Promise<string> {
  await page.route("**/auth/v1/token*", (route) => route.abort());
  await goToGoogle(page, "en");
  const returned = page.waitForRequest((request) => {
    const { pathname, searchParams } = new URL(request.url());
    return pathname === "/" && searchParams.has("code");
  });
  await chooseAccount(page, newEmail());
  return (await returned).url();
}

test("DOOR-04 a callback URL of another browser's sign-in signs nobody in, shows an error and is removed from the URL bar", async ({
  page,
  browser,
}) => {
  const { auth } = textsIn("en");
  const sender = await (await browser.newContext({ locale: "en-GB" })).newPage();
  const link = await unusedCallbackUrl(sender);
  const description = auth.errors.codes.bad_oauth_state;
  await page.goto(link);
  await expectDestructive(page, { title: auth.signIn.failure.title, description });
  await expect(page).toHaveURL("/");
  await expect(signedOut(page, "en")).toBeVisible();

  // The same while this browser is signing in, because its verifier is a different one.
  await goToGoogle(page, "en");
  await page.goto(link);
  await expectDestructive(page, { title: auth.google.failure.title, description });
  await expect(page).toHaveURL("/");
  await expect(signedOut(page, "en")).toBeVisible();
  await sender.context().close();
});

test("DOOR-04 an unknown code in the URL signs nobody in and shows an error", async ({ page }) => {
  const { auth } = textsIn("fr");
  await page.goto("/fr?code=2f1c6a52-0000-4000-8000-5f6d6c7a8b9c&tab=1");
  await expectDestructive(page, {
    title: auth.signIn.failure.title,
    description: auth.errors.codes.bad_oauth_state,
  });
  await expect(page).toHaveURL("/fr?tab=1");
});

test("AUTH-02 START-08 without credentials of Google and Telegram the buttons say that they are not available (fr)", {
  tag: "@long",
}, async ({ page }) => {
  const { google, telegram } = textsIn("fr").auth;
  await page.route("**/config.json", async (route) => {
    const answer = await route.fetch();
    const json = { ...(await answer.json()), googleSignIn: false, telegramSignIn: false };
    await route.fulfill({ response: answer, json });
  });
  const form = authDialogIn(page, "fr");
  await form.open("signup");
  await form.google.click();
  const notice = form.dialog.getByRole("status");
  await expect(notice.filter({ hasText: "Google" })).toHaveText(google.notConfigured);
  await expect(form.google).toBeEnabled();
  await form.telegram.click();
  await expect(notice.filter({ hasText: "Telegram" })).toHaveText(telegram.notConfigured);
  await expect(form.telegram).toBeEnabled();
  await expect(page).toHaveURL("/fr");
  await expectAccessible(page);
});
