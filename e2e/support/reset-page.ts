import { expect, type Page } from "@playwright/test";
import { type Language, localizedPath } from "#core/languages.ts";
import { linkIn, mailTo } from "./console.ts";
import { newClient, type Person } from "./people.ts";
import { textsIn } from "./texts.ts";

/** Requests a reset mail as the form does and returns its link. */
export async function resetLinkFor(person: Person, language: Language, baseURL = ""): Promise<string> {
  const client = await newClient(baseURL);
  const redirectTo = `${baseURL}${localizedPath("/reset-password", language)}`;
  await client.auth.resetPasswordForEmail(person.email, { redirectTo });
  return linkIn(await mailTo(person.email));
}

/** A recovery as hosted Supabase redirects it: a session in the URL fragment. */
export function fragmentOf({ session }: Person): string {
  const { access_token, refresh_token } = JSON.parse(session);
  return `#access_token=${access_token}&refresh_token=${refresh_token}&expires_in=3600&token_type=bearer&type=recovery`;
}

/** Expects the card for a link that does not work. */
export async function expectProblem(page: Page, language: Language, message: string): Promise<void> {
  const { reset } = textsIn(language).auth;
  const card = page.getByRole("main");
  await expect(card.getByRole("alert")).toHaveText(message);
  await expect(card.getByRole("heading", { level: 1 })).toHaveText(reset.problem.title);
  await expect(card).toContainText(reset.problem.description);
  await expect(card.getByRole("link", { name: reset.problem.returnHome })).toHaveAttribute(
    "href",
    localizedPath("/", language),
  );
  expect(new URL(page.url()).hash).toBe("");
}

type ResetTexts = ReturnType<typeof textsIn>["auth"]["reset"];

/** The link is used only when the person presses the button. */
export const pressContinue = (page: Page, { continue: step }: ResetTexts) =>
  page.getByRole("button", { name: step.submit }).click();

export const resetFields = (page: Page, { form }: ResetTexts) => ({
  newPassword: page.getByLabel(form.newPassword, { exact: true }),
  confirmation: page.getByLabel(form.confirmPassword, { exact: true }),
});

export async function fillReset(page: Page, reset: ResetTexts, first: string, second: string): Promise<void> {
  const { newPassword, confirmation } = resetFields(page, reset);
  await newPassword.fill(first);
  await confirmation.fill(second);
  await page.getByRole("button", { name: reset.form.submit }).click();
}
