// A public page stands by itself and wakes when it is touched; what is pressed too early is not lost.
import { expect, test } from "@playwright/test";
import { holdBack } from "./support/hold-back.ts";
import { APPLICATION, isHydrated } from "./support/pre-hydration.ts";
import { collectProblems } from "./support/problems.ts";
import { textsIn } from "./support/texts.ts";
import { whenStill } from "./support/when-still.ts";

const SLOWDOWN = 6;

/** The middle of an element 50 ms after the first paint, found out in the page itself: a slow machine must not be late. */
const PLACE_AFTER_PAINT = `new Promise((resolve) => {
  const look = () => setTimeout(() => {
    const { x, y, width, height } = document.querySelector("main button").getBoundingClientRect();
    resolve({ x: x + width / 2, y: y + height / 2, isHydrated: window.preHydration.isHydrated });
  }, 50);
  new PerformanceObserver(look).observe({ type: "paint", buffered: true });
})`;

test("LAND-02 a button pressed 50 ms after the first paint of a slow phone does what it says", async ({
  page,
}) => {
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWDOWN });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/", { waitUntil: "commit" });
  const { x, y, isHydrated } = await page.evaluate<{ x: number; y: number; isHydrated: boolean }>(
    PLACE_AFTER_PAINT,
  );
  expect(isHydrated).toBe(false);
  await page.mouse.click(x, y);
  // The press was the slow phone's; the rest may be as quick as the machine is.
  await session.send("Emulation.setCPUThrottlingRate", { rate: 1 });
  await expect(page.getByRole("dialog")).toBeVisible();
});

test("HEAD-01 COOK-01 LANG-05 menus, notice and languages answer although the application is still on its way", async ({
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
  // The last wish counts, and a menu opened by key has its first entry in focus.
  await expect(page.getByRole("menuitemradio", { name: "English" })).toBeFocused();
  await expect(page.getByRole("menu")).toHaveCount(1);
  await page.keyboard.press("Escape");
  await expect(language).toBeFocused();

  const letGoAgain = await holdBack(page, APPLICATION);
  await page.reload({ waitUntil: "domcontentloaded" });
  await (await whenStill(page.getByRole("contentinfo").getByRole("link", { name: "Deutsch" }))).click();
  await expect(page).toHaveURL("/de/terms");
  expect(await page.evaluate(() => localStorage.getItem("i18nextLng"))).toBe("de");
  await page.getByRole("button", { name: textsIn("de").common.header.theme }).press("Enter");
  letGoAgain();
  await page.getByRole("menuitemradio", { name: textsIn("de").common.theme.dark }).click();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
});

for (const path of ["/", "/fr/privacy"]) {
  test(`LANG-06 the application of ${path} comes with the first touch, and without a mismatch`, async ({
    page,
  }) => {
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
    // The demo goes on although the application took the page over around it.
    if (path === "/") await expect(page.locator("article").first()).toBeVisible();
    expect(loaded.filter((url) => url.includes("/assets/vendor-"))).toHaveLength(1);
    expect(problems).toEqual([]);
  });
}
