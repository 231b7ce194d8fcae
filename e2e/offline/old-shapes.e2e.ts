// What earlier versions have stored in this browser, in shapes that this one does not understand.
import { expect, type Page } from "@playwright/test";
import { addSearches } from "../support/finds.ts";
import { type Person, signIn, signUp } from "../support/people.ts";
import { textsIn } from "../support/texts.ts";
import { expectDestructive, test } from "../support/visitor.ts";

test.use({ viewport: { width: 390, height: 844 } });

const { account, common } = textsIn("en");

/** By invented version: the entries of the table for visits without a connection. */
const SHAPES: Readonly<Record<string, (id: string) => Record<string, unknown>>> = {
  "a queue of each tab": (id) => ({
    [`${id}/pages`]: JSON.stringify({ buster: "1", timestamp: Date.now(), clientState: { queries: [] } }),
    [`${id}/queue/tab`]: JSON.stringify({ clientState: { mutations: [{}, {}] } }),
    [`${id}/conflicts`]: "[{",
  }),
  "rows of a kind that is gone": (id) => ({
    [`${id}/pages`]: "not JSON",
    [`${id}/change/1`]: { id: "1", kind: "pause", version: 1, userId: id, searchId: "x", isPaused: true },
    [`${id}/change/2`]: { id: "2", kind: "mark", version: 0, userId: id, attempts: 0, before: {}, mine: {} },
  }),
  "answers of another form under today's number": (id) => ({
    [`${id}/pages`]: storedAnswers(id, { searches: { list: "of searches" }, profile: { name: "Ana" } }),
    [`${id}/change/3`]: null,
  }),
};

function storedAnswers(id: string, answers: Record<string, unknown>): string {
  const queries = Object.entries(answers).map(([name, data]) => ({
    queryKey: [name, id],
    queryHash: JSON.stringify([name, id]),
    state: { data, dataUpdatedAt: Date.now(), status: "success", fetchStatus: "idle", error: null },
  }));
  return JSON.stringify({ buster: "3", timestamp: Date.now(), clientState: { mutations: [], queries } });
}

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

for (const [name, shape] of Object.entries(SHAPES))
  test(`WEB-04 what an earlier version stored is dropped with a word, and nothing is stuck: ${name}`, async ({
    page,
    baseURL,
  }) => {
    const person = await signUp(baseURL ?? "", "Ana García");
    await addSearches(person);
    await page.goto("/robots.txt");
    await write(page, shape(person.id));
    await signIn(page, person);
    await page.goto("/profile");
    await expect(page.getByRole("heading", { name: account.page.title })).toBeVisible();
    await expect(page.getByRole("main").getByText("Ana García", { exact: true })).toBeVisible();
    await expectDestructive(page, { title: common.parts.notSaved, description: common.parts.notSavedText });
    await expect(page.getByRole("heading", { name: common.crash.title })).toHaveCount(0);
    expect(await changesOf(page, person)).toEqual([]);
  });
