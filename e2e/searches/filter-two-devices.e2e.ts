// One user on two devices: neither save overwrites the other's changes.
import type { Browser, Page } from "@playwright/test";
import {
  CHAMBERI,
  expect,
  filterOf,
  filterPageIn,
  MADRID,
  openEditForm,
  openWizard,
} from "../support/filter-page.ts";
import type { Person } from "../support/people.ts";
import { signIn } from "../support/people.ts";
import { inDatabase } from "../support/product-database.ts";
import { textsIn } from "../support/texts.ts";
import { expectAccessible, expectNoSidewaysScroll, expectSuccess, test } from "../support/visitor.ts";

test.describe.configure({ timeout: 300_000 });

const GETAFE =
  "https://www.idealista.com/alquiler-viviendas/getafe-madrid/?ordenado-por=fecha-publicacion-desc";

/** Opens the page on a second device of the same user. */
async function openDevice(browser: Browser, person: Person, language: "en" | "de" = "en") {
  const page = await (await browser.newContext({ locale: "en-GB" })).newPage();
  await signIn(page, person);
  const form = filterPageIn(page, language);
  await page.goto(form.path);
  await expect(form.saveChanges).toBeVisible();
  return { page, form, close: () => page.context().close() };
}

/** Delays the list of a page, so that it learns of changes made elsewhere only when it saves. */
async function holdBackReads(page: Page): Promise<() => void> {
  const gate = Promise.withResolvers<void>();
  await page.route("**/rest/v1/searches*", async (route) => {
    if (route.request().url().includes("order=")) await gate.promise;
    await route.fallback();
  });
  return gate.resolve;
}

const connectInTelegram = ({ id }: Person, chatId: string) =>
  inDatabase(
    (sql) => sql`
    update filter_settings set receiver_ids = array_append(receiver_ids, ${chatId}) where user_id = ${id}`,
  );

test("DOOR-17 a chat connected elsewhere is kept when a page that does not know of it saves", {
  tag: "@long",
}, async ({ page, baseURL }) => {
  const { person, form } = await openEditForm(page, baseURL);
  await holdBackReads(page);
  await form.url.fill(CHAMBERI);
  await connectInTelegram(person, "707");
  await form.saveChanges.click();
  await expectSuccess(page, {
    title: form.texts.messages.success,
    description: form.texts.messages.successUpdate,
  });
  expect(await filterOf(person)).toEqual({ url: CHAMBERI, ids: ["501", "707"] });
});

test("DOOR-17 changes saved on one device reach the other and are merged with its unsaved changes", async ({
  page,
  browser,
  baseURL,
}) => {
  const { person, form } = await openEditForm(page, baseURL);
  const other = await openDevice(browser, person);
  await other.form.url.fill(CHAMBERI);
  await other.form.saveChanges.click();
  await expect(other.form.saveChanges).toBeDisabled();
  await expect(form.url).toHaveValue(CHAMBERI);

  await other.form.ids.fill("501, 88");
  await form.url.fill(MADRID);
  await form.ids.fill("77");
  await form.saveChanges.click();
  await expect(form.saveChanges).toBeDisabled();
  await expect(other.form.url).toHaveValue(MADRID);
  await expect(other.form.ids).toHaveValue("88, 77");
  await other.form.saveChanges.click();
  await expect(other.form.saveChanges).toBeDisabled();
  expect(await filterOf(person)).toEqual({ url: MADRID, ids: ["88", "77"] });
  await other.close();
});

for (const language of ["en", "de"] as const) {
  test(`DOOR-17 if two devices save different searches, the second is asked which to keep, and nothing is lost before the answer (${language})`, {
    tag: language === "de" ? [] : "@long",
  }, async ({ page, browser, baseURL }) => {
    const { person, form } = await openEditForm(page, baseURL, { language });
    const { conflict } = textsIn(language).common;
    const other = await openDevice(browser, person, language);
    const releaseReads = await holdBackReads(page);
    await form.url.fill(GETAFE);
    await form.ids.fill("501, 66");
    await other.form.url.fill(CHAMBERI);
    await other.form.ids.fill("501, 55");
    await other.form.saveChanges.click();
    await expect(other.form.saveChanges).toBeDisabled();

    await form.saveChanges.click();
    releaseReads();
    const question = page
      .getByRole("alert")
      .filter({ hasText: conflict.title.replace("{{what}}", "Madrid") });
    await expect(question).toContainText(GETAFE);
    await expect(question).toContainText(CHAMBERI);
    await expect(question.getByRole("button", { name: conflict.useMine })).toBeVisible();
    expect(await filterOf(person)).toEqual({ url: CHAMBERI, ids: ["501", "55"] });
    await expect(form.url).toHaveValue(CHAMBERI);
    await expect(form.ids).toHaveValue("501, 55");
    if (language === "de") {
      await expectAccessible(page);
      await page.setViewportSize({ width: 320, height: 640 });
      await expectNoSidewaysScroll(page);
    }

    await page.reload();
    await expect(question).toBeVisible();
    if (language === "en") {
      await question.getByRole("button", { name: conflict.useMine }).click();
      await expect(form.url).toHaveValue(GETAFE);
      await expect(question).toHaveCount(0);
      expect(await filterOf(person)).toEqual({ url: GETAFE, ids: ["501", "55", "66"] });
    } else {
      await question.getByRole("button", { name: conflict.useTheirs }).click();
      await expect(question).toHaveCount(0);
      await expect(form.url).toHaveValue(CHAMBERI);
      expect(await filterOf(person)).toEqual({ url: CHAMBERI, ids: ["501", "55"] });
    }
    await other.close();
  });
}

