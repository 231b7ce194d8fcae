import { expect } from "@playwright/test";
import { LANGUAGES, localizedPath } from "#core/languages.ts";
import { isHydrated } from "./support/pre-hydration.ts";
import { collectProblems } from "./support/problems.ts";
import { GUEST_PATHS } from "./support/texts.ts";
import { expectAccessible, test } from "./support/visitor.ts";

for (const language of LANGUAGES) {
  test(
    `LANG-06 every public page hydrates without a mismatch and passes axe (${language})`,
    language === "de" ? {} : { tag: "@long" },
    async ({ page }) => {
      const problems = collectProblems(page);
      await page.emulateMedia({ reducedMotion: "reduce" });
      for (const path of GUEST_PATHS) {
        await page.goto(localizedPath(path, language));
        await expect(page.locator("html")).toHaveAttribute("lang", language);
        // Colours, and what hydration changes, are the same in every language.
        const withColours = language === "de";
        await test.step(`${path}, after loading`, () => expectAccessible(page, { withColours }));
        if (await isHydrated(page)) continue;
        await page.keyboard.press("Shift");
        await expect.poll(() => isHydrated(page)).toBe(true);
        if (language === "de") await test.step(`${path}, after hydration`, () => expectAccessible(page));
      }
      const expected = [/No page at .*nothing-here/, /status of 404/];
      expect(problems.filter((problem) => !expected.some((pattern) => pattern.test(problem)))).toEqual([]);
    },
  );
}

test("the open menus and the dialog pass axe in both themes", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.goto("/terms");
  for (const name of ["Language", "Appearance"]) {
    await page.getByRole("button", { name }).click();
    await expect(page.getByRole("menu")).toBeVisible();
    await expectAccessible(page);
    await page.keyboard.press("Escape");
  }
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole("button", { name: "Open menu" }).click();
  await expect(page.getByRole("button", { name: "Deutsch" })).toBeVisible();
  await expectAccessible(page);
});

test("the skip link and the menus work with the keyboard only", async ({ page }) => {
  await page.goto("/");
  await page.keyboard.press("Tab");
  const skip = page.getByRole("link", { name: "Skip to content" });
  await expect(skip).toBeFocused();
  await expect(skip).toBeInViewport();
  await page.keyboard.press("Enter");
  await expect(page.locator("main")).toBeFocused();
  const language = page.getByRole("button", { name: "Language" });
  await language.focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("menuitemradio", { name: "English" })).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Escape");
  await expect(language).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("menuitemradio", { name: "English" })).toBeFocused();
  await page.keyboard.press("End");
  await expect(page.getByRole("menuitemradio", { name: "Français" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/fr#content");
});

test("with reduced motion there are no animations and transitions", { tag: "@long" }, async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.goto("/");
  const moving = await page.evaluate<number>(`[...document.querySelectorAll("*")].filter((element) => {
    const { animationName, transitionDuration } = getComputedStyle(element);
    return animationName !== "none" || /[1-9]/.test(transitionDuration);
  }).length`);
  expect(moving).toBe(0);
});

test("touch targets on a phone are at least 44 pixels high", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/de", { waitUntil: "networkidle" });
  const small = await page.evaluate(`[...document.querySelectorAll("button, a[href], summary")]
    .filter((element) => element.checkVisibility() && getComputedStyle(element).display !== "inline")
    .map((element) => [element.innerText || element.ariaLabel, element.getBoundingClientRect().height])
    .filter(([, height]) => height < 44)`);
  expect(small).toEqual([]);
});
