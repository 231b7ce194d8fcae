// A user with three searches and 300 finds decides about them on the page and in the chat.
import type { Page } from "@playwright/test";
import { expect } from "../support/filter-page.ts";
import { addAlert, addFinds, addSearches, type FindToAdd, newCodes } from "../support/finds.ts";
import { type Person, signIn, signUp } from "../support/people.ts";
import { collectProblems } from "../support/problems.ts";
import { inDatabase } from "../support/product-database.ts";
import { newPhone, newToken, press, pressStart } from "../support/telegram.ts";
import { textsIn } from "../support/texts.ts";
import { expectAccessible, test } from "../support/visitor.ts";

const { alert, common, finds } = textsIn("en");

const HOMES = 300;
const codes = newCodes(HOMES + 1);

/** The n-th newest; prices fall with age, so that the oldest is the cheapest. */
const home = (place: number): FindToAdd => ({
  id: codes[place] ?? "",
  search: place % 3,
  priceEur: 400_000 - place * 1_000,
  minutesAgo: 10 + place * 7,
  street: `Calle de Prueba, ${place}`,
  ...(place === 1 ? { formerPriceEur: 430_000 } : {}),
  ...(place === 4 ? { minutesAgo: 60, goneMinutesAgo: 19 } : {}),
});

const marksOf = ({ id }: Person) =>
  inDatabase(
    async (sql) =>
      await sql`select listing_id, mark, note from public.marks where user_id = ${id} order by listing_id`,
  );

