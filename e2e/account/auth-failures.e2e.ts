import { expect } from "@playwright/test";
import { localizedPath } from "#core/languages.ts";
import { goOnline } from "../offline/connection.ts";
import { authDialogIn } from "../support/auth-dialog.ts";
import { newClient, newEmail, PASSWORD, signIn, signUp } from "../support/people.ts";
import { inDatabase } from "../support/product-database.ts";
import { textsIn } from "../support/texts.ts";
import { expectAccessible, expectDestructive, expectSuccess, test } from "../support/visitor.ts";

test('AUTH-08 CALM-08 a sign-in without a server, with a wrong password or offline shows "Sign in failed", also in the form, and keeps the typed values (en)', async ({
  page,
  context,
  baseURL,
  outage,
}) => {
  const { auth } = textsIn("en");
  const { invalid_credentials } = auth.errors.codes;
  const person = await signUp(baseURL ?? "", "Ana García");
  const form = authDialogIn(page, "en");
  await form.open("signin");
  const expectFailure = async (description: string) => {
    await expectDestructive(page, { title: auth.signIn.failure.title, description });
    await expect(form.dialog.getByRole("alert")).toContainText(description);
  };
  await outage.begin({ path: "/auth/v1/token" });
  await form.fill({ email: person.email, password: "not the password" });
  await form.submit.click();
  await expectFailure(auth.errors.serverUnavailable);
  await expect(form.email).toHaveValue(person.email);
  await outage.end();

  await form.submit.click();
  await expectFailure(invalid_credentials);
  await expect(form.email).toHaveValue(person.email);
  await expect(form.password).toHaveValue("not the password");
  await expect(form.submit).toHaveText(auth.signIn.submit);
  await expectAccessible(page);
  await expect(page.locator("[data-sonner-toast]"), "the toast disappears").toHaveCount(0);
  await form.password.fill(person.password);
  await expect(form.dialog.getByRole("alert"), "the error stays").toBeVisible();

  await context.setOffline(true);
  await form.submit.click();
  await expectFailure(auth.errors.network);
  await goOnline(context);
  await form.submit.click();
  await expectSuccess(page, auth.signIn.success);
});

test("AUTH-08 after too many wrong passwords the error says to wait (ru)", { tag: "@long" }, async ({
  page,
  baseURL,
}) => {
  const { auth } = textsIn("ru");
  const { codes } = auth.errors;
  const person = await signUp(baseURL ?? "", "Ana García");
  const stranger = await newClient(baseURL ?? "");
  for (let guess = 0; guess < 10; guess += 1) {
    await stranger.auth.signInWithPassword({ email: person.email, password: `guess ${guess}` });
  }
  const form = authDialogIn(page, "ru");
  await form.open("signin");
  await form.fill({ email: person.email, password: "eleventh guess" });
  await form.submit.click();
  await expectDestructive(page, {
    title: auth.signIn.failure.title,
    description: codes.over_request_rate_limit,
  });
});

test('AUTH-08 CALM-08 signing up with a registered email shows "Sign up failed" and a sign-in button (en)', async ({
  page,
  baseURL,
}) => {
  const { auth } = textsIn("en");
  const { codes } = auth.errors;
  const person = await signUp(baseURL ?? "", "Ana García");
  const form = authDialogIn(page, "en");
  await form.open("signup");
  await form.fill({ fullName: "Ana", email: person.email, password: "another password" });
  await form.submit.click();
  await expectDestructive(page, {
    title: auth.signUp.failure.title,
    description: codes.user_already_exists,
  });
  const toast = page.locator("[data-sonner-toast]").filter({ hasText: codes.user_already_exists });
  // The toast stays open while it is hovered.
  await toast.hover();
  await expectAccessible(page);
  await expect(form.email).toHaveAccessibleDescription(codes.user_already_exists);
  await form.email.fill(`not.${person.email}`);
  await expect(form.email, "the error goes with the address").not.toHaveAttribute("aria-invalid", "true");
  await form.email.fill(person.email);
  await expect(form.email).toHaveAccessibleDescription(codes.user_already_exists);
  await toast.getByRole("button", { name: auth.signUp.switchAction }).click();
  await expect(form.dialog).toHaveAccessibleName(auth.signIn.title);
  await expect(form.email).toHaveValue(person.email);
});

