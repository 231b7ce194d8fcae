import { expect, type Page } from "@playwright/test";
import { localizedPath } from "#core/languages.ts";
import { addFinds, addSearches, newCodes } from "./support/finds.ts";
import { signIn, signUp } from "./support/people.ts";
import { GUEST_PATHS } from "./support/texts.ts";
import { test } from "./support/visitor.ts";

const WIDE = { width: 1280, height: 800 };
const UPRIGHT = { width: 390, height: 844 };
const SIDEWAYS = { width: 844, height: 390 };

/** Names the elements that make the page wider than the screen. Runs in the page, hence a string. */
const WIDER = `(() => {
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth <= clientWidth) return [];
  const wide = [...document.body.querySelectorAll("*")].filter((element) => element.getBoundingClientRect().right > clientWidth + 1);
  return [scrollWidth + " px", ...wide.map((element) => element.tagName + " " + element.className).slice(0, 5)];
})()`;

async function expectNoOverflowAfterResizing(page: Page): Promise<void> {
  // What is below has been laid out at the first width, and is remembered by the browser.
  await page.evaluate("window.scrollTo(0, document.documentElement.scrollHeight)");
  for (const size of [UPRIGHT, SIDEWAYS, UPRIGHT]) {
    await page.setViewportSize(size);
    await expect.poll(() => page.evaluate(WIDER), `${size.width} px, at the end`).toEqual([]);
    await page.evaluate("window.scrollTo(0, 0)");
    await expect.poll(() => page.evaluate(WIDER), `${size.width} px, at the top`).toEqual([]);
  }
}

test("LAND-04 FIND-01 no page scrolls sideways after its window was narrowed or rotated (de)", async ({
  page,
  baseURL,
}) => {
  const walk = async (paths: readonly string[]) => {
    for (const path of paths) {
      await page.setViewportSize(WIDE);
      await page.goto(localizedPath(path, "de"), { waitUntil: "networkidle" });
      await test.step(path, () => expectNoOverflowAfterResizing(page));
    }
  };
  await walk(GUEST_PATHS);
  const person = await signUp(baseURL ?? "", "Ana García");
  const searchIds = await addSearches(person);
  const codes = newCodes(6);
  await addFinds(
    person,
    codes.map((id, index) => ({
      id,
      search: index % 3,
      priceEur: 1_234_000 + index,
      minutesAgo: 90 + index,
      street: "Calle de Nuestra Señora del Perpetuo Socorro, 1234",
    })),
    searchIds,
  );
  await signIn(page, person);
  await walk([
    "/",
    "/filter-settings",
    `/filter-settings?search=${searchIds[0]}`,
    "/profile",
    "/finds",
    `/finds?home=${codes[1]}`,
    "/finds?view=map",
    "/finds?view=market",
    "/finds?view=settings",
  ]);
});
