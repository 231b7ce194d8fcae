import { expect, filterOf, filterPageIn, MADRID, openWizard, SHARED } from "../support/filter-page.ts";
import { signIn, signUp } from "../support/people.ts";
import { inDatabase } from "../support/product-database.ts";
import { textsIn } from "../support/texts.ts";
import {
  expectAccessible,
  expectDestructive,
  expectNoSidewaysScroll,
  expectSuccess,
  test,
} from "../support/visitor.ts";

test("WIZ-01 WIZ-02 WIZ-03 WIZ-04 WIZ-05 TRUE-03 three steps lead to a saved filter (ru)", async ({
  page,
  baseURL,
}) => {
  const { person, form } = await openWizard(page, baseURL, "ru");
  const { texts } = form;
  await expect(form.progress).toHaveAttribute("aria-valuenow", "33");
  await expect(form.url).toHaveAttribute("type", "url");
  for (const step of ["open", "filter", "copy", "paste"]) {
    await expect(page.getByText(texts.help[step])).toBeVisible();
  }
  await form.next.click();
  await expect(form.url).toHaveAccessibleDescription(texts.url.required);
  await expect(form.url).toBeFocused();
  await form.url.fill("https://www.fotocasa.es/");
  await expect(form.url).toHaveAccessibleDescription(texts.url.invalid);
  await expectAccessible(page);
  await form.url.fill(MADRID);
  await page.evaluate("window.scrollTo(0, document.body.scrollHeight)");
  await form.next.click();

  await expect(form.question).toHaveText(texts.chats.question);
  await expect(form.question).toBeFocused();
  await expect.poll(() => page.evaluate("window.scrollY")).toBe(0);
  await expect(form.progress).toHaveAttribute("aria-valuenow", "66");
  await expect(page.getByText("/start")).toContainText("@SerenoSimulatedBot");
  const service = page.getByRole("region", { name: texts.service.title });
  for (const fact of ["intervalValue", "subscriptionValue", "notificationsValue"]) {
    await expect(service).toContainText(texts.service[fact]);
  }
  await form.toReview.click();
  await expect(form.ids).toHaveAccessibleDescription(texts.chats.required);
  await form.ids.fill(" , ");
  await expect(form.ids).toHaveAccessibleDescription(texts.chats.required);
  await form.ids.fill("123456789, , -1001234567890 ");
  await expectAccessible(page);
  await form.back.click();
  await expect(form.progress).toHaveAttribute("aria-valuenow", "33");
  await expect(form.url).toHaveValue(MADRID);
  await form.next.click();
  await form.toReview.click();

  await expect(form.question).toHaveText(texts.review.question);
  await expect(form.progress).toHaveAttribute("aria-valuenow", "100");
  await expect(page.getByRole("region", { name: texts.review.search })).toContainText(MADRID);
  const chats = page.getByRole("region", { name: texts.review.chats });
  await expect(chats).toContainText("123456789");
  await expect(chats).toContainText("-1001234567890");
  await expect(service).toContainText(texts.service.intervalValue);
  await expectAccessible(page);
  await page.evaluate("window.scrollTo(0, document.body.scrollHeight)");
  await form.save.click();
  await expectSuccess(page, {
    title: texts.messages.success,
    description: texts.messages.successInitial,
  });
  await expect(form.form).toContainText(texts.edit.badge);
  await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
  await expect.poll(() => page.evaluate("window.scrollY")).toBe(0);
  expect(await filterOf(person)).toEqual({ url: MADRID, ids: ["123456789", "-1001234567890"] });
});

test("WIZ-08 if the filter cannot be loaded, an error with a retry button is shown (de)", {
  tag: "@long",
}, async ({ page, baseURL, outage }) => {
  await outage.begin({ path: "/rest/v1/searches", status: 500 });
  const form = filterPageIn(page, "de");
  await signIn(page, await signUp(baseURL ?? "", "Ana García"));
  await page.goto(form.path);
  const { errorLoad, errorLoadAdvice, error, retry } = form.texts.messages;
  await expectDestructive(page, { title: error, description: errorLoad });
  await expect(page.getByRole("alert")).toContainText(errorLoadAdvice);
  await expectAccessible(page);
  await outage.end();
  await page.getByRole("button", { name: retry }).click();
  await expect(form.question).toHaveText(form.texts.url.question);
});

