import { expect, type Page } from "@playwright/test";
import { localizedPath } from "#core/languages.ts";
import { authDialogIn } from "../support/auth-dialog.ts";
import { linkIn, mailTo } from "../support/console.ts";
import { holdBack } from "../support/hold-back.ts";
import { newClient, signIn, signUp } from "../support/people.ts";
import { inDatabase } from "../support/product-database.ts";
import { expectProblem, fragmentOf, resetLinkFor } from "../support/reset-page.ts";
import { textsIn } from "../support/texts.ts";
import {
  expectAccessible,
  expectDestructive,
  expectNoSidewaysScroll,
  expectSuccess,
  test,
} from "../support/visitor.ts";

type ResetTexts = ReturnType<typeof textsIn>["auth"]["reset"];

const press = (page: Page, { continue: step }: ResetTexts) =>
  page.getByRole("button", { name: step.submit }).click();

const fields = (page: Page, { form }: ResetTexts) => ({
  newPassword: page.getByLabel(form.newPassword, { exact: true }),
  confirmation: page.getByLabel(form.confirmPassword, { exact: true }),
});

async function fill(page: Page, reset: ResetTexts, first: string, second: string): Promise<void> {
  const { newPassword, confirmation } = fields(page, reset);
  await newPassword.fill(first);
  await confirmation.fill(second);
  await page.getByRole("button", { name: reset.form.submit }).click();
}

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
  await press(other, reset);
  const { newPassword, confirmation } = fields(other, reset);
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
  await fill(other, reset, "a new password", "a new password");
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

test("RESET-04 an expired link shows an error and offers a new link (es)", async ({ page, baseURL }) => {
  const { auth } = textsIn("es");
  const { reset } = auth;
  const person = await signUp(baseURL ?? "", "Ana García");
  const link = await resetLinkFor(person, "es", baseURL);
  await inDatabase(
    (sql) =>
      sql`update auth.users set recovery_sent_at = recovery_sent_at - interval '2 hours' where id = ${person.id}`,
  );
  await page.goto(link);
  await press(page, reset);
  await expectProblem(page, "es", reset.linkErrors.expired);
  await expect(page.getByRole("main")).toContainText(reset.problem.hint);
  await expectAccessible(page);
  await page.getByRole("button", { name: reset.problem.requestNew }).click();
  await expect(page.getByRole("dialog")).toHaveAccessibleName(auth.forgotPassword.title);
});

test("RESET-01 RESET-04 a mail scanner that opens the link, even with scripts, does not use it up; the link works exactly once (es)", async ({
  page,
  request,
  browser,
  baseURL,
}) => {
  const { reset } = textsIn("es").auth;
  const link = await resetLinkFor(await signUp(baseURL ?? "", "Ana García"), "es", baseURL);
  expect((await request.get(link)).status()).toBe(200);
  const scanner = await (await browser.newContext({ locale: "en-GB" })).newPage();
  await scanner.goto(link, { waitUntil: "networkidle" });
  await expect(scanner.getByRole("button", { name: reset.continue.submit })).toBeVisible();
  await page.goto(link);
  await press(page, reset);
  // The heading is visible before the link is used; the form only afterwards.
  await expect(fields(page, reset).newPassword).toBeVisible();
  await press(scanner, reset);
  await expectProblem(scanner, "es", reset.linkErrors.expired);
  await scanner.context().close();
});

test("RESET-02 RESET-04 an error that the auth service puts into the URL is shown as an expired or invalid link (es)", async ({
  page,
  baseURL,
}) => {
  const { auth } = textsIn("es");
  const { reset } = auth;
  const path = localizedPath("/reset-password", "es");
  for (const [address, message] of [
    ["#error=access_denied&error_code=otp_expired&error_description=Email+link+is+invalid", "expired"],
    ["?error=server_error&error_description=The+link+has+expired", "expired"],
    ["?error=server_error&error_code=unexpected_failure", "invalid"],
  ] as const) {
    await page.goto("/robots.txt");
    await page.goto(`${path}${address}`);
    await expectProblem(page, "es", reset.linkErrors[message]);
    await expect(page).toHaveURL(`${baseURL}${path}`);
  }
  await expectAccessible(page);
});

