// Changes made without a connection are saved when it is back, once each and for their own account only.

import { type BrowserContext, expect, type Page } from "@playwright/test";
import { addFinds, addSearches, newCodes } from "../support/finds.ts";
import { changeStoredSession, type Person, signIn, signUp } from "../support/people.ts";
import { inDatabase } from "../support/product-database.ts";
import { textsIn } from "../support/texts.ts";
import { expectAccessible, test } from "../support/visitor.ts";
import { goOnline } from "./connection.ts";

test.use({ viewport: { width: 390, height: 844 } });

const { account, finds, common } = textsIn("en");

async function withFinds(baseURL: string | undefined, count: number): Promise<Person> {
  const person = await signUp(baseURL ?? "", "Ana García");
  await addSearches(person);
  const homes = newCodes(count).map((id, place) => ({
    id,
    priceEur: 1_250_000,
    minutesAgo: 5 + place,
    street: `Calle de Prueba, ${place}`,
  }));
  await addFinds(person, homes);
  return person;
}

/** Opens the finds, and waits until they are stored for visits without a connection. */
async function openFinds(page: Page, count: number): Promise<void> {
  await page.goto("/finds");
  await expect(page.getByRole("article")).toHaveCount(count);
  await expect.poll(() => storedText(page)).toContain("Prueba, 0");
}

/** Everything that the browser stores for visits without a connection. */
const storedText = (page: Page) =>
  page.evaluate<string>(`new Promise(async (resolve, reject) => {
    // Opening would create it.
    const databases = await indexedDB.databases();
    if (!databases.some(({ name }) => name === "sereno-offline")) return resolve("");
    const opening = indexedDB.open("sereno-offline");
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const database = opening.result;
      const done = (text) => { database.close(); resolve(text); };
      const kept = database.transaction("kept").objectStore("kept");
      const [names, values] = [kept.getAllKeys(), kept.getAll()];
      values.onsuccess = () =>
        done([...names.result, ...values.result.map((value) => typeof value === "string" ? value : JSON.stringify(value))].join("\\n"));
    };
  })`);

/** Makes everything stored older, while no page of the application can store it again. */
async function ageStored(page: Page, days: number): Promise<void> {
  await page.goto("/icon.svg");
  await page.evaluate(`new Promise((resolve, reject) => {
    const opening = indexedDB.open("sereno-offline");
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const change = opening.result.transaction("kept", "readwrite");
      const walk = change.objectStore("kept").openCursor();
      walk.onsuccess = () => {
        const entry = walk.result;
        if (!entry) return;
        const kept = typeof entry.value === "string" ? JSON.parse(entry.value) : undefined;
        if (kept) entry.update(JSON.stringify({ ...kept, timestamp: kept.timestamp - ${days} * 86_400_000 }));
        entry.continue();
      };
      change.oncomplete = () => { opening.result.close(); resolve(); };
    };
  })`);
}

const storedChanges = async (page: Page) => (await storedText(page)).split('"attempts"').length - 1;

const keep = (page: Page, place: number) =>
  page
    .getByRole("article")
    .filter({ hasText: `Prueba, ${place}` })
    .getByRole("button", { name: finds.actions.keep, exact: true })
    .click();

const marksOf = ({ id }: Person) =>
  inDatabase(
    (sql) => sql<{ mark: string; count: number }[]>`
      select mark, count(*)::int from public.marks where user_id = ${id} group by mark`,
  );

async function countRequests(context: BrowserContext, path: string): Promise<() => number> {
  let count = 0;
  await context.route(`**/rest/v1/rpc/${path}`, async (route) => {
    count += 1;
    await route.continue();
  });
  return () => count;
}

test("CALM-04 ten marks made offline are saved once each after the tab was closed and opened again", async ({
  page,
  context,
  baseURL,
}) => {
  const person = await withFinds(baseURL, 10);
  const requests = await countRequests(context, "mark_find");
  await signIn(page, person);
  await openFinds(page, 10);
  await context.setOffline(true);
  for (let place = 0; place < 10; place++) await keep(page, place);
  await expect(page.getByText(finds.card.willBeSaved)).toHaveCount(10);
  await expect.poll(() => storedChanges(page)).toBe(10);
  const stored = await storedText(page);
  const session = JSON.parse(person.session);
  for (const token of [session.access_token, session.refresh_token]) expect(stored).not.toContain(token);
  await page.close();

  await goOnline(context);
  const next = await context.newPage();
  await next.goto("/profile");
  await expect.poll(() => marksOf(person)).toEqual([{ mark: "kept", count: 10 }]);
  expect(requests()).toBe(10);
  await expect.poll(() => storedChanges(next)).toBe(0);
  await next.goto("/finds");
  await expect(next.getByRole("article")).toHaveCount(10);
  await expect(next.getByText(finds.card.willBeSaved)).toHaveCount(0);
});

test("CALM-04 a note made offline that was changed elsewhere meanwhile is shown and not lost", async ({
  page,
  context,
  baseURL,
}) => {
  const person = await withFinds(baseURL, 1);
  await signIn(page, person);
  await openFinds(page, 1);
  await context.setOffline(true);
  await page.getByRole("button", { name: finds.actions.note }).click();
  await page.getByLabel(finds.note.label).fill("Ask about the lift");
  await page.getByRole("button", { name: finds.note.save }).click();
  await expect(page.getByText(finds.card.willBeSaved)).toBeVisible();
  await inDatabase(
    (sql) => sql`
      insert into public.marks (user_id, listing_id, note)
      select ${person.id}, listing_id, 'Written on the other phone' from public.listings where user_id = ${person.id}`,
  );
  await goOnline(context);
  const question = page.getByRole("alert").filter({ hasText: "Ask about the lift" });
  await expect(question).toBeVisible();
  await expect(page.getByRole("article")).toContainText("Written on the other phone");
  await expectAccessible(page);
  await question.getByRole("button", { name: common.conflict.useMine }).click();
  await expect(question).toHaveCount(0);
  await expect(page.getByRole("article")).toContainText("Ask about the lift");
});

