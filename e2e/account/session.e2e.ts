import { expect, type Page } from "@playwright/test";
import { localizedPath } from "#core/languages.ts";
import { authDialogIn } from "../support/auth-dialog.ts";
import { holdBack } from "../support/hold-back.ts";
import { changeStoredSession, newEmail, PASSWORD, signIn, signUp } from "../support/people.ts";
import { inDatabase } from "../support/product-database.ts";
import { textsIn } from "../support/texts.ts";
import { expectDestructive, expectSuccess, test, toastsOn } from "../support/visitor.ts";

const signedIn = (page: Page, name = "Ana García") =>
  page.getByRole("banner").getByRole("button", { name: new RegExp(name) });
const signedOut = (page: Page) => page.getByRole("banner").getByRole("button", { name: "Sign in" });

test("ROUTE-09 CALM-08 a guest on /profile gets the sign-in form and returns to the page with its query (en)", async ({
  page,
  baseURL,
}) => {
  const { auth, common } = textsIn("en");
  const person = await signUp(baseURL ?? "", "Ana García");
  await page.goto(localizedPath("/profile?from=mail", "en"));
  await expectDestructive(page, {
    title: common.access.requiredTitle,
    description: common.access.requiredText,
  });
  await expect(page).toHaveURL(localizedPath("/", "en"));
  const form = authDialogIn(page, "en");
  await expect(form.dialog).toHaveAccessibleName(auth.signIn.title);
  await form.fill({ email: person.email, password: person.password });
  await form.submit.click();
  await expectSuccess(page, auth.signIn.success);
  await expect(page).toHaveURL(localizedPath("/profile?from=mail", "en"));
});

for (const { meanwhile, held } of [
  { meanwhile: "while the home page is still loading", held: /\/home-[\w-]{8}\.js$/ },
  { meanwhile: "even if another page was opened before the server answered", held: /\/auth\/v1\/logout/ },
])
  test(`AUTH-07 ROUTE-11 signing out redirects home and shows one message, ${meanwhile}`, async ({
    page,
    baseURL,
  }) => {
    const { common } = textsIn("en");
    await signIn(page, await signUp(baseURL ?? "", "Ana García"));
    await page.goto("/profile");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(common.pages.profile);
    const letGo = await holdBack(page, held);
    const asked = page.waitForRequest(held);
    await signedIn(page).click();
    await page.getByRole("menuitem", { name: common.header.signOut }).click();
    await asked;
    if (held.source.includes("logout")) {
      await page.getByRole("banner").getByRole("link", { name: common.header.finds }).click();
      await expect(page.getByRole("heading", { level: 1 })).toHaveText(common.pages.finds);
      letGo();
    }
    await expectSuccess(page, {
      title: common.session.signedOut,
      description: common.session.signedOutText,
    });
    letGo();
    await expect(signedOut(page)).toBeVisible();
    await expect(page).toHaveURL("/");
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    expect(toastsOn(page)).toEqual([]);
  });

test("AUTH-10 signing up after a redirect from /profile leads to the filter settings", {
  tag: "@long",
}, async ({ page }) => {
  await page.goto("/profile");
  await expect(page).toHaveURL("/");
  const form = authDialogIn(page, "en");
  await form.dialog.getByRole("button", { name: textsIn("en").auth.signIn.switchAction }).click();
  await form.fill({ fullName: "Ana", email: newEmail(), password: PASSWORD });
  await form.submit.click();
  await expectSuccess(page, textsIn("en").auth.signUp.success);
  await expect(page).toHaveURL("/filter-settings");
});

test("AUTH-11 a network failure does not sign the user out", { tag: "@long" }, async ({ page, baseURL }) => {
  await signIn(page, await signUp(baseURL ?? "", "Ana García"));
  const asked = page.waitForEvent("requestfailed", (request) => request.url().endsWith("/config.json"));
  await page.route("**/config.json", (route) => route.abort());
  await page.goto("/profile");
  await asked;
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Profile");
  await page.waitForTimeout(500);
  await expect(page).toHaveURL("/profile");
  await expect(page.getByRole("banner").getByRole("button", { name: "Ana García" })).toBeVisible();
});

test("ROUTE-08 AUTH-11 a protected page shows a spinner until the session is known", async ({
  page,
  baseURL,
}) => {
  await signIn(page, await signUp(baseURL ?? "", "Ana García"));
  // Only a session that is about to expire is refreshed first; any other is used at once.
  await changeStoredSession(page, { expires_at: Math.floor(Date.now() / 1000) + 30 });
  const letGo = await holdBack(page, "**/config.json");
  await page.goto("/profile");
  await expect(page.getByRole("main").getByRole("status")).toBeVisible();
  await expect(page.getByRole("banner").getByTestId("account-skeleton")).toBeVisible();
  letGo();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Profile");
});

