import { expect, type Page } from "@playwright/test";
import texts from "../../src/text/locales/en/mini-app.json" with { type: "json" };
import { miniAppOf } from "../support/telegram.ts";
import { expectAccessible, expectNoSidewaysScroll, test } from "../support/visitor.ts";
import { newHunter } from "./app-hunter.ts";
import { callsOf, changeTheme, insideTelegram, pressBack, shownBy } from "./telegram-client.ts";

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

const home = (page: Page) => page.getByText("Calle de Luchana").first();
const keep = (page: Page) => page.getByRole("button", { name: /^(Keep|Kept)$/ }).first();

for (const version of ["6.0", "7.10", "8.0", "9.6"]) {
  test(`MINI-04 MINI-05 a client of version ${version} is asked for nothing newer, and back works without its button`, {
    tag: version === "8.0" ? [] : "@long",
  }, async ({ page, baseURL }) => {
    const { phone } = await newHunter(baseURL);
    await insideTelegram(page, { version });
    await page.goto(await miniAppOf(phone, { version }));
    await page
      .getByRole("link", { name: /Calle de Luchana/ })
      .first()
      .click();
    await expect(page.getByRole("dialog")).toBeVisible();
    const share = page.getByRole("dialog").getByRole("button", { name: texts.share });
    if (version >= "8.0") await expect(share).toBeVisible();
    else await expect(share).toHaveCount(0);
    expect((await shownBy(page)).ignored).toEqual([]);
    if (version === "6.0")
      await page.getByRole("dialog").getByRole("button", { name: "Close" }).first().click();
    else await pressBack(page);
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expect.poll(async () => (await shownBy(page)).isBackShown).toBe(false);
    const link = `<a href="https://t.me/SomeBot?start=x">Chat</a>`;
    await page.evaluate(
      `document.querySelector("main").insertAdjacentHTML("afterbegin", ${JSON.stringify(link)})`,
    );
    await page.getByRole("link", { name: "Chat" }).click();
    expect(await shownBy(page)).toMatchObject({ ignored: [], opened: ["https://t.me/SomeBot?start=x"] });
  });
}

test("MINI-04 a client that answers nothing, or without a size, hinders nothing", async ({
  page,
  baseURL,
}) => {
  const { phone } = await newHunter(baseURL);
  await insideTelegram(page, { isSilent: true });
  await page.goto(await miniAppOf(phone));
  await expect(home(page)).toBeVisible();
  await page.evaluate(`Telegram.WebView.receiveEvent("viewport_changed", null)`);
  await page.evaluate(`TelegramGameProxy.receiveEvent("safe_area_changed", null)`);
  await page.evaluate(`Telegram.WebView.receiveEvent("theme_changed", "{")`);
  await keep(page).click();
  await expect(keep(page)).toHaveText("Kept");
});

test("MINI-05 the theme changes while the app is open, and both insets add up", async ({ page, baseURL }) => {
  const { phone } = await newHunter(baseURL);
  await insideTelegram(page);
  await page.goto(await miniAppOf(phone));
  await expect(home(page)).toBeVisible();
  const html = page.locator("html");
  await expect(html).toHaveAttribute("data-theme", "light");
  await changeTheme(page, { bg_color: "#17212b" });
  await expect(html).toHaveAttribute("data-theme", "dark");
  await changeTheme(page, { bg_color: "javascript:0" });
  await expect(html).toHaveAttribute("data-theme", "dark");
  await expect(page.getByRole("main")).toHaveCSS("padding-top", "64px");
  await expect(page.getByRole("main")).toHaveCSS("padding-bottom", "12px");
  await page
    .getByRole("link", { name: /Calle de Luchana/ })
    .first()
    .click();
  const sheet = page.getByRole("dialog");
  await expect(sheet).toBeVisible();
  const box = await sheet.boundingBox();
  const height = page.viewportSize()?.height ?? 0;
  expect(box?.y).toBeGreaterThanOrEqual(64);
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(height - 12);
});

test("MINI-05 adverts open outside and the app stays", async ({ page, baseURL }) => {
  const { phone, code } = await newHunter(baseURL);
  await insideTelegram(page);
  await page.goto(await miniAppOf(phone));
  await page
    .getByRole("article")
    .getByRole("link", { name: /Idealista/ })
    .first()
    .click();
  expect((await shownBy(page)).opened).toEqual([expect.stringContaining(`/inmueble/${code}/`)]);
  expect(new URL(page.url()).pathname).toBe("/app/finds");
});

test("MINI-05 swipes close the app except where the map moves", { tag: "@long" }, async ({
  page,
  baseURL,
}) => {
  const { phone } = await newHunter(baseURL);
  await insideTelegram(page);
  const url = await miniAppOf(phone);
  await page.goto(url);
  await expect(home(page)).toBeVisible();
  const swipes = async () =>
    (await shownBy(page)).calls.filter(({ type }) => type === "web_app_setup_swipe_behavior").at(-1)?.data
      .allow_vertical_swipe;
  await expect.poll(swipes).toBe(true);
  await page.goto("/robots.txt");
  await page.goto(url.replace("/app/finds#", "/app/finds?view=map#"));
  await expect.poll(swipes).toBe(false);
});

test("MINI-05 a note stays in view over an open keyboard", { tag: "@long" }, async ({ page, baseURL }) => {
  const { phone } = await newHunter(baseURL);
  await insideTelegram(page);
  await page.goto(await miniAppOf(phone));
  await page.getByRole("button", { name: "Note", exact: true }).first().click();
  const field = page.getByRole("textbox", { name: "Your note on this home" });
  await expect(field).toBeFocused();
  await page.setViewportSize({ width: 390, height: 420 });
  await field.pressSequentially("Call");
  await expect(field).toBeInViewport({ ratio: 1 });
  expect(await page.locator("meta[name=viewport]").getAttribute("content")).not.toMatch(
    /user-scalable|maximum/,
  );
});

test("MINI-05 axe finds nothing in the app, it fits 320 px, and the keyboard reaches everything", async ({
  page,
  baseURL,
}) => {
  const { phone } = await newHunter(baseURL);
  await insideTelegram(page, { phone });
  await page.goto(await miniAppOf(phone));
  await expect(home(page)).toBeVisible();
  await expect(page.getByRole("heading", { name: texts.writeTitle })).toBeVisible();
  await page.evaluate("delete document.documentElement.dataset.theme");
  await expectAccessible(page);
  await page.setViewportSize({ width: 320, height: 640 });
  await expectNoSidewaysScroll(page);
  const reached: string[] = [];
  for (let tabs = 0; tabs < 12; tabs += 1) {
    await page.keyboard.press("Tab");
    reached.push(String(await page.evaluate("document.activeElement?.textContent")));
  }
  expect(reached).toEqual(expect.arrayContaining([texts.searches, texts.allowWriting]));
  await page.getByRole("link", { name: texts.searches }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("link", { name: texts.backToHomes })).toBeVisible();
  await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
  expect(await callsOf(page)).toContain("web_app_setup_back_button");
});
