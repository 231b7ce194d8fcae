// An internal link opens its page with the focus on the heading, however far the application has loaded when it is clicked.
import { expect, type Locator, type Page } from "@playwright/test";
import { holdBack } from "./support/hold-back.ts";
import { APPLICATION, isHydrated } from "./support/pre-hydration.ts";
import { collectProblems } from "./support/problems.ts";
import { textsIn } from "./support/texts.ts";
import { test } from "./support/visitor.ts";
import { whenStill } from "./support/when-still.ts";

const { common, legal } = textsIn("en");

const linkOn = (page: Page) =>
  page.getByRole("contentinfo").getByRole("link", { name: common.footer.privacy });

/** Marks the document, so that `expectPrivacy` can tell client-side navigation from a page load. */
async function openTerms(page: Page, waitUntil: "load" | "domcontentloaded" = "load"): Promise<Locator> {
  await page.goto("/terms", { waitUntil });
  await page.evaluate("window.isFirstDocument = true");
  return whenStill(linkOn(page));
}

async function expectPrivacy(page: Page, { by }: { by: "application" | "browser" }): Promise<void> {
  await expect(page).toHaveURL("/privacy");
  const heading = page.getByRole("heading", { level: 1, name: legal.privacy.title });
  await expect(heading).toBeFocused();
  await expect(page).toHaveTitle(`${legal.privacy.title} · Sereno`);
  expect(await page.evaluate<number>("window.scrollY")).toBe(0);
  expect(await page.evaluate("window.isFirstDocument === true")).toBe(by === "application");
}

test("HEAD-01 a link clicked before any script runs is followed by the browser, and the next page is not hydrated", async ({
  page,
}) => {
  const letGo = await holdBack(page, "**/assets/entry.client-*.js");
  await (await openTerms(page, "domcontentloaded")).click();
  await expectPrivacy(page, { by: "browser" });
  letGo();
  await page.waitForLoadState("networkidle");
  // Our own focus on the heading does not count as a gesture of the user.
  expect(await page.evaluate<boolean>("window.preHydration.hasGesture")).toBe(false);
});

test("HEAD-01 a link clicked while the application loads waits for it: by pointer, by key, and with a late mouse release", async ({
  page,
}) => {
  for (const press of ["pointer", "key", "late"]) {
    await test.step(press, async () => {
      const letGo = await holdBack(page, APPLICATION);
      const link = await openTerms(page);
      if (press === "pointer") await link.click();
      else if (press === "key") await link.press("Enter");
      else {
        await link.hover();
        await page.mouse.down();
      }
      if (press !== "late") await expect(link).toHaveAttribute("data-waiting", "true");
      letGo();
      if (press === "late") {
        await expect.poll(() => isHydrated(page)).toBe(true);
        await page.mouse.up();
      }
      await expectPrivacy(page, { by: "application" });
      await page.unroute(APPLICATION);
    });
  }
});

test("HEAD-01 a waiting link is followed by the browser when it is clicked again, or when the application cannot be loaded", {
  tag: "@long",
}, async ({ page }) => {
  await holdBack(page, APPLICATION);
  await (await openTerms(page)).dblclick();
  await expectPrivacy(page, { by: "browser" });
  await page.unroute(APPLICATION);
  await page.route(APPLICATION, (route) => route.abort());
  await (await openTerms(page)).click();
  await expectPrivacy(page, { by: "browser" });
});

test("HEAD-01 a link can be opened in a new tab while the application loads, and the current page stays", {
  tag: "@long",
}, async ({ page }) => {
  const letGo = await holdBack(page, APPLICATION);
  const link = await openTerms(page);
  for (const options of [{ modifiers: ["ControlOrMeta" as const] }, { button: "middle" as const }]) {
    const opened = page.context().waitForEvent("page");
    await link.click(options);
    await expect(await opened).toHaveURL("/privacy");
  }
  letGo();
  await expect.poll(() => isHydrated(page)).toBe(true);
  await expect(page).toHaveURL("/terms");
  await expect(page.locator("[data-waiting]")).toHaveCount(0);
});

/** Clicks the link some event loop turns after React has started to hydrate, and records whether it had finished. */
const pressAfter = (turns: number) => `{
  const { addEventListener } = document;
  const { port1, port2 } = new MessageChannel();
  let left = ${turns};
  port2.onmessage = () => {
    if (left-- > 0) return port1.postMessage(0);
    window.wasHydrated = window.preHydration.state === 'hydrated';
    document.querySelector("footer a[href='/privacy']").click();
  };
  // Only React listens to this event.
  document.addEventListener = function (type, ...rest) {
    if (type === "compositionstart" && !window.hasBegun) port1.postMessage(0);
    window.hasBegun ||= type === "compositionstart";
    addEventListener.call(document, type, ...rest);
  };
}`;

for (const turns of [0, 3, 10]) {
  test(`HEAD-01 a link clicked ${turns} event loop turns after hydration started opens its page`, {
    tag: turns === 3 ? [] : "@long",
  }, async ({ page }) => {
    const problems = collectProblems(page);
    await page.addInitScript(pressAfter(turns));
    await openTerms(page);
    await page.mouse.move(100, 100);
    await expectPrivacy(page, { by: "application" });
    if (turns === 0) expect(await page.evaluate("window.wasHydrated")).toBe(false);
    expect(problems).toEqual([]);
  });
}

test("HEAD-01 the application starts only once, whatever triggers it", { tag: "@long" }, async ({ page }) => {
  const problems = collectProblems(page);
  await page.route("**/rest/v1/watch_intervals*", (route) =>
    route.fulfill({ json: [{ interval_seconds: 259_200, spent_until: null }] }),
  );
  // First the check interval, which is longer than the page promises, triggers it, then each gesture.
  const letGo = await holdBack(page, APPLICATION);
  const asked = page.waitForRequest(APPLICATION);
  await page.goto("/", { waitUntil: "domcontentloaded" });
  await asked;
  await page.mouse.move(100, 100);
  await page.keyboard.press("Shift");
  letGo();
  await expect(page.locator("main")).toContainText("every 3 days");
  await page.evaluate("window.isFirstDocument = true");
  await page.mouse.move(200, 200);
  await (await whenStill(linkOn(page))).click();
  await expectPrivacy(page, { by: "application" });
  expect(problems).toEqual([]);
});

test("DOOR-04 a recovery session left by opening another URL hydrates the page, which ends the session", async ({
  page,
}) => {
  await page.goto("/robots.txt");
  await page.evaluate(() => sessionStorage.setItem("reset-password", '{"access_token":"a.b.c"}'));
  await page.goto("/terms");
  await expect.poll(() => page.evaluate(() => sessionStorage.getItem("reset-password"))).toBeNull();
});
