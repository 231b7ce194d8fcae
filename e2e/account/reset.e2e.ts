import { expect } from "@playwright/test";
import { localizedPath } from "#core/languages.ts";
import { authDialogIn } from "../support/auth-dialog.ts";
import { linkIn, mailTo } from "../support/console.ts";
import { holdBack } from "../support/hold-back.ts";
import { newClient, signIn, signUp } from "../support/people.ts";
import { inDatabase } from "../support/product-database.ts";
import { fillReset, pressContinue, resetFields, resetLinkFor } from "../support/reset-page.ts";
import { textsIn } from "../support/texts.ts";
import {
  expectAccessible,
  expectDestructive,
  expectNoSidewaysScroll,
  expectSuccess,
  test,
} from "../support/visitor.ts";

test("ROUTE-04 RESET-01 RESET-03 RESET-08 RESET-09 a forgotten password can be reset in a different browser than the one that requested it (en)", async ({
  page,
  browser,
  baseURL,
}) => {
  const { auth } = textsIn("en");
  const { reset } = auth;
  const path = localizedPath("/reset-password", "en");
  const person = await signUp(baseURL ?? "", "Ana García");
  const form = authDialogIn(page, "en");
  await form.open("forgot-password");
  await form.email.fill(person.email);
  await form.submit.click();
  await expectSuccess(page, auth.forgotPassword.success);
  const link = linkIn(await mailTo(person.email));
  expect(link).toContain(path);

  const other = await (await browser.newContext({ locale: "en-GB" })).newPage();
  await other.goto(link);
  await expect(other.getByRole("heading", { level: 1 })).toHaveText(reset.continue.title);
  await expect(other).toHaveURL(`${baseURL}${path}`);
  await expectAccessible(other);
  await pressContinue(other, reset);
  const { newPassword, confirmation } = resetFields(other, reset);
  await expect(other.getByRole("heading", { level: 1 })).toHaveText(reset.form.title);
  await expect(newPassword).toBeFocused();
  for (const field of [newPassword, confirmation]) {
    await expect(field).toHaveAttribute("autocomplete", "new-password");
  }
  await expect(other.locator('input[autocomplete="username"]')).toHaveValue(person.email);
  await expect(other.getByRole("link", { name: reset.form.cancel })).toHaveAttribute(
    "href",
    localizedPath("/", "en"),
  );
  await expectAccessible(other);
  await other.setViewportSize({ width: 320, height: 568 });
  await expectNoSidewaysScroll(other);
  await fillReset(other, reset, "a new password", "a new password");
  await expectSuccess(other, reset.success);
  await expect(other).toHaveURL(`${baseURL}${localizedPath("/", "en")}`);

  const client = await newClient(baseURL ?? "");
  const old = await client.auth.signInWithPassword({ email: person.email, password: person.password });
  expect(old.error?.code).toBe("invalid_credentials");
  const { refresh_token } = JSON.parse(person.session);
  expect((await client.auth.refreshSession({ refresh_token })).error).not.toBeNull();
  const fresh = await client.auth.signInWithPassword({ email: person.email, password: "a new password" });
  expect(fresh.error).toBeNull();
  await other.context().close();
});

test('RESET-06 a signed-in user whose account was deleted is redirected home with "Authentication required" (es)', async ({
  page,
  baseURL,
}) => {
  const { auth } = textsIn("es");
  const { reset } = auth;
  const path = localizedPath("/reset-password", "es");
  const person = await signUp(baseURL ?? "", "Ana García");
  await signIn(page, person);
  await inDatabase((sql) => sql`delete from auth.users where id = ${person.id}`);
  await page.goto(path);
  await expectDestructive(page, reset.required);
  await expect(page).toHaveURL(localizedPath("/", "es"));
});

test("RESET-06 if the user cannot be verified after the token was accepted, the page says so, retries once and redirects home (en)", {
  tag: "@long",
}, async ({ page, baseURL, outage }) => {
  const { auth } = textsIn("en");
  const { reset } = auth;
  const link = await resetLinkFor(await signUp(baseURL ?? "", "Ana García"), "en", baseURL);
  await outage.begin({ path: "/auth/v1/user" });
  await page.goto(link);
  await pressContinue(page, reset);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(reset.unverified.title);
  await expect(page.getByRole("main").getByRole("alert")).toHaveText(reset.unverified.description);
  await expectDestructive(page, reset.failed);
  await expect(page).toHaveURL(localizedPath("/", "en"));
  expect(await outage.met()).toBe(2);
});

