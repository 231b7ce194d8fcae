import { localizedPath } from "#core/languages.ts";
import { expect, filterPageIn, MADRID, openWizard } from "../support/filter-page.ts";
import { textsIn } from "../support/texts.ts";
import { expectAccessible, test } from "../support/visitor.ts";

test("TRUE-03 a step taken while a draft is being restored adds one history entry, not two", async ({
  page,
  baseURL,
}) => {
  const { form } = await openWizard(page, baseURL);
  await form.url.fill(MADRID);
  await form.next.click();
  await form.ids.fill("77");
  const german = filterPageIn(page, "de");
  // Click between the new history entry and its rendering, which can be long on a slow machine.
  await page.evaluate(`{
    const pushState = history.pushState.bind(history);
    history.pushState = (...entry) => {
      pushState(...entry);
      const next = [...document.querySelectorAll("button")].find(
        ({ textContent }) => textContent === ${JSON.stringify(german.texts.steps.toReview)},
      );
      if (!next) return;
      history.pushState = pushState;
      queueMicrotask(() => next.click());
    };
  }`);
  await page.getByRole("button", { name: "Language" }).click();
  await page.getByRole("menuitemradio", { name: "Deutsch" }).click();
  const { review, chats, url } = german.texts;
  await expect(german.question).toHaveText(review.question);
  for (const { question } of [chats, url]) {
    await german.back.click();
    await expect(german.question).toHaveText(question);
  }
});

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

  // The browser's buttons go step by step; only leaving from the first step asks for confirmation.
  for (const [go, asked] of [
    [() => page.goBack(), german.texts.chats.question],
    [() => page.goBack(), german.texts.url.question],
    [() => page.goForward(), german.texts.chats.question],
    [() => page.goForward(), german.texts.review.question],
    [() => german.back.click(), german.texts.chats.question],
    [() => german.back.click(), german.texts.url.question],
  ] as const) {
    await go();
    await expect(german.question).toHaveText(asked);
    await expect(german.question).toBeFocused();
  }
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

test("signing out with unsaved input deletes the draft, and the next user in this tab starts empty", async ({
  page,
  baseURL,
}) => {
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