test("AUTH-14 a sign-out or sign-in in one tab reaches the other tab and closes its sign-in dialog", async ({
  page,
  context,
  baseURL,
}) => {
  const person = await signUp(baseURL ?? "", "Ana García");
  await signIn(page, person);
  await page.goto("/terms");
  const other = await context.newPage();
  await other.goto("/profile");
  await expect(other.getByRole("heading", { level: 1 })).toHaveText("Profile");

  await signedIn(page).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await expect(signedOut(page)).toBeVisible();
  // The target is one second; the default timeout leaves room for slow machines.
  await expect(signedOut(other)).toBeVisible();
  const { session } = textsIn("en").common;
  await expectDestructive(other, { title: session.endedTitle, description: session.endedText });
  await expect(other).toHaveURL("/");

  const waiting = authDialogIn(other, "en");
  await signedOut(other).click();
  await expect(waiting.dialog).toBeVisible();
  await signedOut(page).click();
  const form = authDialogIn(page, "en");
  await form.fill({ email: person.email, password: person.password });
  await form.submit.click();
  await expect(signedIn(page)).toBeVisible();
  await expect(waiting.dialog).toHaveCount(0);
  await expect(signedIn(other)).toBeVisible();
});

test("AUTH-13 a token refresh that fails three times is retried without a message, and after ten hours the tab is still signed in", async ({
  page,
  baseURL,
  outage,
}) => {
  const person = await signUp(baseURL ?? "", "Ana García");
  await page.clock.install();
  await signIn(page, person);
  await changeStoredSession(page, { expires_at: Math.round(Date.now() / 1000) + 145 });
  await page.goto("/profile");
  await expect(signedIn(page)).toBeVisible();
  const before = await page.evaluate(() => localStorage.getItem("sb-localhost-auth-token"));

  await outage.begin({ path: "/auth/v1/token?grant_type=refresh_token", times: 3 });
  await page.clock.runFor(31_000);
  await expect
    .poll(() => page.evaluate(() => localStorage.getItem("sb-localhost-auth-token")))
    .not.toBe(before);
  expect(await outage.met()).toBe(3);
  await expect(page).toHaveURL("/profile");
  await expect(signedIn(page)).toBeVisible();
  await expect(page.locator("[data-sonner-toast]")).toHaveCount(0);

  const refreshed = page.waitForResponse(
    (answer) => answer.url().includes("grant_type=refresh_token") && answer.status() === 200,
  );
  await page.clock.fastForward("10:00:00");
  await refreshed;
  await expect(signedIn(page)).toBeVisible();
  await expect(page).toHaveURL("/profile");
  await expect(page.locator("[data-sonner-toast]")).toHaveCount(0);
});

test("AUTH-11 a session that was ended elsewhere is detected: the user sees a message and is redirected home", async ({
  page,
  baseURL,
}) => {
  const person = await signUp(baseURL ?? "", "Ana García");
  await signIn(page, person);
  await inDatabase((sql) => sql`delete from auth.sessions where user_id = ${person.id}`);
  await page.goto("/profile");
  const { session } = textsIn("en").common;
  await expectDestructive(page, { title: session.endedTitle, description: session.endedText });
  await expect(page).toHaveURL("/");
  await expect(signedOut(page)).toBeVisible();
});

/** The access token as if the server's signing keys had changed since. */
const refusedToken = ({ session }: { session: string }): string =>
  JSON.parse(session).access_token.replace(/[^.]+$/, "c2lnbmVkLWJ5LWFub3RoZXIta2V5");

test("AUTH-11 an access token refused before it expires is refreshed, and every page loads with the new one", async ({
  page,
  baseURL,
}) => {
  const { filter, finds, "finds-settings": settings } = textsIn("en");
  const person = await signUp(baseURL ?? "", "Ana García");
  await signIn(page, person);
  const main = page.getByRole("main");
  for (const [path, loaded] of [
    ["/profile", main.getByText(person.email)],
    ["/filter-settings", main.getByText(filter.page.setUp)],
    ["/finds", main.getByText(finds.empty.noSearchTitle)],
    ["/finds?view=market", main.locator("svg")],
    ["/finds?view=settings", main.getByRole("heading", { name: settings.places.title })],
  ] as const) {
    await changeStoredSession(page, { access_token: refusedToken(person) });
    await page.goto(path);
    await expect(loaded.first()).toBeVisible();
    await expect(main.getByRole("alert")).toHaveCount(0);
  }
});

test("AUTH-11 a refused session that cannot be refreshed ends with a message", async ({ page, baseURL }) => {
  const { session } = textsIn("en").common;
  const person = await signUp(baseURL ?? "", "Ana García");
  for (const path of ["/profile", "/finds"]) {
    await signIn(page, person);
    await changeStoredSession(page, { access_token: refusedToken(person), refresh_token: "unknown" });
    await page.goto(path);
    await expectDestructive(page, { title: session.endedTitle, description: session.endedText });
    await expect(page).toHaveURL("/");
    await expect(signedOut(page)).toBeVisible();
  }
});

test("AUTH-08 an error in the URL is shown with our text, never with text from the URL", async ({ page }) => {
  const { auth } = textsIn("en");
  await page.goto("/?error=server_error&error_description=Send+your+password+to+evil.example#x");
  await expectDestructive(page, {
    title: auth.signIn.failure.title,
    description: auth.errors.unexpected,
  });
  await expect(page.getByText("evil.example")).toHaveCount(0);
  await expect(page).toHaveURL("/#x");
});
