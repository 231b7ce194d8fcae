import { expect } from "@playwright/test";
import { localizedPath } from "#core/languages.ts";
import { signUp } from "../support/people.ts";
import { inDatabase } from "../support/product-database.ts";
import {
  expectProblem,
  fragmentOf,
  pressContinue,
  resetFields,
  resetLinkFor,
} from "../support/reset-page.ts";
import { textsIn } from "../support/texts.ts";
import { expectAccessible, test } from "../support/visitor.ts";

test("RESET-04 an expired link shows an error and offers a new link (es)", async ({ page, baseURL }) => {
  const { auth } = textsIn("es");
  const { reset } = auth;
  const person = await signUp(baseURL ?? "", "Ana García");
  const link = await resetLinkFor(person, "es", baseURL);
  await inDatabase(
    (sql) => sql`update private.mailed_links set expires_at = now() where user_id = ${person.id}`,
  );
  await page.goto(link);
  await pressContinue(page, reset);
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
  await pressContinue(page, reset);
  // The heading is visible before the link is used; the form only afterwards.
  await expect(resetFields(page, reset).newPassword).toBeVisible();
  await pressContinue(scanner, reset);
  await expectProblem(scanner, "es", reset.linkErrors.expired);
  await scanner.context().close();
});

test("RESET-02 RESET-04 RESET-05 an error that the auth service puts into the URL is shown as an expired or invalid link, and so is a URL without anything (es)", async ({
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
  await page.goto("/robots.txt");
  await page.goto(path);
  await expectProblem(page, "es", reset.linkErrors.missing);
  await expectAccessible(page);
  await page.getByRole("link", { name: reset.problem.returnHome }).click();
  await expect(page).toHaveURL("/es");
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

test("RESET-05 a tampered token shows that the session cannot be set (es)", { tag: "@long" }, async ({
  page,
  baseURL,
}) => {
  const { reset } = textsIn("es").auth;
  const path = localizedPath("/reset-password", "es");
  const fragment = fragmentOf(await signUp(baseURL ?? "", "Ana García"));
  await page.goto(`${path}${fragment.replace("access_token=ey", "access_token=eyJ")}`);
  await expectProblem(page, "es", reset.linkErrors.sessionFailed);
  await page.goto("/robots.txt");
  await page.goto(`${path}${fragment.replace(/\.[^.&]+&refresh/, ".c2lnbmF0dXJl&refresh")}`);
  await expectProblem(page, "es", reset.linkErrors.sessionFailed);
});

test("RESET-04 RESET-05 for a deleted account, the link is shown as expired and a valid token as having no user (en)", {
  tag: "@long",
}, async ({ page, baseURL }) => {
  const { reset } = textsIn("en").auth;
  const person = await signUp(baseURL ?? "", "Ana García");
  const link = await resetLinkFor(person, "en", baseURL);
  await inDatabase((sql) => sql`delete from auth.users where id = ${person.id}`);
  await page.goto(link);
  await pressContinue(page, reset);
  await expectProblem(page, "en", reset.linkErrors.expired);
  await page.goto("/robots.txt");
  await page.goto(`/reset-password${fragmentOf(person)}`);
  await expectProblem(page, "en", reset.linkErrors.noUser);
});

test("RESET-05 if the server is down while the link is verified, the link stays valid and trying again succeeds (en)", {
  tag: "@long",
}, async ({ page, baseURL, outage }) => {
  const { auth } = textsIn("en");
  const { reset } = auth;
  const link = await resetLinkFor(await signUp(baseURL ?? "", "Ana García"), "en", baseURL);
  await page.goto(link);
  await outage.begin({ path: "/auth/v1/verify" });
  await pressContinue(page, reset);
  await expectProblem(page, "en", reset.linkErrors.unexpected);
  await expectAccessible(page);
  await outage.end();
  await page.getByRole("button", { name: reset.problem.tryAgain }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(reset.form.title);
});

test("RESET-02 a new link pasted into the page of a failed link is accepted", { tag: "@long" }, async ({
  page,
  baseURL,
}) => {
  const { reset } = textsIn("en").auth;
  await page.goto("/reset-password#error=access_denied&error_code=otp_expired");
  await expectProblem(page, "en", reset.linkErrors.expired);
  const link = await resetLinkFor(await signUp(baseURL ?? "", "Ana García"), "en", baseURL);
  await page.evaluate(`window.location.hash = ${JSON.stringify(new URL(link).hash)}`);
  await expect(page.getByRole("button", { name: reset.continue.submit })).toBeVisible();
});
