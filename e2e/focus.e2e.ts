import { expect, type Page } from "@playwright/test";
import { addFinds, addSearches, newCodes } from "./support/finds.ts";
import { signIn, signUp } from "./support/people.ts";
import { textsIn } from "./support/texts.ts";
import { test } from "./support/visitor.ts";

const PHONE = { width: 390, height: 844 };
const PRESSES = 45;

/** Names the focused element if something else covers its middle or one of its edges. Runs in the page, hence a string. */
const COVERED = `(() => {
  const focused = document.activeElement;
  if (!focused || focused === document.body) return null;
  const { left, right, top, bottom } = focused.getClientRects()[0] ?? focused.getBoundingClientRect();
  const first = Math.max(top + 2, 0);
  const last = Math.min(bottom - 2, innerHeight - 1);
  const name = (focused.ariaLabel ?? focused.innerText ?? focused.tagName).slice(0, 60);
  if (last < first) return name + ": out of view";
  const middle = (left + right) / 2;
  for (const y of [first, (first + last) / 2, last]) {
    const seen = document.elementFromPoint(middle, y);
    if (seen && !focused.contains(seen) && !seen.contains(focused))
      return name + ": behind " + seen.tagName + " " + seen.className;
  }
  return null;
})()`;

async function expectFocusInView(page: Page): Promise<void> {
  const faults: string[] = [];
  for (let press = 1; press <= PRESSES; press += 1) {
    await page.keyboard.press("Tab");
    // A section that comes into view is laid out in the next frame, and may move what follows it.
    await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
    const covered = await page.evaluate<string | null>(COVERED);
    if (covered !== null) faults.push(`${press}. ${covered}`);
  }
  expect(faults).toEqual([]);
}

test("COOK-01 FIND-01 the focus is never covered: a guest with the cookie notice, and 45 presses of Tab on finds", {
  tag: "@long",
}, async ({ page, baseURL }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.setViewportSize(PHONE);
  await page.goto("/de/terms");
  const notice = page.getByRole("region", { name: textsIn("de").common.cookies.label });
  await expect(notice).toBeVisible();
  await test.step("terms with the cookie notice", () => expectFocusInView(page));
  await page.goto("/de");
  await test.step("landing page with the cookie notice", () => expectFocusInView(page));

  const person = await signUp(baseURL ?? "", "Ana García");
  const searchIds = await addSearches(person);
  await addFinds(
    person,
    newCodes(8).map((id, index) => ({
      id,
      priceEur: 1_000 + index,
      minutesAgo: index,
      street: "Calle de Prueba, 1",
    })),
    searchIds,
  );
  await signIn(page, person);
  await page.goto("/de/finds");
  await expect(page.getByRole("article").first()).toBeVisible();
  await expect(notice).toBeHidden();
  await test.step("finds", () => expectFocusInView(page));
});
