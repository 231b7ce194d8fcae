import { localizedPath } from "#core/languages.ts";
import { expect, filterPageIn, MADRID, openWizard } from "../support/filter-page.ts";
import { textsIn } from "../support/texts.ts";
import { expectAccessible, test } from "../support/visitor.ts";

test("TRUE-03 typed values survive a reload and a language change, Back goes back one step, and leaving asks for confirmation", async ({
  page,
  baseURL,
}) => {
  const { form } = await openWizard(page, baseURL);
  await form.url.fill(MADRID);
  await form.next.click();
  await form.ids.fill("77");
  const asked = page.waitForEvent("dialog");
  const reloading = page.reload();
  const dialog = await asked;
  expect(dialog.type()).toBe("beforeunload");
  await dialog.accept();
  await reloading;
  await expect(form.ids).toHaveValue("77");
  await page.getByRole("button", { name: "Language" }).click();
  await page.getByRole("menuitemradio", { name: "Deutsch" }).click();
  const german = filterPageIn(page, "de");
  await expect(german.ids).toHaveValue("77");
  await german.toReview.click();
  await expect(german.question).toHaveText(german.texts.review.question);

  // The browser's buttons go step by step, also over the change of language; only leaving from the first step asks.
  for (const [go, asked] of [
    [() => page.goBack(), german.texts.chats.question],
    [() => page.goBack(), form.texts.chats.question],
    [() => page.goBack(), form.texts.url.question],
    [() => page.goForward(), form.texts.chats.question],
    [() => page.goForward(), german.texts.chats.question],
    [() => page.goForward(), german.texts.review.question],
    [() => german.back.click(), german.texts.chats.question],
    [() => german.back.click(), german.texts.url.question],
  ] as const) {
    await go();
    await expect(german.question).toHaveText(asked);
  }
  await expect(german.question).toBeFocused();
  await expect(german.url).toHaveValue(MADRID);

  const { leave } = german.texts;
  const question = page.getByRole("alertdialog", { name: leave.title });
  await page.getByRole("banner").getByRole("link").first().click();
  await expect(question).toBeVisible();
  await expectAccessible(page);
  await question.getByRole("button", { name: leave.stay }).last().click();
  await expect(question).toBeHidden();
  await expect(german.url).toHaveValue(MADRID);
  await page.getByRole("banner").getByRole("link").first().click();
  await question.getByRole("button", { name: leave.leave }).click();
  await expect(page).toHaveURL(localizedPath("/", "de"));
  await page
    .getByRole("button", { name: textsIn("de").landing.hero.cta })
    .first()
    .click();
  await expect(german.url).toHaveValue("");
  await german.url.fill(MADRID);
  await german.next.click();
  await expect(german.question).toHaveText(german.texts.chats.question);
  await page.goBack();
  await expect(german.question).toHaveText(german.texts.url.question);
  await expect(question).toBeHidden();
  await page.goBack();
  await question.getByRole("button", { name: leave.leave }).click();
  await expect(page).toHaveURL(localizedPath("/", "de"));
});

test("signing out with unsaved input deletes the draft, and the next user in this tab starts empty", {
  tag: "@long",
}, async ({ page, baseURL }) => {
  const { form } = await openWizard(page, baseURL);
  await form.url.fill(MADRID);
  await page
    .getByRole("banner")
    .getByRole("button", { name: /Ana García/ })
    .click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await expect(page).toHaveURL("/");
  await expect(page.getByRole("banner").getByRole("button", { name: "Sign in" })).toBeVisible();
  expect(await page.evaluate(() => Object.keys(sessionStorage))).not.toContain("filterDraft");
  await openWizard(page, baseURL);
  await expect(form.url).toHaveValue("");
});
