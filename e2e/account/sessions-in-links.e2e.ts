// Links with a session or a one-time token: the sender must not decide which account the reader is signed in to.
import { expect, type Page } from "@playwright/test";
import { linkIn, signUpMailTo } from "../support/console.ts";
import { holdBack } from "../support/hold-back.ts";
import { newClient, signIn, signUp } from "../support/people.ts";
import { expectProblem, fragmentOf, resetLinkFor } from "../support/reset-page.ts";
import { textsIn } from "../support/texts.ts";
import { expectAccessible, expectDestructive, expectSuccess, test } from "../support/visitor.ts";

const signedIn = (page: Page, name = "Ana García") =>
  page.getByRole("banner").getByRole("button", { name: new RegExp(name) });
const signedOut = (page: Page) => page.getByRole("banner").getByRole("button", { name: "Sign in" });

/** What the next page would read a session from. */
const storedSessions = (page: Page) =>
  page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith("sb-")));

async function expectNobodySignedIn(page: Page): Promise<void> {
  await expect(signedOut(page)).toBeVisible();
  expect(await storedSessions(page)).toEqual([]);
}

/** URLs with another user's session, in every known form. */
const SESSION_URLS: [string, (tokens: string) => string][] = [
  ["in the fragment", (tokens) => `/#${tokens}&expires_in=3600&token_type=bearer`],
  ["as a sign-up", (tokens) => `/#${tokens}&type=signup`],
  ["as a magic link", (tokens) => `/de/terms#type=magiclink&${tokens}`],
  ["as an invitation", (tokens) => `/privacy#${tokens}&type=invite`],
  ["as an email change", (tokens) => `/#${tokens}&type=email_change`],
  ["with two types", (tokens) => `/#${tokens}&type=signup&type=recovery`],
  ["twice", (tokens) => `/#${tokens}&${tokens}`],
  ["in the query", (tokens) => `/?${tokens}`],
  ["in the query, as a recovery", (tokens) => `/reset-password?${tokens}&type=recovery`],
  ["in a different letter case", (tokens) => `/#${tokens.replaceAll("_token", "_Token")}&Type=recovery`],
  ["behind a path", (tokens) => `/#/profile#${tokens}`],
  ["on the reset page, not as a recovery", (tokens) => `/reset-password#${tokens}&type=signup`],
  ["on an unknown page", (tokens) => `/nothing-here#${tokens}`],
];

test("DOOR-04 a link with another user's session signs nobody in, and the session is removed from the URL", async ({
  page,
  baseURL,
}) => {
  const { access_token, refresh_token } = JSON.parse((await signUp(baseURL ?? "", "Mallory")).session);
  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/auth/v1/")) asked.push(request.url());
  });
  for (const [how, addressOf] of SESSION_URLS) {
    await test.step(how, async () => {
      // Leave the page first: a URL that differs only in its fragment would not load anything.
      await page.goto("/robots.txt");
      const address = addressOf(`access_token=${access_token}&refresh_token=${refresh_token}`);
      await page.goto(address, { waitUntil: "networkidle" });
      await expect(page).not.toHaveURL(/token/i);
      expect(await storedSessions(page)).toEqual([]);
    });
  }
  await page.goto("/");
  await expectNobodySignedIn(page);
  expect(asked).toEqual([]);
});

test("DOOR-04 a session pasted into an open tab or opened by a signed-in user changes nothing and shows an error", {
  tag: "@long",
}, async ({ page, baseURL }) => {
  const { auth } = textsIn("en");
  const { access_token, refresh_token } = JSON.parse((await signUp(baseURL ?? "", "Mallory")).session);
  const fragment = `#access_token=${access_token}&refresh_token=${refresh_token}`;
  await signIn(page, await signUp(baseURL ?? "", "Ana García"));
  await page.goto("/terms");
  await expect(signedIn(page)).toBeVisible();
  await page.evaluate(`window.location.hash = ${JSON.stringify(fragment)}`);
  await expectDestructive(page, {
    title: auth.signIn.failure.title,
    description: auth.errors.codes.bad_oauth_state,
  });
  await expect(page).toHaveURL("/terms");
  await page.goto(`/profile${fragment}`);
  await expect(signedIn(page)).toBeVisible();
  await expect(page).toHaveURL("/profile");
});

test("DOOR-04 START-06 the link of a sign-up, wherever it is opened, leads to its page and signs nobody in", async ({
  page,
  baseURL,
}) => {
  const sender = await signUp(baseURL ?? "", "Mallory");
  const { hash } = new URL(linkIn(await signUpMailTo(sender.email)));
  await page.goto(`/terms${hash}`);
  await expect(page).toHaveURL("/confirm-email");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(
    textsIn("en").auth.confirmEmail.question.signup.title,
  );
  await expectNobodySignedIn(page);
});

test("DOOR-04 RESET-09 a reset link opened by another signed-in user names its account and leaves that user signed in", async ({
  page,
  baseURL,
}) => {
  const { reset } = textsIn("en").auth;
  const ana = await signUp(baseURL ?? "", "Ana García");
  const bob = await signUp(baseURL ?? "", "Bob Brown");
  await signIn(page, bob);
  await page.goto(await resetLinkFor(ana, "en", baseURL));
  await page.getByRole("button", { name: "Continue" }).click();
  const card = page.getByRole("main");
  await expect(card.getByText(ana.email)).toBeVisible();
  await expect(card).toContainText(reset.form.signedInAs.replace("{{email}}", bob.email));
  await expectAccessible(page);
  await page.getByLabel(reset.form.newPassword, { exact: true }).fill("a new password");
  await page.getByLabel(reset.form.confirmPassword, { exact: true }).fill("a new password");
  await page.getByRole("button", { name: reset.form.submit }).click();
  await expectSuccess(page, reset.success);
  await expect(page).toHaveURL("/");
  await expect(signedIn(page, "Bob Brown")).toBeVisible();
  const client = await newClient(baseURL ?? "");
  const fresh = await client.auth.signInWithPassword({ email: ana.email, password: "a new password" });
  expect(fresh.error).toBeNull();
});

test("DOOR-04 a recovery session is valid only on the reset page: a reload keeps it, leaving ends it, and no other page is signed in", async ({
  page,
  baseURL,
}) => {
  const { auth, common } = textsIn("en");
  const sender = await signUp(baseURL ?? "", "Mallory");
  await page.goto(`/privacy${fragmentOf(sender)}`);
  const card = page.getByRole("main");
  await expect(card.getByText(sender.email)).toBeVisible();
  await expect(card).toContainText(auth.reset.form.notYours);
  const signInButton = page.getByRole("banner").getByRole("button", { name: common.header.signIn });
  await expect(signInButton).toBeVisible();
  await page.reload();
  await expect(card.getByText(sender.email)).toBeVisible();
  // The recovery session ends locally at once, even if the server is slow.
  await holdBack(page, "**/auth/v1/logout*");
  await page.getByRole("link", { name: auth.reset.form.cancel }).click();
  await expect(page).toHaveURL("/");
  // The URL changes a moment before the new page is rendered, which ends the recovery session.
  await expect.poll(() => page.evaluate(() => sessionStorage.getItem("reset-password"))).toBeNull();
  await expect(signInButton).toBeVisible();
  expect(await storedSessions(page)).toEqual([]);
  await page.goto("/reset-password");
  await expectProblem(page, "en", auth.reset.linkErrors.missing);
});