test("CALM-04 after a sign-out or a deletion nothing is stored, and another account does not send the changes", async ({
  page,
  context,
  baseURL,
}) => {
  const [ana, bob] = [await withFinds(baseURL, 2), await withFinds(baseURL, 2)];
  const requests = await countRequests(context, "mark_find");
  await signIn(page, ana);
  await openFinds(page, 2);
  const other = await context.newPage();
  await other.goto("/robots.txt");
  await context.setOffline(true);
  await keep(page, 0);
  await expect(page.getByText(finds.card.willBeSaved)).toBeVisible();
  await expect.poll(() => storedChanges(page)).toBe(1);
  // The session ends in the other tab, e.g. because it was ended on another device.
  await other.evaluate(() => localStorage.removeItem("sb-localhost-auth-token"));
  await expect(page.getByText(common.session.endedTitle).first()).toBeVisible();
  await expect(page.getByText(common.parts.notSavedText)).toBeVisible();
  await expect.poll(() => storedText(page)).not.toContain("Prueba, 0");
  expect(await storedChanges(page)).toBe(0);

  await goOnline(context);
  await signIn(page, bob);
  await openFinds(page, 2);
  expect(await storedText(page)).not.toContain(ana.id);
  expect([await marksOf(ana), await marksOf(bob), requests()]).toEqual([[], [], 0]);

  await page.goto("/profile");
  await page.getByRole("button", { name: account.delete.open }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel(account.delete.dialog.label).fill(account.delete.dialog.word);
  await dialog.getByLabel(account.delete.dialog.password, { exact: true }).fill(bob.password);
  expect(await storedText(page)).toContain(bob.id);
  await dialog.getByRole("button", { name: account.delete.dialog.submit }).click();
  await expect(page).toHaveURL("/");
  await expect.poll(() => storedText(page)).toBe("");
});

test("CALM-04 a token that expires offline signs nobody out, and what was stored more than a week ago is dropped", {
  tag: "@long",
}, async ({ page, context, baseURL }) => {
  const person = await withFinds(baseURL, 1);
  await signIn(page, person);
  await openFinds(page, 1);
  await changeStoredSession(page, { expires_at: Math.floor(Date.now() / 1000) - 60 });
  for (const path of ["**/auth/v1/token*", "**/rest/v1/**", "**/config.json"]) {
    await page.route(path, (route) => route.abort());
  }
  await page.goto("/finds");
  await expect(page.getByRole("article")).toHaveCount(1);
  await expect(page).toHaveURL("/finds");

  await ageStored(page, 8);
  await page.goto("/finds");
  await expect.poll(() => storedText(page)).not.toContain("Prueba, 0");
  await expect(page.getByRole("article")).toHaveCount(0);
  await context.unrouteAll();
});

test("CALM-01 CALM-04 while the server answers 503, marks wait and are compared, and a list that failed appears when it is back", async ({
  page,
  outage,
  baseURL,
}) => {
  const person = await withFinds(baseURL, 2);
  await signIn(page, person);
  await openFinds(page, 2);
  await outage.begin({ path: "/rest/v1/rpc", status: 503 });
  await keep(page, 0);
  await keep(page, 1);
  await expect(page.getByText(finds.card.willBeSaved)).toHaveCount(2);
  await expect(page.getByText(common.parts.waiting)).toBeVisible();
  await expect.poll(() => storedChanges(page)).toBe(2);
  await inDatabase(
    (sql) => sql`
      insert into public.marks (user_id, listing_id, mark)
      select user_id, listing_id, 'hidden' from public.listings
      where user_id = ${person.id} order by created_at limit 1`,
  );
  await page.goto("/finds?order=price");
  await expect(page.getByText(finds.list.failed)).toBeVisible();
  await outage.end();
  await expect(page.getByRole("article")).toHaveCount(1);
  await expect(page.getByRole("alert").getByRole("button", { name: common.conflict.useMine })).toHaveCount(1);
  await expect
    .poll(() => marksOf(person))
    .toEqual(
      expect.arrayContaining([
        { mark: "kept", count: 1 },
        { mark: "hidden", count: 1 },
      ]),
    );
});

test("CALM-04 changes of a session that ended while no page was open are named by the next page", async ({
  page,
  context,
  baseURL,
}) => {
  const person = await withFinds(baseURL, 1);
  await signIn(page, person);
  await openFinds(page, 1);
  await context.setOffline(true);
  await keep(page, 0);
  await expect.poll(() => storedChanges(page)).toBe(1);
  await page.close();
  await goOnline(context);
  const next = await context.newPage();
  await next.goto("/robots.txt");
  await next.evaluate(() => localStorage.removeItem("sb-localhost-auth-token"));
  await next.goto("/finds");
  await expect(next.getByText(common.parts.notSavedText)).toBeVisible();
  await expect.poll(() => storedText(next)).toBe("");
});