test("AUTH-08 AUTH-09 CALM-08 a weak password, a sign-up and a reset request without a server show an error and keep the typed values (ru)", async ({
  page,
  outage,
}) => {
  const { auth } = textsIn("ru");
  const { codes, serverUnavailable } = auth.errors;
  const email = newEmail();
  const form = authDialogIn(page, "ru");
  await form.open("signup");
  await form.fill({ fullName: "Ana", email, password: "abc12" });
  await form.submit.click();
  await expectDestructive(page, { title: auth.signUp.failure.title, description: codes.weak_password });
  await expect(form.password).toHaveAccessibleDescription(/6/);
  await expect(form.fullName).toHaveValue("Ana");
  await expect(form.password).toHaveValue("abc12");
  await expectAccessible(page);

  await outage.begin({ path: "/auth/v1/signup" });
  await form.password.fill(PASSWORD);
  await form.submit.click();
  await expectDestructive(page, { title: auth.signUp.failure.title, description: serverUnavailable });
  await expect(form.dialog.getByRole("alert")).toContainText(serverUnavailable);
  await expect(form.email).toHaveValue(email);

  await form.dialog.getByRole("button", { name: auth.signUp.switchAction }).click();
  await form.dialog.getByRole("button", { name: auth.signIn.forgotPassword }).click();
  await outage.begin({ path: "/auth/v1/recover" });
  await form.submit.click();
  await expectDestructive(page, auth.forgotPassword.failure);
  await expect(form.dialog.getByRole("alert")).toContainText(auth.forgotPassword.failure.description);
  await expect(form.email).toHaveValue(email);
  await expectAccessible(page);
});

test("AUTH-08 AUTH-12 a sign-out that does not reach the server shows an error and still signs out this browser (en)", async ({
  page,
  baseURL,
  outage,
}) => {
  const { common } = textsIn("en");
  await signIn(page, await signUp(baseURL ?? "", "Ana García"));
  await page.goto(localizedPath("/profile", "en"));
  await outage.begin({ path: "/auth/v1/logout", status: null });
  await page.getByRole("button", { name: /Ana García/ }).click();
  await page.getByRole("menuitem", { name: common.header.signOut }).click();
  await expectDestructive(page, {
    title: common.session.signOutFailed,
    description: common.session.signedOutHereOnly,
  });
  await expect(page).toHaveURL(localizedPath("/", "en"));
  await expect(page.getByRole("banner").getByRole("button", { name: common.header.signIn })).toBeVisible();
  await page.reload();
  await expect(page.getByRole("banner").getByRole("button", { name: common.header.signIn })).toBeVisible();
});

test("AUTH-12 ROUTE-11 signing out of a session that the server has already deleted succeeds (ru)", {
  tag: "@long",
}, async ({ page, baseURL }) => {
  const { common } = textsIn("ru");
  const person = await signUp(baseURL ?? "", "Ana García");
  await signIn(page, person);
  await page.goto(localizedPath("/terms", "ru"));
  await inDatabase((sql) => sql`delete from auth.sessions where user_id = ${person.id}`);
  await page.getByRole("button", { name: /Ana García/ }).click();
  await page.getByRole("menuitem", { name: common.header.signOut }).click();
  await expectSuccess(page, {
    title: common.session.signedOut,
    description: common.session.signedOutText,
  });
  await expect(page).toHaveURL(localizedPath("/", "ru"));
});

test("AUTH-08 CALM-01 if the sign-in form cannot be loaded, an error is shown, and the form opens when it can", {
  tag: "@long",
}, async ({ page }) => {
  const { common, auth } = textsIn("en");
  await page.goto("/", { waitUntil: "networkidle" });
  await page.route(/auth-dialog.*\.js/, (route) => route.abort());
  const open = page.getByRole("banner").getByRole("button", { name: common.header.signIn });
  await open.click();
  const failure = page.locator("[data-part-failure]");
  await expect(failure).toContainText(common.parts.broken);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await page.unroute(/auth-dialog.*\.js/);
  await failure.getByRole("button", { name: common.parts.retry }).click();
  await expect(page.getByRole("dialog")).toHaveAccessibleName(auth.signIn.title);
});
