import { localizedPath } from "#core/languages.ts";
import { expect, filterPageIn, MADRID, openWizard } from "../support/filter-page.ts";
import { textsIn } from "../support/texts.ts";
import { expectAccessible, test } from "../support/visitor.ts";

test("TRUE-03 a step taken the moment a draft is taken up again makes one way back, not two", async ({
  page,
  baseURL,
}) => {
  const { form } = await openWizard(page, baseURL);
  await form.url.fill(MADRID);
  await form.next.click();
  await form.ids.fill("77");
  const german = filterPageIn(page, "de");
  // The moment between an entry of the history and the page that is drawn with it, which a slow machine makes long.
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

test("TRUE-03 what was typed survives a reload and a change of language, Back goes back one step, and leaving asks", async ({
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

  // The browser's own buttons go step by step; only from the first one is it asked about leaving.
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

test("signing out with something typed signs out, and the next person in this tab finds nothing", async ({
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
