import { expect } from "@playwright/test";
import { localizedPath } from "#core/languages.ts";
import { holdBack } from "./support/hold-back.ts";
import { changeStoredSession, signIn, signUp } from "./support/people.ts";
import { textsIn } from "./support/texts.ts";
import { expectDestructive, expectSuccess, test, toastsOn } from "./support/visitor.ts";
import { whenStill } from "./support/when-still.ts";

const phone = { width: 390, height: 844 };

test("LAND-01 LAND-02 LAND-03 HEAD-01 FOOT-01 MAIL-09 a guest sees the facts, the price and the steps, and header and footer links work (es)", async ({
  page,
  request,
}) => {
  const { landing, common } = textsIn("es");
  await page.goto("/es");
  const hero = page.locator("main section").first();
  for (const fact of [/90\smin/, /10\smin/, /30\sse/]) await expect(hero).toContainText(fact);
  await expect(hero.getByRole("listitem").filter({ hasText: landing.hero.facts.price })).toBeVisible();
  await expect(hero.getByRole("button", { name: landing.hero.cta })).toBeVisible();
  const steps = page.getByRole("region", { name: landing.steps.title }).getByRole("listitem");
  await expect(steps).toHaveCount(3);
  await expect(steps.getByRole("heading")).toHaveText([
    landing.steps.paste.title,
    landing.steps.connect.title,
    landing.steps.go.title,
  ]);
  await page.getByRole("button", { name: landing.hero.cta }).first().click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  const header = page.getByRole("banner");
  await expect(header.getByRole("link", { name: common.header.home })).toHaveAttribute("href", "/es");
  await expect(header.getByRole("button", { name: common.header.language })).toBeVisible();
  await expect(header.getByRole("status")).toHaveCount(0);
  await header.getByRole("button", { name: common.header.signIn, exact: true }).click();
  await expect(dialog).toBeVisible();
  await page.keyboard.press("Escape");
  await header.getByRole("button", { name: common.header.signUp, exact: true }).click();
  await expect(dialog).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  const config = await (await request.get("/config.json")).json();
  const footer = page.getByRole("contentinfo");
  await expect(footer.getByRole("link", { name: common.footer.support })).toHaveAttribute(
    "href",
    config.supportUrl,
  );
  await expect(footer.getByRole("link", { name: common.footer.bot })).toHaveAttribute(
    "href",
    `${config.telegramLinkUrl}/${config.botUsername}`,
  );
  await expect(footer.getByRole("link", { name: common.footer.terms })).toHaveAttribute("href", "/es/terms");
  await expect(footer.getByRole("link", { name: common.footer.legalNotice })).toHaveAttribute(
    "href",
    "/es/privacy#who-runs-it",
  );
  await page.route("**/rest/v1/watch_intervals*", (route) =>
    route.fulfill({ json: [{ interval_seconds: 259_200, spent_until: null }] }),
  );
  await page.reload();
  await expect(hero).toContainText(landing.hero.facts.intervalAt.replace("{{every}}", "cada 3 días"));
  // Not the whole hero: the demo also shows ages in minutes.
  await expect(hero.getByRole("list").first()).not.toContainText(/10 min/);
  await (await whenStill(footer.getByRole("link", { name: common.footer.privacy }))).click();
  await expect(page).toHaveURL("/es/privacy");
  await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
});

test("COOK-01 accepting the notice stores consent, dismissing hides it only until the next load (es)", async ({
  page,
}) => {
  const { common } = textsIn("es");
  await page.goto("/es/privacy");
  const notice = page.getByRole("region", { name: common.cookies.label });
  await notice.getByRole("button", { name: common.cookies.dismiss }).click();
  await expect(notice).toHaveCount(0);
  expect(await page.evaluate(() => localStorage.getItem("cookieConsent"))).toBeNull();
  await page.reload();
  await notice.getByRole("button", { name: common.cookies.accept }).click();
  await expect(notice).toHaveCount(0);
  expect(await page.evaluate(() => localStorage.getItem("cookieConsent"))).toBe("true");
  await page.reload();
  await expect(page.getByRole("contentinfo").getByRole("link", { name: common.footer.bot })).toBeVisible();
  await expect(notice).toHaveCount(0);
});

test("LAND-02 HEAD-02 TRUE-04 a signed-in user sees no sign-up texts, and the main button opens the filter settings (en)", async ({
  page,
  baseURL,
}) => {
  const { landing, common } = textsIn("en");
  const home = localizedPath("/", "en");
  await signIn(page, await signUp(baseURL ?? "", "Ana García"));
  await page.goto(home);
  await expect(page.getByRole("button", { name: /Ana García/ })).toBeVisible();
  await expect(page.getByText(landing.hero.facts.signUp, { exact: true })).toBeHidden();
  await expect(page.getByText(landing.closing.text)).toHaveCount(0);
  await page.getByRole("button", { name: landing.hero.cta }).first().click();
  await expect(page).toHaveURL(localizedPath("/filter-settings", "en"));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(common.pages.filterSettings);
});