test("RESET-05 RESET-09 ROUTE-10 a session in the URL fragment opens the form and is removed from the URL (en)", async ({
  page,
  baseURL,
}) => {
  const { reset } = textsIn("en").auth;
  const path = localizedPath("/reset-password", "en");
  const person = await signUp(baseURL ?? "", "Ana García");
  await page.goto(`${localizedPath("/terms", "en")}${fragmentOf(person)}`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(reset.form.title);
  await expect(page).toHaveURL(`${baseURL}${path}`);
  const history = await page.evaluate("JSON.stringify(window.history.state)");
  expect(history).not.toContain("access_token");
});

test("RESET-05 a tampered token shows that the session cannot be set (es)", async ({ page, baseURL }) => {
  const { reset } = textsIn("es").auth;
  const path = localizedPath("/reset-password", "es");
  const fragment = fragmentOf(await signUp(baseURL ?? "", "Ana García"));
  await page.goto(`${path}${fragment.replace("access_token=ey", "access_token=eyJ")}`);
  await expectProblem(page, "es", reset.linkErrors.sessionFailed);
  await page.goto("/robots.txt");
  await page.goto(`${path}${fragment.replace(/\.[^.&]+&refresh/, ".c2lnbmF0dXJl&refresh")}`);
  await expectProblem(page, "es", reset.linkErrors.sessionFailed);
});

test("RESET-04 RESET-05 for a deleted account, the link is shown as expired and a valid token as having no user (en)", async ({
  page,
  baseURL,
}) => {
  const { reset } = textsIn("en").auth;
  const person = await signUp(baseURL ?? "", "Ana García");
  const link = await resetLinkFor(person, "en", baseURL);
  await inDatabase((sql) => sql`delete from auth.users where id = ${person.id}`);
  await page.goto(link);
  await press(page, reset);
  await expectProblem(page, "en", reset.linkErrors.expired);
  await page.goto("/robots.txt");
  await page.goto(`/reset-password${fragmentOf(person)}`);
  await expectProblem(page, "en", reset.linkErrors.noUser);
});

test("RESET-05 without a token, an error or a session the page says that the link is invalid (es)", async ({
  page,
}) => {
  const { reset } = textsIn("es").auth;
  const path = localizedPath("/reset-password", "es");
  await page.goto(path);
  await expectProblem(page, "es", reset.linkErrors.missing);
  await expectAccessible(page);
  await page.getByRole("link", { name: reset.problem.returnHome }).click();
  await expect(page).toHaveURL(localizedPath("/", "es"));
});

test("RESET-05 if the server is down while the link is verified, the link stays valid and trying again succeeds (en)", async ({
  page,
  baseURL,
  outage,
}) => {
  const { auth } = textsIn("en");
  const { reset } = auth;
  const link = await resetLinkFor(await signUp(baseURL ?? "", "Ana García"), "en", baseURL);
  await page.goto(link);
  await outage.begin({ path: "/auth/v1/verify" });
  await press(page, reset);
  await expectProblem(page, "en", reset.linkErrors.unexpected);
  await expectAccessible(page);
  await outage.end();
  await page.getByRole("button", { name: reset.problem.tryAgain }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(reset.form.title);
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

test("RESET-06 if the user cannot be verified after the token was accepted, the page says so, retries once and redirects home (en)", async ({
  page,
  baseURL,
  outage,
}) => {
  const { auth } = textsIn("en");
  const { reset } = auth;
  const link = await resetLinkFor(await signUp(baseURL ?? "", "Ana García"), "en", baseURL);
  await outage.begin({ path: "/auth/v1/user" });
  await page.goto(link);
  await press(page, reset);
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
  await press(page, reset);
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
  await press(page, reset);
  const { newPassword, confirmation } = fields(page, reset);
  await page.getByRole("button", { name: reset.form.submit }).click();
  await expect(newPassword).toHaveAccessibleDescription(reset.form.newPasswordRequired);
  await expect(confirmation).toHaveAccessibleDescription(reset.form.confirmPasswordRequired);
  await expect(newPassword).toBeFocused();
  await fill(page, reset, "one password", "another password");
  await expectDestructive(page, reset.mismatch);
  await expect(confirmation).toHaveAccessibleDescription(reset.mismatch.description);
  await expect(newPassword).toHaveValue("one password");
  await fill(page, reset, "abc12", "abc12");
  const { title, description_other: description } = reset.tooShort;
  await expectDestructive(page, { title, description: description.replace("{{count}}", "6") });
  await expect(newPassword).toHaveAccessibleDescription(description.replace("{{count}}", "6"));
  await expect(confirmation).not.toHaveAttribute("aria-invalid", "true");
  await fill(page, reset, person.password, person.password);
  await expectDestructive(page, {
    title: reset.failure.title,
    description: auth.errors.codes.same_password,
  });
  await expect(newPassword).toHaveAccessibleDescription(auth.errors.codes.same_password);
  await outage.begin({ path: "/auth/v1/user" });
  await fill(page, reset, "a new password", "a new password");
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

test("RESET-06 signing out in another tab while the form is open redirects home with an error", async ({
  page,
  context,
  baseURL,
}) => {
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

test("RESET-09 a user signed in with the same account stays signed in after resetting the password by a link", async ({
  page,
  baseURL,
}) => {
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

test("RESET-02 a new link pasted into the page of a failed link is accepted", async ({ page, baseURL }) => {
  const { reset } = textsIn("en").auth;
  await page.goto("/reset-password#error=access_denied&error_code=otp_expired");
  await expectProblem(page, "en", reset.linkErrors.expired);
  const link = await resetLinkFor(await signUp(baseURL ?? "", "Ana García"), "en", baseURL);
  await page.evaluate(`window.location.hash = ${JSON.stringify(new URL(link).hash)}`);
  await expect(page.getByRole("button", { name: reset.continue.submit })).toBeVisible();
});
