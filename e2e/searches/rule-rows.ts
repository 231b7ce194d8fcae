import type { Page } from "@playwright/test";
import type { textsIn } from "../support/texts.ts";

/** Presses "Add a rule" and chooses what it is about; the focus is then in its row. */
export async function addRule(
  page: Page,
  subject: string,
  { add, more }: ReturnType<typeof textsIn>["rules"],
): Promise<void> {
  await page.getByRole("button", { name: add }).click();
  const choice = page.getByRole("button", { name: subject, exact: true });
  const others = page.getByRole("button", { name: more });
  await others.waitFor();
  if (!(await choice.isVisible())) await others.click();
  await choice.click();
}
