// Several searches of one user: the list, its cards, and edits in two tabs.
import type { Page } from "@playwright/test";
import { CHAMBERI, expect, filterPageIn, MADRID, openEditForm } from "../support/filter-page.ts";
import { newEmail, PASSWORD, type Person, signIn, signUp } from "../support/people.ts";
import { inDatabase } from "../support/product-database.ts";
import { textsIn } from "../support/texts.ts";
import { expectAccessible, expectNoSidewaysScroll, expectSuccess, test } from "../support/visitor.ts";

test.describe.configure({ timeout: 300_000 });

const GETAFE =
  "https://www.idealista.com/alquiler-viviendas/getafe-madrid/?ordenado-por=fecha-publicacion-desc";
const texts = textsIn("en").filter;
const { searches } = texts;

const searchesOf = ({ id }: Person) =>
  inDatabase(async (sql) => [
    ...(await sql`
      select filter_url as url, receiver_ids as ids, name, is_paused, is_first from public.searches
      where user_id = ${id} order by is_first desc, created_at`),
  ]);

const addOther = ({ id }: Person, url: string, name: string | null = null) =>
  inDatabase(async (sql) => {
    const [row] = await sql<{ id: string }[]>`
      insert into searches (user_id, filter_url, receiver_ids, name) values (${id}, ${url}, '{501}', ${name})
      returning id`;
    return row?.id ?? "";
  });

const named = (text: string, name: string) => text.replace("{{name}}", name);
const card = (page: Page, name: string) =>
  page.getByRole("article").filter({ has: page.getByRole("heading", { name, exact: true }) });