test("RESET-01 RESET-06 the page shows that it is verifying, and shows the form if the second attempt succeeds (es)", async ({
  page,
  baseURL,
  outage,
}) => {
  const { reset } = textsIn("es").auth;
  const letGo = await holdBack(page, "**/auth/v1/verify");
  await outage.begin({ path: "/auth/v1/user", times: 1 });
  await page.goto(await resetLinkFor(await signUp(baseURL ?? "", "Ana García"), "es", baseURL));
  await pressContinue(page, reset);
  await expect(page.getByRole("main").getByRole("status")).toHaveText(reset.verifying);
  await expectAccessible(page);
  letGo();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(reset.unverified.title);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(reset.form.title);
});

test("RESET-07 RESET-08 CALM-08 every problem with a new password shows an error, and the form stays open (es)", async ({
  page,
  baseURL,
  outage,
}) => {
  const { auth } = textsIn("es");
  const { reset } = auth;
  const person = await signUp(baseURL ?? "", "Ana García");
  await page.goto(await resetLinkFor(person, "es", baseURL));
  await pressContinue(page, reset);
  const { newPassword, confirmation } = resetFields(page, reset);
  await page.getByRole("button", { name: reset.form.submit }).click();
  await expect(newPassword).toHaveAccessibleDescription(reset.form.newPasswordRequired);
  await expect(confirmation).toHaveAccessibleDescription(reset.form.confirmPasswordRequired);
  await expect(newPassword).toBeFocused();
  await fillReset(page, reset, "one password", "another password");
  await expectDestructive(page, reset.mismatch);
  await expect(confirmation).toHaveAccessibleDescription(reset.mismatch.description);
  await expect(newPassword).toHaveValue("one password");
  await fillReset(page, reset, "abc12", "abc12");
  const { title, description_other: description } = reset.tooShort;
  await expectDestructive(page, { title, description: description.replace("{{count}}", "6") });
  await expect(newPassword).toHaveAccessibleDescription(description.replace("{{count}}", "6"));
  await expect(confirmation).not.toHaveAttribute("aria-invalid", "true");
  await fillReset(page, reset, person.password, person.password);
  await expectDestructive(page, {
    title: reset.failure.title,
    description: auth.errors.codes.same_password,
  });
  await expect(newPassword).toHaveAccessibleDescription(auth.errors.codes.same_password);
  await outage.begin({ path: "/auth/v1/user" });
  await fillReset(page, reset, "a new password", "a new password");
  await expectDestructive(page, {
    title: reset.failure.title,
    description: auth.errors.serverUnavailable,
  });
  await expect(page.getByRole("main").getByRole("alert")).toContainText(auth.errors.serverUnavailable);
  await expectAccessible(page);
  await outage.end();
  await page.getByRole("button", { name: reset.form.submit }).click();
  await expectSuccess(page, reset.success);
});

test("DOOR-08 a signed-in user without a reset link must enter the current password", async ({
  page,
  baseURL,
}) => {
  const { auth } = textsIn("en");
  const { form, success, failure } = auth.reset;
  const person = await signUp(baseURL ?? "", "Ana García");
  await signIn(page, person);
  await page.goto("/reset-password");
  await page.getByLabel(form.newPassword, { exact: true }).fill("violet harbour");
  await page.getByLabel(form.confirmPassword, { exact: true }).fill("violet harbour");
  await page.getByRole("button", { name: form.submit }).click();
  const description = auth.errors.codes.current_password_required;
  await expectDestructive(page, { title: failure.title, description });
  const current = page.getByLabel(form.currentPassword, { exact: true });
  await expect(current).toHaveAccessibleDescription(description);
  await current.fill(person.password);
  await expectAccessible(page);
  await page.getByRole("button", { name: form.submit }).click();
  await expectSuccess(page, success);
});

test("RESET-06 signing out in another tab while the form is open redirects home with an error", {
  tag: "@long",
}, async ({ page, context, baseURL }) => {
  const { reset } = textsIn("en").auth;
  await signIn(page, await signUp(baseURL ?? "", "Ana García"));
  await page.goto("/reset-password");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(reset.form.title);
  const other = await context.newPage();
  await other.goto("/terms");
  await other.getByRole("button", { name: /Ana García/ }).click();
  await other.getByRole("menuitem", { name: "Sign out" }).click();
  await expectDestructive(page, reset.required);
  await expect(page).toHaveURL("/");
});

test("RESET-09 a user signed in with the same account stays signed in after resetting the password by a link", {
  tag: "@long",
}, async ({ page, baseURL }) => {
  const { reset } = textsIn("en").auth;
  const ana = await signUp(baseURL ?? "", "Ana García");
  await signIn(page, ana);
  await page.goto(await resetLinkFor(ana, "en", baseURL));
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByLabel(reset.form.newPassword, { exact: true }).fill("a new password");
  await page.getByLabel(reset.form.confirmPassword, { exact: true }).fill("a new password");
  await page.getByRole("button", { name: reset.form.submit }).click();
  await expectSuccess(page, reset.success);
  await expect(page).toHaveURL("/");
  await page.goto("/profile");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Profile");
});