test("HEAD-02 the user menu shows the email, the links and the sign-out (es)", async ({ page, baseURL }) => {
  const { common } = textsIn("es");
  const home = localizedPath("/", "es");
  const person = await signUp(baseURL ?? "", "Ana García");
  await signIn(page, person);
  await page.goto(home);
  await page
    .getByRole("banner")
    .getByRole("button", { name: /Ana García/ })
    .click();
  const menu = page.getByRole("menu");
  await expect(menu).toContainText(person.email);
  await expect(menu.getByRole("menuitem")).toHaveText([
    common.header.profile,
    common.header.filterSettings,
    common.header.signOut,
  ]);
  await menu.getByRole("menuitem", { name: common.header.profile }).click();
  await expect(page).toHaveURL(localizedPath("/profile", "es"));
  await expect(page.getByRole("heading", { level: 1, name: common.pages.profile })).toBeFocused();
  await page
    .getByRole("banner")
    .getByRole("button", { name: /Ana García/ })
    .click();
  await page.getByRole("menuitem", { name: common.header.signOut }).click();
  await expect(page).toHaveURL(home);
  await expectSuccess(page, {
    title: common.session.signedOut,
    description: common.session.signedOutText,
  });
  await expect(
    page.getByRole("banner").getByRole("button", { name: common.header.signIn, exact: true }),
  ).toBeVisible();
  expect(toastsOn(page)).toEqual([]);
});

test("HEAD-03 the mobile menu works by keyboard and closes on navigation (es)", async ({ page }) => {
  const { common } = textsIn("es");
  await page.setViewportSize(phone);
  await page.goto(localizedPath("/terms", "es"));
  const button = page.getByRole("button", { name: common.header.openMenu });
  await button.focus();
  await page.keyboard.press("Enter");
  const close = page.getByRole("button", { name: common.header.closeMenu });
  await expect(close).toHaveAttribute("aria-expanded", "true");
  // The panel follows a frame after the button.
  const signInButton = page.getByRole("button", { name: common.header.signIn, exact: true });
  await expect(signInButton).toBeVisible();
  await page.keyboard.press("Tab");
  await expect(signInButton).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(button).toBeFocused();
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Deutsch" }).press("Enter");
  await expect(page).toHaveURL("/de/terms");
  await expect(page.getByRole("button", { name: textsIn("de").common.header.openMenu })).toHaveAttribute(
    "aria-expanded",
    "false",
  );
});

test("HEAD-01 the header shows a skeleton until the session is known", async ({ page, baseURL }) => {
  await signIn(page, await signUp(baseURL ?? "", "Ana García"));
  // Only a session that is about to expire is refreshed first; any other is used at once.
  await changeStoredSession(page, { expires_at: Math.floor(Date.now() / 1000) + 30 });
  const letGo = await holdBack(page, "**/config.json");
  await page.goto("/");
  await expect(page.getByRole("banner").getByRole("status")).toHaveText("Loading your account");
  await expect(page.getByRole("button", { name: "Sign in", exact: true })).toHaveCount(0);
  letGo();
  await expect(page.getByRole("button", { name: /Ana García/ })).toBeVisible();
});

test("HEAD-03 a signed-in user has the same entries in the mobile menu", async ({ page, baseURL }) => {
  const person = await signUp(baseURL ?? "", "Ana García");
  await signIn(page, person);
  await page.setViewportSize(phone);
  await page.goto("/");
  await page.getByRole("button", { name: "Open menu" }).click();
  const menu = page.getByRole("navigation", { name: "Main menu" });
  await expect(menu).toContainText(person.email);
  await menu.getByRole("link", { name: "Filter settings" }).click();
  await expect(page).toHaveURL("/filter-settings");
  await expect(menu).toHaveCount(0);
});

test("ROUTE-09 a redirected guest continues to the requested page after signing in in another tab", async ({
  page,
  baseURL,
}) => {
  const person = await signUp(baseURL ?? "", "Ana García");
  await page.goto("/es/filter-settings?from=mail");
  await expect(page).toHaveURL("/es");
  const { access } = textsIn("es").common;
  await expectDestructive(page, { title: access.requiredTitle, description: access.requiredText });
  const other = await page.context().newPage();
  await signIn(other, person);
  await expect(page).toHaveURL("/es/filter-settings?from=mail");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(textsIn("es").common.pages.filterSettings);
});

test("LAND-04 the first listing is above the fold and the cookie notice on a phone (en, ru, de)", async ({
  page,
}) => {
  await page.setViewportSize(phone);
  for (const path of ["/", "/ru", "/de"]) {
    await page.goto(path);
    const first = page.getByRole("article").first();
    await expect(first).toBeVisible();
    const listing = await first.boundingBox();
    const notice = await page.locator("section.fixed").boundingBox();
    expect((listing?.y ?? 9999) + (listing?.height ?? 0), path).toBeLessThanOrEqual(notice?.y ?? 0);
    const overflow = await page.evaluate<number>("document.documentElement.scrollWidth - window.innerWidth");
    expect(overflow, path).toBeLessThanOrEqual(0);
  }
});

test("the theme follows the device until the user chooses one, and the choice survives a reload", async ({
  page,
}) => {
  const ground = () => page.evaluate<string>("getComputedStyle(document.body).backgroundColor");
  await page.emulateMedia({ colorScheme: "dark" });
  await page.goto("/terms");
  expect(await ground()).toBe("rgb(11, 18, 32)");
  await page.getByRole("button", { name: "Appearance" }).click();
  await page.getByRole("menuitemradio", { name: "Light" }).click();
  expect(await ground()).toBe("rgb(250, 248, 244)");
  await page.reload();
  expect(await ground()).toBe("rgb(250, 248, 244)");
});
