import type { Locator } from "@playwright/test";
import { type Language, localizedPath } from "#core/languages.ts";
import { goOnline } from "../offline/connection.ts";
import {
  ageSearches,
  CHAMBERI,
  expect,
  filterOf,
  filterPageIn,
  MADRID,
  openEditForm,
} from "../support/filter-page.ts";
import { expectSoundLayout, SIDEWAYS } from "../support/layout.ts";
import { inDatabase } from "../support/product-database.ts";
import { newPhone, newToken, press, pressStart } from "../support/telegram.ts";
import { textsIn } from "../support/texts.ts";
import {
  expectAccessible,
  expectDestructive,
  expectNoSidewaysScroll,
  expectSuccess,
  test,
} from "../support/visitor.ts";

test("WIZ-06 WIZ-07 DATA-05 TRUE-03 the edit form is open on arrival and can be saved only with real changes (en)", async ({
  page,
  baseURL,
}) => {
  const { person, form } = await openEditForm(page, baseURL, {
    language: "en",
    ids: ["501", "-1001234567890"],
  });
  const { texts } = form;
  await expect(form.form).toContainText(texts.edit.badge);
  await expect(form.url).toHaveValue(MADRID);
  await expect(form.ids).toHaveValue("501, -1001234567890");
  await expect(form.url).toHaveAccessibleDescription(texts.url.hint);
  await expect(form.ids).toHaveAccessibleDescription(texts.chats.hint);
  const service = page.getByRole("region", { name: texts.service.title });
  await expect(service).toContainText(texts.service.note);
  await expect(service.locator("input, select, button")).toHaveCount(0);
  await expect(form.saveChanges).toBeDisabled();
  await form.url.fill(`${MADRID}&utm_source=app`);
  await form.ids.fill("501,-1001234567890,");
  await expect(form.saveChanges).toBeDisabled();

  const edgesOf = async (part: Locator) => {
    const { y = Number.NaN, height = 0 } = (await part.boundingBox()) ?? {};
    return { top: y, bottom: y + height };
  };
  const edit = form.watch.getByRole("button", { name: texts.searches.edit });
  await edit.click();
  await expect(form.url).toBeHidden();
  await edit.press("Enter");
  await expect(edit).toHaveAttribute("aria-expanded", "true");

  const bar = page.getByRole("region", { name: texts.edit.unsaved });
  await expect(bar).toHaveCount(0);
  await form.url.fill("");
  await expect(form.saveChanges).toBeEnabled();
  // The bar does not cover the field being edited.
  await expect
    .poll(async () => (await edgesOf(bar)).top - (await edgesOf(form.url)).bottom)
    .toBeGreaterThan(0);
  await form.saveChanges.click();
  await expect(form.url).toHaveAccessibleDescription(texts.url.required);
  await form.url.fill(CHAMBERI);
  await form.ids.fill("");
  await form.saveChanges.click();
  await expect(form.ids).toHaveAccessibleDescription(texts.chats.required);
  await form.ids.fill("501");
  await form.saveChanges.click();
  await expectSuccess(page, {
    title: texts.messages.success,
    description: texts.messages.successUpdate,
  });
  await expect(form.saveChanges).toBeDisabled();
  await expect(bar).toHaveCount(0);
  await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
  await expect.poll(() => page.evaluate("window.scrollY")).toBe(0);
  expect(await filterOf(person)).toEqual({ url: CHAMBERI, ids: ["501"] });
});

/** Of one search with a connected chat, on a phone, with the footer. */
const HIGHEST_PX = 1_630;