test("WIZ-03 WIZ-08 every kind of invalid chat ID has its own message, and a failed save keeps the typed values (en)", {
  tag: "@long",
}, async ({ page, baseURL, outage }) => {
  const { person, form } = await openWizard(page, baseURL, "en");
  await form.url.fill(MADRID);
  await form.next.click();
  const cases = {
    name: "@ana",
    phone: "+34 600 123 456",
    spaces: "123 456",
    characters: "ana",
    zero: "0",
    "too-long": "12345678901234",
    doubled: "7, 7",
    "too-many": "1,2,3,4,5,6,7,8,9,10,11",
  };
  for (const [fault, typed] of Object.entries(cases)) {
    await form.ids.fill(typed);
    await form.toReview.click();
    const entry = fault === "doubled" ? "7" : typed;
    const message: string = form.texts.chats.faults[fault]
      .replace("{{entry}}", entry)
      .replace("{{bot}}", "SerenoSimulatedBot");
    await expect(form.ids).toHaveAccessibleDescription(message);
  }
  await form.ids.fill("5, 6");
  await form.toReview.click();
  await outage.begin({ method: "POST", path: "/rest/v1/rpc/save_first", status: null });
  await form.save.click();
  const { error, errorSave, errorSaveAdvice } = form.texts.messages;
  await expectDestructive(page, { title: error, description: errorSave });
  await expect(page.getByRole("alert").filter({ hasText: errorSaveAdvice })).toBeVisible();
  await page.reload();
  await expect(page.getByRole("region", { name: form.texts.review.chats })).toContainText("6");
  await outage.end();
  await form.save.click();
  await expect(form.saveChanges).toBeVisible();
  expect(await filterOf(person)).toEqual({ url: MADRID, ids: ["5", "6"] });
});

test("WIZ-07 DOOR-17 saving in the wizard updates the same search that was saved elsewhere in the meantime, and keeps its chats", async ({
  page,
  baseURL,
}) => {
  const { person, form } = await openWizard(page, baseURL);
  await form.url.fill(MADRID);
  await form.next.click();
  await form.ids.fill("77");
  await form.toReview.click();
  await inDatabase(
    (sql) => sql`
    insert into filter_settings (user_id, filter_url, receiver_ids) values (${person.id}, ${MADRID}, '{5}')`,
  );
  await form.save.click();
  await expectSuccess(page, {
    title: form.texts.messages.success,
    description: form.texts.messages.successUpdate,
  });
  await expect(form.saveChanges).toBeVisible();
  expect(await filterOf(person)).toEqual({ url: MADRID, ids: ["5", "77"] });
  await inDatabase((sql) => sql`delete from filter_settings where user_id = ${person.id}`);
  await expect(form.progress).toHaveAttribute("aria-valuenow", "33");
  await expect(page.getByText(form.texts.elsewhere.deleted)).toBeVisible();
});

test("TRUE-03 the wizard and the edit form fit a 320-pixel phone in German, and the buttons to go on and to save stay in view", {
  tag: "@long",
}, async ({ page, baseURL }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  const { form } = await openWizard(page, baseURL, "de");
  await expect(form.next).toBeInViewport({ ratio: 1 });
  await form.url.fill(SHARED);
  await expectNoSidewaysScroll(page);
  // The bar with the buttons does not cover the field being edited.
  await form.url.focus();
  await form.url.click({ trial: true });
  await form.next.click();
  await expect(form.toReview).toBeInViewport({ ratio: 1 });
  await form.ids.fill("123456789, -1001234567890");
  await form.ids.click({ trial: true });
  await expectNoSidewaysScroll(page);
  await form.toReview.click();
  await expect(form.save).toBeInViewport({ ratio: 1 });
  const link = page.getByRole("button", { name: "https://www.idealista.com/" });
  const lineHeight = (await link.boundingBox())?.height ?? 0;
  await link.click();
  await expect.poll(async () => (await link.boundingBox())?.height ?? 0).toBeGreaterThan(lineHeight);
  await expectNoSidewaysScroll(page);
  await form.save.click();
  await expect(form.saveChanges).toBeVisible();
  await expectNoSidewaysScroll(page);
  const heading = page.getByRole("heading", { level: 1 });
  await expect(heading).toBeFocused();
  await expect(heading).toBeInViewport();

  await expect(form.saveChanges).toBeDisabled();
  await form.url.fill(MADRID);
  const cookies = page.getByRole("region", { name: textsIn("de").common.cookies.label });
  await expect(cookies).toBeHidden();
  // A toast stays while the pointer is over it.
  await page.mouse.move(0, 0);
  await expect(page.locator("[data-sonner-toast]")).toHaveCount(0);
  for (const end of ["0", "document.body.scrollHeight / 2", "document.body.scrollHeight - 2 * innerHeight"]) {
    await page.evaluate(`window.scrollTo(0, ${end})`);
    await expect(form.saveChanges).toBeInViewport({ ratio: 1 });
    // The trial click fails if something covers the button.
    await form.saveChanges.click({ trial: true });
  }
  await expectNoSidewaysScroll(page);
  await form.saveChanges.click();
  await expect(form.saveChanges).toBeDisabled();
  await expect(heading).toBeFocused();
  await expect(heading).toBeInViewport();
});
