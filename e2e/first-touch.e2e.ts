// A public page works without the application and hydrates on the first gesture; earlier clicks are not lost.
import { expect } from "@playwright/test";
import { holdBack } from "./support/hold-back.ts";
import { APPLICATION, isHydrated } from "./support/pre-hydration.ts";
import { collectProblems } from "./support/problems.ts";
import { textsIn } from "./support/texts.ts";
import { test } from "./support/visitor.ts";
import { whenStill } from "./support/when-still.ts";

const SLOWDOWN = 6;

/** The centre of the button 50 ms after the first paint, measured in the page so that a slow machine is not late. */
const POSITION_AFTER_PAINT = `new Promise((resolve) => {
  const look = () => setTimeout(() => {
    const { x, y, width, height } = document.querySelector("main button").getBoundingClientRect();
    resolve({ x: x + width / 2, y: y + height / 2, isHydrated: window.preHydration.state === 'hydrated' });
  }, 50);
  new PerformanceObserver(look).observe({ type: "paint", buffered: true });
})`;

test("LAND-02 a button clicked 50 ms after the first paint on a slow phone opens the dialog", async ({
  page,
}) => {
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWDOWN });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/", { waitUntil: "commit" });
  const { x, y, isHydrated } = await page.evaluate<{ x: number; y: number; isHydrated: boolean }>(
    POSITION_AFTER_PAINT,
  );
  expect(isHydrated).toBe(false);
  await page.mouse.click(x, y);
  // Only the click needs the slow phone.
  await session.send("Emulation.setCPUThrottlingRate", { rate: 1 });
  await expect(page.getByRole("dialog")).toBeVisible();
});

test("HEAD-01 COOK-01 LANG-05 menus, cookie notice and language links work while the application is still loading", async ({
  page,
}) => {
  const { common } = textsIn("en");
  const letGo = await holdBack(page, APPLICATION);
  await page.goto("/terms", { waitUntil: "domcontentloaded" });
  const notice = page.getByRole("region", { name: common.cookies.label });
  await notice.getByRole("button", { name: common.cookies.accept }).press("Enter");
  await expect(notice).toHaveCount(0);
  expect(await page.evaluate(() => localStorage.getItem("cookieConsent"))).toBe("true");
  await page.getByRole("button", { name: common.header.theme }).click();
  const language = page.getByRole("button", { name: common.header.language });
  await language.press("ArrowDown");
  await expect(page.locator("[data-waiting]")).toHaveAccessibleName(/Language/);
  letGo();
  // The last click wins, and a menu opened by key has the focus on its first entry.
  await expect(page.getByRole("menuitemradio", { name: "English" })).toBeFocused();
  await expect(page.getByRole("menu")).toHaveCount(1);
  await page.keyboard.press("Escape");
  await expect(language).toBeFocused();

  const letGoAgain = await holdBack(page, APPLICATION);
  await page.reload();
  const german = await whenStill(page.getByRole("contentinfo").getByRole("link", { name: "Deutsch" }));
  await german.click();
  await expect(german).toHaveAttribute("data-waiting", "true");
  expect(await page.evaluate(() => localStorage.getItem("i18nextLng"))).toBe("de");
  letGoAgain();
  await expect(page).toHaveURL("/de/terms");
  await page.getByRole("button", { name: textsIn("de").common.header.theme }).press("Enter");
  await page.getByRole("menuitemradio", { name: textsIn("de").common.theme.dark }).click();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
});

for (const path of ["/", "/fr/privacy"]) {
  test(`LANG-06 ${path} hydrates on the first gesture and without a mismatch`, {
    tag: path === "/" ? [] : "@long",
  }, async ({ page }) => {
    const problems = collectProblems(page);
    const loaded: string[] = [];
    page.on("request", (request) => loaded.push(request.url()));
    await page.goto(path, { waitUntil: "networkidle" });
    if (path === "/") await expect(page.getByRole("article").first()).toBeVisible();
    expect(loaded.filter((url) => url.includes("/assets/vendor-"))).toEqual([]);
    expect(await isHydrated(page)).toBe(false);
    // The first event has no movement: the browser does not know where the pointer was.
    await page.mouse.move(100, 100, { steps: 2 });
    await expect.poll(() => isHydrated(page)).toBe(true);
    await page.getByRole("banner").getByRole("button").first().click();
    await expect(page.getByRole("menu")).toBeVisible();
    // The demo keeps running after the page around it was hydrated.
    if (path === "/") await expect(page.locator("article").first()).toBeVisible();
    expect(loaded.filter((url) => url.includes("/assets/vendor-"))).toHaveLength(1);
    expect(problems).toEqual([]);
  });
}