test("WIZ-06 TRUE-03 on a phone the page of one search is short, Save is in the way of nothing while nothing is to be saved, and its parts open one at a time by keyboard", {
  tag: "@long",
}, async ({ page, baseURL }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const url =
    "https://www.idealista.com/alquiler-viviendas/madrid/chamberi/con-precio-hasta_1500,de-dos-dormitorios,ascensor,terraza/?ordenado-por=fecha-publicacion-desc";
  const { person } = await openEditForm(page, baseURL, { language: "de", url });
  const phone = await newPhone("Wilhelmina García");
  await pressStart(phone, await newToken(baseURL, person));
  await press(phone, "That's me");
  await inDatabase(
    (sql) => sql`update searches set receiver_ids = ${[String(phone)]} where user_id = ${person.id}`,
  );
  await ageSearches(person);
  await page.evaluate("localStorage.setItem('cookieConsent', 'true')");
  for (const language of ["de", "ru", "fr"] satisfies Language[]) {
    const form = filterPageIn(page, language);
    await page.goto(localizedPath("/filter-settings", language));
    await expect(form.watch).toContainText(form.health.watching.title, { timeout: 60_000 });
    await expect(form.watch).toContainText("Wilhelmina García");
    await expect(form.url).toBeVisible();
    await expect(form.ids).toBeVisible();
    await expect(form.saveChanges).toBeDisabled();
    await expect(page.locator("h2 > button[aria-expanded=false]")).toHaveCount(5);
    const height = await page.evaluate<number>("document.documentElement.scrollHeight");
    expect(height, language).toBeLessThanOrEqual(HIGHEST_PX);
    await expectNoSidewaysScroll(page);
  }
  const form = filterPageIn(page, "fr");
  const { quiet } = form.texts;
  const [chats, hours] = [form.fold(form.texts.chats.list), form.fold(form.texts.folds.loud)];
  await chats.press("Enter");
  await expect(form.chats).toContainText("Wilhelmina García");
  await expectAccessible(page);
  await chats.press("ArrowDown");
  await expect(hours).toBeFocused();
  await hours.press("Space");
  await expect(form.chats).toBeHidden();
  await expect(page.getByRole("switch", { name: quiet.toggle })).toBeVisible();
  await expect(chats).toHaveAttribute("aria-expanded", "false");
  await hours.press("Enter");
  await expect(page.getByRole("switch", { name: quiet.toggle })).toBeHidden();
});

test("WIZ-08 a failed update keeps the typed values and names the field that the server refused (de)", async ({
  page,
  baseURL,
}) => {
  const { person, form } = await openEditForm(page, baseURL, { language: "de" });
  const { messages } = form.texts;
  await form.url.fill(CHAMBERI);
  const answers = [
    { details: "", advice: messages.errorSaveAdvice },
    { details: "filter_url_leads_to_a_search", advice: messages.refusedUrl },
    { details: "receiver_ids_are_named_once", advice: messages.refusedIds },
  ];
  for (const { details, advice } of answers) {
    await page.route("**/rest/v1/searches*", (route) =>
      route.request().method() === "PATCH"
        ? route.fulfill({ status: 400, json: { code: "23514", message: "no", details, hint: null } })
        : route.fallback(),
    );
    await form.saveChanges.click();
    await expectDestructive(page, { title: messages.error, description: messages.errorSave });
    await expect(page.getByRole("alert").filter({ hasText: advice })).toBeVisible();
    await page.unroute("**/rest/v1/searches*");
  }
  await expect(form.url).toHaveValue(CHAMBERI);
  expect(await filterOf(person)).toEqual({ url: MADRID, ids: ["501"] });
  await page.getByRole("button", { name: form.texts.edit.discard }).click();
  await expect(form.url).toHaveValue(MADRID);
});

/** Resolves once a toast and a notice in the bar stand still: whether the toast is above the bar. */
const IS_TOAST_ABOVE_BAR = `new Promise((resolve) => {
  let before = "";
  let stillFrames = 0;
  const look = () => {
    const toast = document.querySelector("[data-sonner-toast]")?.getBoundingClientRect();
    const bar = document.querySelector("[data-keep-clear]:has([role=alert])")?.getBoundingClientRect();
    const now = toast && bar ? [toast.top, toast.bottom, bar.top].join() : "";
    stillFrames = now !== "" && now === before ? stillFrames + 1 : 0;
    before = now;
    if (stillFrames < 20) requestAnimationFrame(look);
    else resolve(toast.bottom <= bar.top);
  };
  look();
})`;

const IS_NOTICE_ABOVE_BAR = `(() => {
  const boxOf = (selector) => document.querySelector(selector).getBoundingClientRect();
  return boxOf("body > [role=status] > p").bottom <= boxOf("[data-keep-clear]:has([role=alert])").top;
})()`;

/** Scrolls until the lower edge of the field would be under the notice, and focuses it. */
const FOCUS_UNDER_NOTICE = `{
  const field = document.querySelector("input[name=ids]");
  const { top } = document.querySelector("[data-connection-notice]").getBoundingClientRect();
  scrollBy({ top: field.getBoundingClientRect().bottom - top - 10, behavior: "instant" });
  field.focus();
}`;

