import { expect } from "@playwright/test";
import { localizedPath } from "#core/languages.ts";
import { authDialogIn } from "../support/auth-dialog.ts";
import { holdBack } from "../support/hold-back.ts";
import { newEmail, PASSWORD, signUp } from "../support/people.ts";
import { inDatabase } from "../support/product-database.ts";
import { textsIn } from "../support/texts.ts";
import { expectAccessible, expectNoSidewaysScroll, expectSuccess, test } from "../support/visitor.ts";

test("AUTH-01 AUTH-02 AUTH-04 AUTH-05 AUTH-07 the forms to sign in, to reset the password and to sign up show their fields and errors (de)", async ({
  page,
}) => {
  const { auth } = textsIn("de");
  const form = authDialogIn(page, "de");
  await form.open("signin");
  await expect(form.dialog).toHaveAccessibleName(auth.signIn.title);
  await expect(form.google).toBeVisible();
  await expect(form.dialog.getByText(auth.dialog.or, { exact: true })).toBeVisible();
  await expect(form.email).toHaveAttribute("type", "email");
  await expect(form.email).toHaveAttribute("autocomplete", "email");
  await expect(form.email).toBeFocused();
  await expect(form.password).toHaveAttribute("type", "password");
  await expect(form.password).toHaveAttribute("autocomplete", "current-password");
  await expect(form.submit).toHaveText(auth.signIn.submit);
  await expectAccessible(page);

  await form.dialog.getByRole("button", { name: auth.signIn.forgotPassword }).click();
  await expect(form.dialog).toHaveAccessibleName(auth.forgotPassword.title);
  await expect(form.email).toBeFocused();
  await expectAccessible(page);
  await form.email.fill("Nobody.Here@example.com");
  await form.submit.click();
  await expect(form.dialog).toHaveAccessibleName(auth.forgotPassword.sent.title);
  await expect(form.dialog).toContainText("Nobody.Here@example.com");
  await expectSuccess(page, auth.forgotPassword.success);
  await expectAccessible(page);
  await form.dialog.getByRole("button", { name: auth.forgotPassword.sent.backToSignIn }).click();
  await expect(form.dialog).toHaveAccessibleName(auth.signIn.title);
  await expect(form.email).toHaveValue("Nobody.Here@example.com");
  await expect(form.password).toBeFocused();

  // The first invalid field gets the focus.
  await form.email.fill("");
  await form.dialog.getByRole("button", { name: auth.signIn.switchAction }).click();
  await form.submit.click();
  await expect(form.fullName).toBeFocused();
  await expect(form.fullName).toHaveAccessibleDescription(auth.validation.fullNameRequired);
  await expect(form.email).toHaveAccessibleDescription(auth.validation.emailRequired);
  await expect(form.password).toHaveAccessibleDescription(auth.validation.passwordRequired);
  await expectAccessible(page);
  await form.fill({ fullName: "Ana", email: "ana@example", password: "long enough" });
  await expect(form.fullName).toHaveAttribute("aria-invalid", "false");
  await form.submit.click();
  await expect(form.email).toBeFocused();
  await expect(form.email).toHaveAccessibleDescription(auth.validation.emailInvalid);
  await expect(form.password).toHaveValue("long enough");
});

test("AUTH-01 AUTH-03 AUTH-05 AUTH-06 AUTH-07 typed values are kept between the forms, and signing in shows a pending state, then a welcome message (en)", async ({
  page,
  baseURL,
}) => {
  const { auth } = textsIn("en");
  const person = await signUp(baseURL ?? "", "Ana García");
  const form = authDialogIn(page, "en");
  await form.open("signup");
  await expect(form.dialog).toHaveAccessibleName(auth.signUp.title);
  await expect(form.google).toBeVisible();
  await expect(form.fullName).toHaveAttribute("autocomplete", "name");
  await expect(form.fullName).toBeFocused();
  await expect(form.email).toHaveAttribute("autocomplete", "email");
  await expect(form.password).toHaveAttribute("autocomplete", "new-password");
  const statement = auth.signUp.agree.replaceAll(/<\/?\w+>/g, "");
  const shown = await form.dialog.locator("form p").last().textContent();
  expect(shown?.replaceAll(` (${auth.dialog.opensInNewTab})`, "")).toBe(statement);
  await expectAccessible(page);

  await form.fill({ fullName: "Ana", email: person.email, password: "some password" });
  await form.dialog.getByRole("button", { name: auth.signUp.switchAction }).click();
  await expect(form.email).toHaveValue(person.email);
  await expect(form.password).toHaveValue("some password");
  await form.dialog.getByRole("button", { name: auth.signIn.forgotPassword }).click();
  await expect(form.email).toHaveValue(person.email);
  await form.dialog.getByRole("button", { name: "Back" }).click();
  await form.dialog.getByRole("button", { name: auth.signIn.switchAction }).click();
  await expect(form.fullName).toHaveValue("Ana");

  // Escape closes the dialog and returns the focus to the button that opened it.
  await page.keyboard.press("Escape");
  await expect(form.dialog).toHaveCount(0);
  const opener = page.getByRole("banner").getByRole("button", { name: "Sign in" });
  await opener.click();
  await expect(form.dialog).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(form.dialog).toHaveCount(0);
  await expect(opener).toBeFocused();
  await opener.click();

  // Refocusing the password field clears it, showing the password does not.
  await form.fill({ email: person.email, password: "half a pass" });
  await form.dialog.getByRole("button", { name: "Show password" }).click();
  await expect(form.password).toHaveAttribute("type", "text");
  await expect(form.password).toHaveValue("half a pass");
  await form.email.focus();
  await form.password.focus();
  await expect(form.password).toHaveValue("");
  await expect(form.email).toHaveValue(person.email);

  await form.password.fill(person.password);
  const letGo = await holdBack(page, "**/auth/v1/token*");
  await form.submit.click();
  await expect(form.submit).toHaveText(auth.signIn.submitting);
  await expect(form.submit).toHaveAttribute("aria-disabled", "true");
  await expect(form.submit).toBeFocused();
  await expectAccessible(page);
  letGo();
  await expectSuccess(page, auth.signIn.success);
  await expect(form.dialog).toHaveCount(0);
  await expect(page).toHaveURL("/");
  await expect(page.getByRole("button", { name: /Ana García/ })).toBeVisible();
});