test("FIND-01 FIND-05 300 finds of three searches can be sorted, kept, noted, hidden in the chat and messaged about", async ({
  page,
  context,
  baseURL,
}) => {
  const problems = collectProblems(page);
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const person = await signUp(baseURL ?? "", "Ana García");
  const phone = await newPhone("Ana");
  await pressStart(phone, await newToken(baseURL, person));
  await press(phone, alert.thatsMe);
  const searchIds = await addSearches(person, [String(phone)]);
  await addFinds(
    person,
    Array.from({ length: HOMES }, (_, place) => home(place)),
    searchIds,
  );
  await signIn(page, person);
  await page.goto("/");
  await page.getByRole("banner").getByRole("link", { name: common.header.finds }).click();
  await expect(page).toHaveURL("/finds");
  await expect(page.getByText(`${HOMES} homes`)).toBeVisible();
  const cards = page.getByRole("article");
  const card = (place: number) => cards.filter({ hasText: new RegExp(`Prueba, ${place}(?!\\d)`) });
  const cardStreets = async () =>
    (await cards.getByRole("heading").allInnerTexts()).slice(0, 3).map((title) => title.replace(/\D+/, ""));
  await expect(cards.first()).toHaveAttribute("aria-setsize", String(HOMES));
  await expect(card(1)).toContainText("€430,000");
  await expect(card(4)).toContainText("Gone after 41 minutes");
  await expectAccessible(page);

  await recordValueAtUrlChange(page);
  await page.getByLabel(finds.filter.order).selectOption("price");
  await expect(page).toHaveURL(/order=price/);
  expect(await page.evaluate("window.valueAtUrlChange")).toBe("price");
  await expect.poll(cardStreets).toEqual(["299", "298", "297"]);
  await page.getByLabel(finds.filter.search, { exact: true }).selectOption(searchIds[1] ?? "");
  await expect(page.getByText("100 homes")).toBeVisible();
  await expect.poll(cardStreets).toEqual(["298", "295", "292"]);
  await page.goBack();
  await page.goBack();
  await expect(page).toHaveURL("/finds");
  await expect(page.getByLabel(finds.filter.order)).toHaveValue("");
  await expect.poll(cardStreets).toEqual(["0", "1", "2"]);

  // With the keyboard only: keep the second card and add a note. Letters typed into the note do not act as shortcuts.
  await page.locator("h1").click();
  await page.keyboard.press("j");
  await expect(card(0)).toBeFocused();
  await page.keyboard.press("j");
  await page.keyboard.press("s");
  await expect(card(1)).toContainText(finds.states.kept);
  await page.keyboard.press("n");
  await page.keyboard.type("ask about the hood");
  await page.keyboard.press("Control+Enter");
  await expect(card(1).getByText("ask about the hood")).toBeVisible();
  await expect(card(1)).toBeFocused();
  await expect
    .poll(() => marksOf(person))
    .toEqual([{ listing_id: codes[1], mark: "kept", note: "ask about the hood" }]);

  await addAlert(person, phone, { find: home(2), searchId: searchIds[0] });
  await press(phone, alert.hide);
  await expect(card(2)).toHaveCount(0);
  await expect(page.getByText(`${HOMES - 1} homes`)).toBeVisible();

  // A new find waits behind a button above the list.
  await addFinds(person, [{ ...home(HOMES), minutesAgo: 0, street: "Calle de Prueba, 999" }], searchIds);
  const pill = page.getByRole("button", { name: "1 new" });
  await expect(pill).toBeVisible();
  await expect.poll(cardStreets).toEqual(["0", "1", "3"]);
  await pill.click();
  await expect(card(999)).toBeFocused();
  await expect.poll(cardStreets).toEqual(["999", "0", "1"]);

  // At the end of the list, loading the next page does not change the scroll position.
  const shown = await page.getByRole("article").count();
  const from = await page.evaluate<number>("scrollTo(0, document.body.scrollHeight), scrollY");
  await expect.poll(() => page.getByRole("article").count()).toBeGreaterThan(shown);
  expect(await page.evaluate<number>("scrollY")).toBe(from);
  await page.evaluate("scrollTo(0, 0)");

  // Scrolling loads the next pages, and opening and closing a home keeps the position.
  await card(20).scrollIntoViewIfNeeded();
  await expect(card(40)).toBeAttached();
  await card(30).getByRole("heading").scrollIntoViewIfNeeded();
  const link = card(30).getByRole("heading").getByRole("link");
  await link.click();
  const dialog = page.getByRole("dialog", { name: "Prueba, 30" });
  await expect(dialog.getByText(finds.home.zone)).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`home=${codes[30]}`));
  const message = dialog.getByLabel(finds.message.label);
  await message.fill(`${await message.inputValue()}\nUn saludo, Ana`);
  await dialog.getByRole("button", { name: finds.message.copy }).click();
  await expect(dialog.getByRole("button", { name: finds.message.copied })).toBeVisible();
  const copied = await page.evaluate<string>("navigator.clipboard.readText()");
  expect(copied).toMatch(/^Hola[\s\S]*Prueba, 30[\s\S]*Un saludo, Ana$/);
  expect(copied).toContain(codes[30]);
  await page.goBack();
  await expect(dialog).toHaveCount(0);
  await expect(link).toBeFocused();
  await expect(link).toBeInViewport();
  expect(problems).toEqual([]);
});

test("FIND-01 a user without a search is offered to add one, and a guest is redirected home", async ({
  page,
  baseURL,
}) => {
  await page.goto("/es/finds");
  await expect(page).toHaveURL("/es");
  const person = await signUp(baseURL ?? "", "Ana García");
  await signIn(page, person);
  await page.goto("/finds");
  await expect(page.getByRole("heading", { name: finds.empty.noSearchTitle })).toBeVisible();
  await expect(page.getByRole("link", { name: finds.empty.noSearchAction })).toHaveAttribute(
    "href",
    "/filter-settings",
  );
  await expectAccessible(page);
  await page.goto("/finds?state=kept");
  await expect(page.getByRole("heading", { name: finds.empty.keptTitle })).toBeVisible();
});

/** Records the first select's value when the URL changes: a value that is not rendered by then jumps back on slow phones. */
async function recordValueAtUrlChange(page: Page): Promise<void> {
  await page.evaluate(`{
    const pushState = history.pushState.bind(history);
    history.pushState = (...entry) => {
      pushState(...entry);
      history.pushState = pushState;
      queueMicrotask(() => { window.valueAtUrlChange = document.querySelector("select").value; });
    };
  }`);
}