test("TRUE-03 CALM-08 on a narrow phone a toast stays above the bar to save, also when the bar grows, and so does the notice of a cut line, which covers no focused field (de)", async ({
  page,
  context,
  baseURL,
  outage,
}) => {
  await page.setViewportSize(SIDEWAYS);
  const { form } = await openEditForm(page, baseURL, { language: "de" });
  const cutLine = async () => {
    await context.setOffline(true);
    await expect(page.getByText(textsIn("de").common.parts.offline, { exact: true })).toBeVisible();
  };
  await cutLine();
  await page.evaluate(FOCUS_UNDER_NOTICE);
  await expectSoundLayout(page);
  await goOnline(context);
  await page.setViewportSize({ width: 320, height: 640 });
  // The first toast loads the toast library, so that the next one is there before the bar has grown.
  await outage.begin({ method: "PATCH", path: "/rest/v1/searches", status: 500 });
  await form.watch.getByRole("button", { name: form.texts.watch.pause }).click();
  await page.locator("[data-sonner-toast] [data-close-button]").click();
  await expect(page.locator("[data-sonner-toast]")).toHaveCount(0);
  await form.url.fill(CHAMBERI);
  const isAbove = page.evaluate<boolean>(IS_TOAST_ABOVE_BAR);
  await form.saveChanges.click();
  expect(await isAbove).toBe(true);
  await cutLine();
  expect(await page.evaluate(IS_NOTICE_ABOVE_BAR)).toBe(true);
});

test("EASY-07 quiet hours can be saved and turned off, and the watch can be paused and resumed; a failure shows an error", async ({
  page,
  baseURL,
  outage,
}) => {
  const { person, form } = await openEditForm(page, baseURL);
  const { quiet } = form.texts;
  const { loud } = form.texts.folds;
  const panel = page.getByRole("region", { name: loud });
  await expect(panel).toBeHidden();
  await form.fold(loud).click();
  const toggle = panel.getByRole("switch", { name: quiet.toggle });
  await expect(toggle).not.toBeChecked();
  // Saved at once, a time when its field is left: the page has one Save, for what is typed elsewhere.
  await toggle.click();
  const until = panel.getByLabel(quiet.until, { exact: true });
  await panel.getByLabel(quiet.from, { exact: true }).fill("22:30");
  await until.fill("22:30");
  await until.blur();
  await expect(until).toHaveAccessibleDescription(quiet.same);
  await until.fill("07:15");
  await until.blur();
  await expectSuccess(page, {
    title: quiet.saved.title,
    description: quiet.saved.description.replace("{{from}}", "22:30").replace("{{until}}", "07:15"),
  });
  const stored = () =>
    inDatabase(async (sql) => [
      ...(await sql`select quiet_from, quiet_until from filter_settings where user_id = ${person.id}`),
    ]);
  expect(await stored()).toEqual([{ quiet_from: "22:30:00", quiet_until: "07:15:00" }]);
  await page.reload();
  await expect(form.fold(loud)).toContainText("22:30–07:15");
  await form.fold(loud).click();
  await expect(toggle).toBeChecked();
  await toggle.click();
  await expectSuccess(page, quiet.off);
  expect(await stored()).toEqual([{ quiet_from: null, quiet_until: null }]);

  const { watch, messages } = form.texts;
  const isPaused = () =>
    inDatabase(
      async (sql) => (await sql`select is_paused from filter_settings where user_id = ${person.id}`)[0],
    );
  await form.watch.getByRole("button", { name: watch.pause }).click();
  await expect(form.watch).toContainText(form.health.paused.title);
  await expect(form.watch).toContainText(form.health.paused.text);
  expect(await isPaused()).toEqual({ is_paused: true });
  await expect(form.saveChanges).toBeDisabled();
  await form.watch.getByRole("button", { name: watch.resume }).click();
  await expect(form.watch.getByRole("button", { name: watch.pause })).toBeVisible();
  expect(await isPaused()).toEqual({ is_paused: false });
  await outage.begin({ method: "PATCH", path: "/rest/v1/searches", status: 500 });
  await form.watch.getByRole("button", { name: watch.pause }).click();
  await expectDestructive(page, { title: messages.error, description: watch.pauseFailed });
});
