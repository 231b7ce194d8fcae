// The service worker of signed-in people: the last finds, searches, settings and profile open without a connection.

import { expect, type Page } from "@playwright/test";
import { addFinds, addSearches, newCodes } from "../support/finds.ts";
import { signIn, signUp } from "../support/people.ts";
import { textsIn } from "../support/texts.ts";
import { test } from "../support/visitor.ts";
import { openOnline } from "./connection.ts";
import { kept } from "./worker-caches.ts";

test.use({ viewport: { width: 390, height: 844 }, serviceWorkers: "allow" });

const storedPages = (page: Page) =>
  page.evaluate<string>(`new Promise((resolve) => {
    const opening = indexedDB.open("sereno-offline");
    opening.onsuccess = () => {
      const values = opening.result.transaction("kept").objectStore("kept").getAll();
      values.onsuccess = () => { opening.result.close(); resolve(values.result.join()); };
    };
  })`);

test("CALM-05 WEB-05 finds, searches, settings and profile open without a connection, and the worker answers for nothing else", async ({
  page,
  context,
  baseURL,
}) => {
  const { finds, common, filter } = textsIn("es");
  const person = await signUp(baseURL ?? "", "Ana García");
  await addSearches(person);
  const [id = ""] = newCodes(1);
  await addFinds(person, [{ id, priceEur: 1_250_000, minutesAgo: 5, street: "Calle de Prueba, 1" }]);
  await signIn(page, person);
  for (const path of ["/es/filter-settings", "/es/profile", "/es/finds"]) {
    await page.goto(path);
    await expect(page.locator("main h1")).toBeVisible();
  }
  await expect(page.getByRole("article")).toHaveCount(1);
  await expect
    .poll(() => kept(page), { timeout: 60_000 })
    .toEqual(expect.arrayContaining(["/es/finds", "/es/profile", "/es", "/es/measured", "/finds"]));
  await expect
    .poll(async () => (await kept(page)).some((path) => /locales\/es\/finds-settings/.test(path)))
    .toBe(true);
  expect(
    (await kept(page)).filter(
      (path) => !/^\/assets\/|^\/(es)?\/?(finds|filter-settings|profile|measured|privacy|terms)?$/.test(path),
    ),
  ).toEqual([]);
  const answered = new Map<string, boolean>();
  page.on("response", (response) => {
    answered.set(new URL(response.url()).pathname, response.fromServiceWorker());
  });
  await page.reload();
  await expect(page.getByRole("article")).toHaveCount(1);
  expect(
    [...answered].filter(([path, isOfWorker]) => isOfWorker && !/^\/assets\/|^\/es\/finds$/.test(path)),
  ).toEqual([]);

  await expect.poll(() => storedPages(page)).toContain("hiddenWarnings");
  expect(await storedPages(page)).toContain('"isPaused":false');
  expect(await storedPages(page)).not.toContain('"isPaused":true');
  await context.setOffline(true);
  await page.reload();
  await expect(page.getByRole("article")).toContainText("Calle de Prueba, 1");
  await expect(page.getByText(common.parts.offline)).toBeVisible();
  await page.getByRole("link", { name: finds.views.settings, exact: true }).click();
  await expect(
    page.getByRole("heading", { name: textsIn("es")["finds-settings"].warnings.title }),
  ).toBeVisible();
  await page.goto("/es/filter-settings");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(page.getByText("Soria").first()).toBeVisible();
  await expect(page.getByText(filter.messages.errorLoadAdvice)).toHaveCount(0);
  // Whatever the query of a private page says, it is the same document.
  await page.goto("/es/finds?view=settings");
  await expect(
    page.getByRole("heading", { name: textsIn("es")["finds-settings"].warnings.title }),
  ).toBeVisible();
  await page.goto("/es/profile");
  await expect(page.getByRole("main").getByText("Ana García", { exact: true })).toBeVisible();
  // Nobody ends on the error page of the browser where the header or a bookmark leads.
  for (const path of ["/", "/es", "/es/measured", "/es/terms"]) {
    await page.goto(path);
    await expect(page.locator("main h1")).toBeVisible();
  }
  for (const path of ["/es/nada", "/es/finds?code=1", "/es/reset-password"])
    await expect(page.goto(path)).rejects.toThrow("ERR_INTERNET_DISCONNECTED");
  expect((await openOnline(page, "/es/nada"))?.status()).toBe(404);
});