test("MANY-01 a second search needs only a link, and searches can be listed, opened, renamed, copied and paused", async ({
  page,
  baseURL,
}) => {
  const { person, form } = await openEditForm(page, baseURL);
  await page.getByRole("link", { name: searches.add }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(searches.new);
  await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
  // A link to the same search is pointed out, but allowed.
  await form.url.fill("https://www.idealista.com/en/alquiler-viviendas/madrid-madrid/");
  await expect(page.getByRole("status").getByRole("link", { name: "Madrid" })).toBeVisible();
  await form.url.fill(CHAMBERI);
  page.on("dialog", (dialog) => void dialog.accept());
  await page.reload();
  await expect(form.url).toHaveValue(CHAMBERI);
  await page.getByRole("link", { name: searches.title }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: texts.leave.stay }).last().click();
  await form.next.click();
  await expect(form.question).toHaveText(texts.review.question);
  await expect(page.getByRole("region", { name: texts.review.chats })).toContainText("501");
  await form.save.click();
  await expectSuccess(page, {
    title: texts.messages.success,
    description: texts.messages.successInitial,
  });
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(searches.title);
  await expect(page.getByRole("article")).toHaveCount(2);
  expect(await searchesOf(person)).toMatchObject([
    { url: MADRID, ids: ["501"], is_first: true },
    { url: CHAMBERI, ids: ["501"], is_first: false },
  ]);
  const chamberi = card(page, "Chamberí, Madrid");
  await expect(chamberi).toContainText(form.health.noChat.title);
  await expectAccessible(page);
  await page.setViewportSize({ width: 320, height: 640 });
  await expectNoSidewaysScroll(page);

  await chamberi.getByRole("button", { name: named(searches.pauseNamed, "Chamberí, Madrid") }).click();
  await expect(chamberi).toContainText(form.health.paused.title);
  await chamberi.getByRole("button", { name: searches.more }).click();
  await chamberi.getByRole("button", { name: searches.rename }).click();
  const name = page.getByLabel(searches.name);
  await expect(name).toBeFocused();
  await name.fill("  With\u00a0Bea ");
  await name.press("Enter");
  const renamed = card(page, "With Bea");
  await expect(renamed.getByRole("button", { name: named(searches.renameNamed, "With Bea") })).toBeFocused();
  expect(await searchesOf(person)).toMatchObject([{ name: null }, { name: "With Bea", is_paused: true }]);

  await renamed.getByRole("link", { name: named(searches.copyNamed, "With Bea") }).click();
  await expect(form.url).toHaveValue(CHAMBERI);
  await form.url.fill(GETAFE);
  await form.next.click();
  await form.save.click();
  await expect(page.getByRole("article")).toHaveCount(3);
  await page.getByRole("button", { name: searches.pauseAll }).click();
  await expectSuccess(page, searches.pausedAll);
  await expect(page.getByRole("button", { name: searches.resumeAll })).toBeVisible();
  expect((await searchesOf(person)).map(({ is_paused }) => is_paused)).toEqual([true, true, true]);

  // Each search has its own URL, and the browser's Back button returns to the list.
  await renamed.getByRole("link", { name: "With Bea", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("With Bea");
  await expect(form.url).toHaveValue(CHAMBERI);
  await expect(form.watch).toContainText(form.health.paused.title);
  await page.goBack();
  await expect(page.getByRole("article")).toHaveCount(3);
  await page.goto("/filter-settings?search=00000000-0000-4000-8000-000000000000");
  await expect(page.getByRole("status").filter({ hasText: searches.unknown })).toBeVisible();
  await expect(page.getByRole("article")).toHaveCount(3);

  // Only those that are not simply watched: the page of searches lists all.
  await page.goto("/profile");
  const panel = page.getByRole("list", { name: textsIn("en").account.filter.searches });
  await expect(panel.getByRole("link", { name: "With Bea" })).toBeVisible();
});

test("MANY-01 with the keyboard only, deleting the first search makes the next one the first, and undo restores a deleted one", async ({
  page,
  baseURL,
}) => {
  const { person, form } = await openEditForm(page, baseURL);
  await addOther(person, CHAMBERI);
  await addOther(person, GETAFE, "South");
  await page.goto(form.path);
  const deleteByKeys = async (name: string) => {
    await card(page, name).getByRole("button", { name: searches.more }).press("Enter");
    await card(page, name).getByRole("button", { name: searches.delete }).press("Enter");
  };
  await deleteByKeys("Madrid");
  await expect(card(page, "Chamberí, Madrid").getByRole("heading").getByRole("link")).toBeFocused();
  await expect(page.getByRole("article")).toHaveCount(2);
  expect(await searchesOf(person)).toMatchObject([{ url: CHAMBERI, is_first: true }, { url: GETAFE }]);
  await deleteByKeys("South");
  // With one search left the page shows that search.
  await expect(form.saveChanges).toBeVisible();
  await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
  await expect(form.url).toHaveValue(CHAMBERI);
  await page
    .getByRole("listitem")
    .filter({ hasText: named(searches.deleted, "South") })
    .getByRole("button", { name: searches.undo })
    .press("Enter");
  await expect(card(page, "South")).toBeVisible();
  expect(await searchesOf(person)).toMatchObject([
    { url: CHAMBERI, is_first: true },
    { url: GETAFE, name: "South", ids: ["501"] },
  ]);
});

test("MANY-01 edits of two searches in two tabs are both kept, and so is the input for a search that is deleted elsewhere", {
  tag: "@long",
}, async ({ page, context, baseURL }) => {
  const { person, form } = await openEditForm(page, baseURL);
  const otherId = await addOther(person, CHAMBERI);
  // A search added elsewhere does not close the open form.
  await expect(page.getByRole("link", { name: searches.title })).toBeVisible();
  await form.ids.fill("501, 66");
  const there = await context.newPage();
  const other = filterPageIn(there, "en");
  await there.goto(`/filter-settings?search=${otherId}`);
  await other.ids.fill("501, 55");
  await other.saveChanges.click();
  await expect(other.saveChanges).toBeDisabled();
  await form.saveChanges.click();
  await expect(form.saveChanges).toBeDisabled();
  expect(await searchesOf(person)).toMatchObject([
    { url: MADRID, ids: ["501", "66"] },
    { url: CHAMBERI, ids: ["501", "55"] },
  ]);

  // The other search becomes the first while it is being edited; the edit still applies to it.
  await other.ids.fill("501");
  await inDatabase((sql) => sql`delete from filter_settings where user_id = ${person.id}`);
  await expect(page.getByText(texts.elsewhere.deleted)).toBeVisible();
  await other.saveChanges.click();
  await expect(other.saveChanges).toBeDisabled();
  expect(await searchesOf(person)).toMatchObject([{ url: CHAMBERI, ids: ["501"], is_first: true }]);

  // Deleted elsewhere with unsaved input: the page says so, keeps the input and saves it as a new search.
  await addOther(person, GETAFE);
  await other.ids.fill("501, 77");
  await expect(other.saveChanges).toBeEnabled();
  await inDatabase((sql) => sql`delete from filter_settings where user_id = ${person.id}`);
  await expect(there.getByText(texts.elsewhere.deleted)).toBeVisible();
  await other.next.click();
  await other.save.click();
  await expect(there.getByRole("article")).toHaveCount(2);
  expect(await searchesOf(person)).toMatchObject([
    { url: GETAFE, is_first: true },
    { url: CHAMBERI, ids: ["501", "77"] },
  ]);
});

test("MANY-01 a link in the URL is kept through sign-up or opens as a new search, and ten searches are the limit", async ({
  page,
  baseURL,
}) => {
  await page.goto(`/filter-settings?link=${encodeURIComponent(CHAMBERI)}`);
  const { auth } = textsIn("en");
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: auth.signIn.switchAction }).click();
  await dialog.getByLabel(auth.fields.fullName.label).fill("Ana García");
  await dialog.getByLabel(auth.fields.email.label).fill(newEmail());
  await dialog.getByLabel(auth.fields.password.label, { exact: true }).fill(PASSWORD);
  await dialog.getByRole("button", { name: auth.signUp.submit }).click();
  const form = filterPageIn(page, "en");
  await expect(form.url).toHaveValue(CHAMBERI);
  await expect(page).toHaveURL("/filter-settings");

  const person = await signUp(baseURL ?? "", "Ana García");
  await inDatabase(
    (sql) => sql`
    insert into filter_settings (user_id, filter_url, receiver_ids) values (${person.id}, ${MADRID}, '{501}')`,
  );
  await page.goto("/robots.txt");
  await page.evaluate(() => {
    sessionStorage.clear();
    localStorage.clear();
  });
  await signIn(page, person);
  await page.goto(`/filter-settings?link=${encodeURIComponent(`look: ${CHAMBERI}`)}`);
  await expect(page.getByRole("link", { name: texts.understood.open })).toHaveAttribute("href", CHAMBERI);
  await expect(page).toHaveURL("/filter-settings?search=new");
  await form.next.click();
  // Other searches were added first: the form explains that the server refused, and nothing is lost.
  for (let n = 2; n <= 10; n += 1) await addOther(person, MADRID, `Search ${n}`);
  await form.save.click();
  await expect(page.getByRole("alert").filter({ hasText: searches.full })).toBeVisible();
  await page.getByRole("link", { name: searches.title }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: texts.leave.leave }).click();
  await expect(page.getByRole("article")).toHaveCount(10);
  await expect(page.getByText(searches.full)).toBeVisible();
  await expect(page.getByRole("link", { name: searches.add })).toHaveCount(0);
  await expectAccessible(page);
});