test("DOOR-17 a field that was not touched follows another device, and the unsaved changes can be discarded", {
  tag: "@long",
}, async ({ page, baseURL }) => {
  const { person, form } = await openEditForm(page, baseURL);
  await form.ids.fill("77");
  await inDatabase(
    (sql) => sql`
    update filter_settings set filter_url = ${CHAMBERI} where user_id = ${person.id}`,
  );
  await expect(form.url).toHaveValue(CHAMBERI);
  await page.getByRole("button", { name: form.texts.edit.discard }).click();
  await expect(form.ids).toHaveValue("501");
  await expect(form.saveChanges).toBeDisabled();
});

test("DOOR-17 if a merge results in more than ten chats, an error is shown and all chats stay in the form", {
  tag: "@long",
}, async ({ page, baseURL }) => {
  const ids = ["501", "502", "503", "504", "505", "506", "507", "508", "509"];
  const { person, form } = await openEditForm(page, baseURL, { ids });
  const releaseReads = await holdBackReads(page);
  await form.ids.fill([...ids, "510"].join(", "));
  await connectInTelegram(person, "707");
  await form.saveChanges.click();
  releaseReads();
  await expect(page.getByRole("alert").filter({ hasText: form.texts.elsewhere.tooMany })).toBeVisible();
  await expect(form.ids).toHaveValue([...ids, "510", "707"].join(", "));
  expect(await filterOf(person)).toMatchObject({ ids: [...ids, "707"] });
  await form.ids.fill([...ids, "707"].join(", "));
  await expect(form.saveChanges).toBeDisabled();
});

test("DOOR-17 saving a filter that was deleted on another device does not recreate it silently", {
  tag: "@long",
}, async ({ page, baseURL }) => {
  const { person, form } = await openEditForm(page, baseURL);
  const releaseReads = await holdBackReads(page);
  await form.ids.fill("501, 66");
  await inDatabase((sql) => sql`delete from filter_settings where user_id = ${person.id}`);
  await form.saveChanges.click();
  releaseReads();
  await expect(page.getByText(form.texts.elsewhere.deleted)).toBeVisible();
  await expect(form.url).toHaveValue(MADRID);
  expect(await filterOf(person)).toBeUndefined();
  await form.next.click();
  await expect(form.ids).toHaveValue("501, 66");
  await form.toReview.click();
  await form.save.click();
  await expect(form.saveChanges).toBeVisible();
  expect(await filterOf(person)).toEqual({ url: MADRID, ids: ["501", "66"] });
});

test("DOOR-17 if another device has saved a filter first, the wizard asks which to keep", {
  tag: "@long",
}, async ({ page, baseURL }) => {
  const { person, form } = await openWizard(page, baseURL);
  await form.url.fill(GETAFE);
  await form.next.click();
  await form.ids.fill("77");
  await form.toReview.click();
  const releaseReads = await holdBackReads(page);
  await inDatabase(
    (sql) => sql`
    insert into filter_settings (user_id, filter_url, receiver_ids) values (${person.id}, ${MADRID}, '{5}')`,
  );
  await form.save.click();
  releaseReads();
  const { conflict } = textsIn("en").common;
  const question = page.getByRole("alert").filter({ hasText: conflict.title.replace("{{what}}", "Madrid") });
  await expect(question).toContainText(GETAFE);
  await expect(form.url).toHaveValue(MADRID);
  await expect(form.ids).toHaveValue("5");
  await question.getByRole("button", { name: conflict.useMine }).click();
  await expect(form.url).toHaveValue(GETAFE);
  await expect(form.ids).toHaveValue("5, 77");
  expect(await filterOf(person)).toEqual({ url: GETAFE, ids: ["5", "77"] });
});
