import { expect, type Locator, type Page } from "@playwright/test";
import { type Language, localizedPath } from "#core/languages.ts";
import { textsIn } from "./texts.ts";

/** Locators of the auth forms, by their visible texts in one language. */
export function authDialogIn(page: Page, language: Language) {
  const { auth, common, landing } = textsIn(language);
  const dialog = page.getByRole("dialog");
  const field = (label: string) => dialog.getByLabel(label, { exact: true });
  const forms = {
    dialog,
    fullName: field(auth.fields.fullName.label),
    email: field(auth.fields.email.label),
    password: field(auth.fields.password.label),
    submit: dialog.locator("button[type=submit]"),
    google: dialog.getByRole("button", { name: auth.google.button }),
    telegram: dialog.getByRole("button", { name: auth.telegram.button }),
    /** Opens a form from the landing page. */
    async open(mode: "signin" | "signup" | "forgot-password"): Promise<Locator> {
      await page.goto(localizedPath("/", language));
      if (mode === "signup") await page.getByRole("button", { name: landing.hero.cta }).first().click();
      else await page.getByRole("banner").getByRole("button", { name: common.header.signIn }).click();
      if (mode === "forgot-password") {
        await dialog.getByRole("button", { name: auth.signIn.forgotPassword }).click();
      }
      await expect(dialog).toBeVisible();
      return dialog;
    },
    async fill(typed: { fullName?: string; email?: string; password?: string }): Promise<void> {
      if (typed.fullName !== undefined) await forms.fullName.fill(typed.fullName);
      if (typed.email !== undefined) await forms.email.fill(typed.email);
      if (typed.password !== undefined) await forms.password.fill(typed.password);
    },
  };
  return forms;
}
