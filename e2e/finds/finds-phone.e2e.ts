import type { Locator, Page } from "@playwright/test";
import { expect } from "../support/filter-page.ts";
import { addFinds, addSearches, newCodes } from "../support/finds.ts";
import { signIn, signUp } from "../support/people.ts";
import { inDatabase } from "../support/product-database.ts";
import { textsIn } from "../support/texts.ts";
import { expectAccessible, expectDestructive, expectNoSidewaysScroll, test } from "../support/visitor.ts";

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

const { finds } = textsIn("de");

test("FIND-01 on a phone a swipe keeps or hides a find with undo, a tap opens a sheet, and a failed save is reverted", async ({
  page,
  baseURL,
  outage,
}) => {
  const person = await signUp(baseURL ?? "", "Ana García");
  await addSearches(person);
  const homes = newCodes(3).map((id, place) => ({
    id,
    priceEur: 1_250_000,
    minutesAgo: 5 + place,
    street: `Calle de Prueba, ${place}`,
  }));
  await addFinds(person, homes);
  await signIn(page, person);
  await page.goto("/de/finds");
  const cards = page.getByRole("article");
  const card = (place: number) => cards.filter({ hasText: `Prueba, ${place}` });
  await expect(cards).toHaveCount(3);
  await expectNoSidewaysScroll(page);

  await swipe(page, card(0), { x: 160, y: 10 });
  await expect(card(0)).toContainText(finds.states.kept);
  await swipe(page, card(1), { x: -160, y: 10 });
  await expect(card(1)).toHaveCount(0);
  await page
    .getByRole("listitem")
    .filter({ hasText: finds.hiddenToast })
    .getByRole("button", { name: finds.undo })
    .click();
  await expect(card(1)).toBeVisible();
  // A mostly vertical swipe scrolls the page and leaves the card unchanged.
  await swipe(page, card(1), { x: -120, y: -140 });
  await expect(card(1)).toBeVisible();

  await outage.begin({ path: "rpc/mark_find", status: 500 });
  await card(2).getByRole("button", { name: finds.actions.hide }).click();
  await expectDestructive(page, { title: finds.failed.title, description: finds.failed.text });
  await expect(card(2)).toBeVisible();
  await outage.end();

  await card(2).getByRole("heading").getByRole("link").click();
  const sheet = page.getByRole("dialog");
  await expect(sheet.getByRole("heading", { name: finds.message.title })).toBeVisible();
  expect(await sheet.boundingBox()).toMatchObject({ x: 0, y: 0, width: 390, height: 844 });
  await expectNoSidewaysScroll(page);
  await sheet.getByRole("button", { name: finds.actions.hide }).click();
  await expect(sheet).toHaveCount(0);
  await expect(card(2)).toHaveCount(0);
});

test("FIND-01 a response from before an undo does not revert the undo", { tag: "@long" }, async ({
  page,
  baseURL,
}) => {
  const person = await signUp(baseURL ?? "", "Ana García");
  await addSearches(person);
  const [id = ""] = newCodes(1);
  await addFinds(person, [{ id, priceEur: 1_250_000, minutesAgo: 5, street: "Calle de Prueba, 1" }]);
  await signIn(page, person);
  await page.goto("/de/finds");
  const card = page.getByRole("article");
  await expect(card).toBeVisible();
  const asked = Promise.withResolvers<void>();
  const undone = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  await page.route(
    "**/rest/v1/rpc/my_find",
    async (route) => {
      const response = await route.fetch();
      asked.resolve();
      await undone.promise;
      await route.fulfill({ response });
      answered.resolve();
    },
    { times: 1 },
  );
  await card.getByRole("button", { name: finds.actions.hide }).click();
  await asked.promise;
  const saved = page.waitForResponse("**/rest/v1/rpc/mark_find");
  await page.getByRole("button", { name: finds.undo }).click();
  await saved;
  await expect(card).toBeVisible();
  await page.evaluate(`window.shown = document.querySelector("article")`);
  undone.resolve();
  await answered.promise;
  await page.waitForTimeout(300);
  expect(await page.evaluate<boolean>("window.shown.isConnected")).toBe(true);
});

