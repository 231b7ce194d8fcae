// What earlier versions have stored in this browser, in shapes that this one does not understand.
import { expect, type Page } from "@playwright/test";
import { addSearches } from "../support/finds.ts";
import { type Person, signIn, signUp } from "../support/people.ts";
import { textsIn } from "../support/texts.ts";
import { expectDestructive, test } from "../support/visitor.ts";

test.use({ viewport: { width: 390, height: 844 } });

const { account, common } = textsIn("en");

/** Of invented versions. The shapes themselves are tried in src/web/testing/old-shapes.test.tsx. */
const entriesOf = (id: string): Record<string, unknown> => ({
  [`${id}/pages`]: "not JSON",
  [`${id}/queue/tab`]: JSON.stringify({ clientState: { mutations: [{}, {}] } }),
  [`${id}/change/1`]: { id: "1", kind: "pause", version: 1, userId: id, searchId: "x", isPaused: true },
  [`${id}/conflicts`]: "[{",
});

const write = (page: Page, entries: Record<string, unknown>) =>
  page.evaluate(`new Promise((resolve) => {
    const opening = indexedDB.open("sereno-offline");
    opening.onupgradeneeded = () => opening.result.createObjectStore("kept");
    opening.onsuccess = () => {
      const writing = opening.result.transaction("kept", "readwrite");
      for (const [key, value] of Object.entries(${JSON.stringify(entries)}))
        writing.objectStore("kept").put(value, key);
      writing.oncomplete = () => { opening.result.close(); resolve(); };
    };
  })`);

const changesOf = (page: Page, { id }: Person) =>
  page.evaluate<string[]>(`new Promise((resolve) => {
    const opening = indexedDB.open("sereno-offline");
    opening.onsuccess = () => {
      const keys = opening.result.transaction("kept").objectStore("kept").getAllKeys();
      keys.onsuccess = () => {
        opening.result.close();
        resolve(keys.result.filter((key) => key.startsWith("${id}/") && key !== "${id}/pages"));
      };
    };
  })`);

test("WEB-04 what an earlier version stored is dropped with a word, and nothing is stuck", async ({
  page,
  baseURL,
}) => {
  const person = await signUp(baseURL ?? "", "Ana García");
  await addSearches(person);
  await page.goto("/robots.txt");
  await write(page, entriesOf(person.id));
  await signIn(page, person);
  await page.goto("/profile");
  await expect(page.getByRole("heading", { name: account.page.title })).toBeVisible();
  await expect(page.getByRole("main").getByText("Ana García", { exact: true })).toBeVisible();
  await expectDestructive(page, { title: common.parts.notSaved, description: common.parts.notSavedText });
  await expect(page.getByRole("heading", { name: common.crash.title })).toHaveCount(0);
  expect(await changesOf(page, person)).toEqual([]);
});