test("AUTH-01 the auth forms fit a 320-pixel screen (en)", { tag: "@long" }, async ({ page }) => {
  const { auth, common } = textsIn("en");
  await page.setViewportSize({ width: 320, height: 568 });
  await page.goto(localizedPath("/", "en"));
  await page.getByRole("main").getByRole("button").first().click();
  const form = authDialogIn(page, "en");
  await expect(form.dialog).toHaveAccessibleName(auth.signUp.title);
  await expectNoSidewaysScroll(page);
  await form.submit.click();
  await expectNoSidewaysScroll(page);
  await form.dialog.getByRole("button", { name: auth.signUp.switchAction }).click();
  await expect(form.dialog).toHaveAccessibleName(auth.signIn.title);
  await expectNoSidewaysScroll(page);
  await form.dialog.getByRole("button", { name: auth.signIn.forgotPassword }).click();
  await expect(form.dialog).toHaveAccessibleName(auth.forgotPassword.title);
  await expectNoSidewaysScroll(page);
  await form.dialog.getByRole("button", { name: common.dialog.close }).click();
  await expect(form.dialog).toHaveCount(0);
});

test("ROUTE-05 AUTH-10 AUTH-07 AUTH-15 a new user signs up with the keyboard only and lands on the filter settings", async ({
  page,
}) => {
  const { auth, common } = textsIn("en");
  const email = newEmail();
  await page.goto("/", { waitUntil: "networkidle" });
  for (let press = 0; press < 20; press += 1) {
    await page.keyboard.press("Tab");
    const focused = await page.evaluate("document.activeElement.textContent");
    if (focused === common.header.signUp) break;
  }
  await page.keyboard.press("Enter");
  const form = authDialogIn(page, "en");
  await expect(form.fullName).toBeFocused();
  await page.keyboard.type("Ana García");
  await page.keyboard.press("Tab");
  await page.keyboard.type(email);
  await page.keyboard.press("Tab");
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press("Enter");
  await expectSuccess(page, auth.signUp.success);
  await expect(page).toHaveURL("/filter-settings");
  await expect(form.dialog).toHaveCount(0);
  // The next thing to enter is the search link.
  await expect(page.getByLabel(textsIn("en").filter.url.label, { exact: true })).toBeFocused();
  expect(
    await inDatabase((sql) => sql`select full_name, email, language from profiles where email = ${email}`),
  ).toEqual([{ full_name: "Ana García", email, language: "en" }]);
});

test("AUTH-15 a new account stores the language it was created in", async ({ page }) => {
  const email = newEmail();
  const form = authDialogIn(page, "ru");
  await form.open("signup");
  await form.fill({ fullName: "Анна", email, password: PASSWORD });
  await form.submit.click();
  await expect(page).toHaveURL("/ru/filter-settings");
  expect(await inDatabase((sql) => sql`select language from profiles where email = ${email}`)).toEqual([
    { language: "ru" },
  ]);
});

test("AUTH-03 the terms and privacy links open the product's site in a new tab (en, es, fr)", {
  tag: "@long",
}, async ({ page, request }) => {
  const { legalSiteUrl } = await (await request.get("/config.json")).json();
  for (const [language, prefix] of [
    ["en", ""],
    ["es", "/es"],
    ["fr", ""],
  ] as const) {
    const form = authDialogIn(page, language);
    await form.open("signup");
    const links = form.dialog.getByRole("link");
    await expect(links).toHaveCount(2);
    for (const [position, path] of ["terms", "privacy"].entries()) {
      await expect(links.nth(position)).toHaveAttribute("href", `${legalSiteUrl}${prefix}/${path}`);
      await expect(links.nth(position)).toHaveAttribute("target", "_blank");
    }
  }
});