test("FIND-01 two homes fit on a phone screen, the opened home has its actions in a bar, and a link skips to the homes (ru)", async ({
  page,
  baseURL,
}) => {
  const { finds: texts, common } = textsIn("ru");
  const person = await signUp(baseURL ?? "", "Ana García");
  await addSearches(person);
  const codes = newCodes(4);
  await addFinds(
    person,
    codes.map((id, index) => ({
      id,
      priceEur: 1_250,
      minutesAgo: 5 + index,
      street: "Calle de la Marquesa Viuda de Aldama y Ortega, 112",
    })),
  );
  const [, , withoutPhoto = "", ...others] = codes;
  await inDatabase(
    (sql) => sql`
    update watch.portal_listings
    set card = card || '{"pictureUrl": "https://img.idealista.com/a.jpg", "photoCount": 44}'
    where listing_id = any(${codes.filter((code) => code !== withoutPhoto)})`,
  );
  expect(others).toHaveLength(1);
  // Other tests may have brought figures of the place, which would be two lines more.
  await inDatabase(
    (sql) => sql`update watch.portal_listings set place_id = null where listing_id = any(${codes})`,
  );
  const photo = '<svg xmlns="http://www.w3.org/2000/svg"/>';
  await page.route("https://img.idealista.com/**", (route) =>
    route.fulfill({ contentType: "image/svg+xml", body: photo }),
  );
  await signIn(page, person);
  await page.goto("/ru/finds");
  const cards = page.getByRole("article");
  await expect(cards.first()).toContainText("44 фото");
  for (const card of [cards.nth(0), cards.nth(1)]) await expect(card).toBeInViewport({ ratio: 1 });
  await expect(cards.nth(2).locator("img, svg[viewBox='0 0 160 110']")).toHaveCount(0);

  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: common.skipToContent })).toBeFocused();
  await page.getByRole("link", { name: texts.skipToHomes }).press("Enter");
  await page.keyboard.press("Tab");
  await expect(cards.first()).toBeFocused();

  // The message's Spanish texts come only after the press. No other language stands in for them.
  const spanish = Promise.withResolvers<void>();
  let isBroken = true;
  await page.route("**/assets/locales/es/home-*.json", async (route) => {
    if (isBroken) return route.fulfill({ status: 503 });
    await spanish.promise;
    await route.continue();
  });
  await cards.first().getByRole("heading").getByRole("link").click();
  const sheet = page.getByRole("dialog");
  const portal = sheet.getByRole("link", { name: texts.actions.open });
  await expect(portal).toBeInViewport({ ratio: 1 });
  await expect(sheet.getByRole("alert")).toContainText(common.parts.broken);
  await expect(sheet.getByLabel(texts.message.label)).toHaveCount(0);
  isBroken = false;
  await sheet.getByRole("button", { name: common.parts.retry }).click();
  await sheet.getByRole("button", { name: texts.actions.message, exact: true }).click();
  await expect(sheet.getByRole("heading", { name: texts.message.title })).toBeFocused();
  spanish.resolve();
  await expect(sheet.getByLabel(texts.message.label)).toBeVisible();
  await expect(sheet.getByRole("heading", { name: texts.message.title })).toBeFocused();
  await expect(sheet.getByRole("heading", { name: texts.message.title })).toBeInViewport({ ratio: 1 });
  await expect(portal).toBeInViewport({ ratio: 1 });
  for (let press = 0; press < 6; press += 1) {
    await page.keyboard.press("Tab");
    const isSeen = await page.evaluate<boolean>(`(() => {
      const { left, right, top, bottom } = document.activeElement.getBoundingClientRect();
      const seen = document.elementFromPoint((left + right) / 2, (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2);
      return document.activeElement.contains(seen);
    })()`);
    expect(isSeen, `press ${press + 1}`).toBe(true);
  }
  // Here, because axe reads the whole page behind the opened home, and this list is short.
  await expectAccessible(page);
});

/** Touches a card in the middle and moves the finger by this distance. */
async function swipe(page: Page, card: Locator, by: { x: number; y: number }): Promise<void> {
  await card.scrollIntoViewIfNeeded();
  const box = await card.boundingBox();
  if (!box) throw new Error("The card is not visible");
  const from = { x: box.x + box.width / 2, y: Math.min(600, Math.max(200, box.y + box.height / 3)) };
  const session = await page.context().newCDPSession(page);
  const touch = (type: "touchStart" | "touchMove" | "touchEnd", share: number) =>
    session.send("Input.dispatchTouchEvent", {
      type,
      touchPoints: type === "touchEnd" ? [] : [{ x: from.x + by.x * share, y: from.y + by.y * share }],
    });
  await touch("touchStart", 0);
  for (const share of [0.1, 0.25, 0.5, 0.75, 1]) await touch("touchMove", share);
  await touch("touchEnd", 1);
}
