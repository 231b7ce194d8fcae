// Every page in the languages with the longest words, on a phone and on a desktop; for a guest with the cookie notice open.

import { expect, type Page } from "@playwright/test";
import { type Language, localizedPath } from "#core/languages.ts";
import { goOnline } from "./offline/connection.ts";
import { addFinds, addSearches, newCodes } from "./support/finds.ts";
import { expectFitAfterResizing, expectSoundLayout, SIDEWAYS } from "./support/layout.ts";
import { signIn, signUp } from "./support/people.ts";
import { GUEST_PATHS, textsIn } from "./support/texts.ts";
import { test } from "./support/visitor.ts";

const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1440, height: 900 };

async function walk(page: Page, language: Language, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    await page.setViewportSize(PHONE);
    await page.goto(localizedPath(path, language), { waitUntil: "networkidle" });
    await test.step(`${path} on a phone`, () => expectSoundLayout(page));
    // Spanish is longer than German in a few places, which a phone shows best.
    if (language === "es") continue;
    await page.setViewportSize(DESKTOP);
    await test.step(`${path} on a desktop`, () => expectSoundLayout(page));
    await test.step(`${path}, narrowed and rotated`, () => expectFitAfterResizing(page));
  }
}

for (const language of ["de", "es"] as const) {
  const { auth, common, finds } = textsIn(language);
  const tag = language === "de" ? {} : { tag: "@long" };

  test(
    `LAND-04 for a guest nothing is cut off, covered, too small or wider than the screen (${language})`,
    tag,
    async ({ page }) => {
      await walk(page, language, GUEST_PATHS);
      await page.setViewportSize(PHONE);
      await page.goto(localizedPath("/terms", language));
      await page.getByRole("button", { name: common.header.openMenu }).click();
      const signInButton = page.getByRole("button", { name: common.header.signIn, exact: true }).last();
      await expect(signInButton).toBeVisible();
      await expectSoundLayout(page);
      await signInButton.click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel(auth.fields.email.label, { exact: true }).fill("nobody@example.com");
      await dialog.getByLabel(auth.fields.password.label, { exact: true }).fill("not the password");
      await dialog.locator("button[type=submit]").click();
      await expect(page.locator("[data-sonner-toast]")).toBeVisible();
      await test.step("a toast over a dialog", () => expectSoundLayout(page));
    },
  );

  test(
    `FIND-01 CALM-03 WORD-04 for a user nothing is cut off, covered, too small or wider than the screen (${language})`,
    tag,
    async ({ page, baseURL }) => {
      const person = await signUp(baseURL ?? "", "Ana García");
      const searchIds = await addSearches(person);
      const codes = newCodes(6);
      await addFinds(
        person,
        codes.map((id, index) => ({
          id,
          search: index % 3,
          priceEur: 1_234_000 + index,
          formerPriceEur: 1_345_000,
          minutesAgo: 90 + index,
          street: "Calle de Nuestra Señora del Perpetuo Socorro, 1234",
        })),
        searchIds,
      );
      await signIn(page, person);
      await walk(page, language, [
        "/",
        "/filter-settings",
        `/filter-settings?search=${searchIds[0]}`,
        "/profile",
        "/finds?view=map",
        "/finds?view=market",
        "/finds?view=settings",
        `/finds?home=${codes[1]}`,
        "/finds?state=left-out",
        "/finds",
      ]);
      await page.setViewportSize(DESKTOP);
      await page.getByRole("button", { name: finds.actions.hide, exact: true }).first().click();
      await expect(page.locator("[data-sonner-toast]")).toBeVisible();
      await test.step("a toast over the list", () => expectSoundLayout(page));
      await page.setViewportSize(SIDEWAYS);
      await page.context().setOffline(true);
      await expect(page.getByText(common.parts.offline)).toBeVisible();
      await test.step("the notice of a lost connection and a toast", () => expectSoundLayout(page));
      await goOnline(page.context());
      await signIn(page, await signUp(baseURL ?? "", "Berta Pérez"));
      await walk(page, language, ["/filter-settings"]);
    },
  );
}
