// The service worker of guests: a public page that was opened once opens without a connection, with or without a gesture.

import { expect, type Page } from "@playwright/test";
import { openDeployedSite } from "../support/deployed-site.ts";
import { textsIn } from "../support/texts.ts";
import { test } from "../support/visitor.ts";
import { kept } from "./worker-caches.ts";

test.use({ viewport: { width: 390, height: 844 }, serviceWorkers: "allow" });

const hydrate = async (page: Page) => {
  await page.mouse.move(100, 100);
  // Where the pointer is already, it does not move.
  await page.mouse.move(150, 150, { steps: 2 });
  await expect.poll(() => page.evaluate("window.preHydration.state === 'hydrated'")).toBe(true);
};

/** What the page has loaded of the build. */
const loaded = (page: Page) =>
  page.evaluate<string[]>(`performance.getEntriesByType("resource").map(({ name }) => new URL(name).pathname)
    .filter((path) => path.startsWith("/assets/"))`);

const expectAllKept = (page: Page) =>
  expect
    .poll(async () => {
      const paths = await kept(page);
      return (await loaded(page)).filter((path) => !paths.includes(path));
    })
    .toEqual([]);

const isHydrated = (page: Page) => page.evaluate("window.preHydration.state === 'hydrated'");

for (const path of ["/fr", "/de/privacy", "/terms"]) {
  test(`WEB-05 ${path} opens without a connection after a guest has only looked at it`, {
    tag: path === "/fr" ? [] : "@long",
  }, async ({ page, context }) => {
    await page.goto(path);
    const heading = await page.locator("main h1").innerText();
    await expect.poll(() => kept(page)).toContain(path);
    expect(await isHydrated(page)).toBe(false);
    // Neither the application nor other pages are stored for somebody who may never come again.
    expect((await kept(page)).filter((name) => /frame-|vendor|finds|profile/.test(name))).toEqual([]);
    await context.setOffline(true);
    await page.reload();
    await expect(page.locator("main h1")).toHaveText(heading);
  });
}

test("WEB-05 what a guest has used opens without a connection and answers presses, also pages reached by a link", async ({
  page,
  context,
}) => {
  const { common } = textsIn("fr");
  await page.goto("/fr");
  const heading = await page.locator("main h1").innerText();
  await hydrate(page);
  await page.getByRole("contentinfo").getByRole("link", { name: common.footer.terms }).click();
  await expect(page).toHaveURL(/\/fr\/terms$/);
  await expect.poll(() => kept(page)).toEqual(expect.arrayContaining(["/fr", "/fr/terms"]));
  expect((await loaded(page)).some((name) => name.includes("frame-"))).toBe(true);
  await expectAllKept(page);

  await context.setOffline(true);
  await page.reload();
  await expect(page.locator("main h1")).toBeVisible();
  await page.goto("/fr");
  await expect(page.locator("main h1")).toHaveText(heading);
  await hydrate(page);
  await expect(page.getByText(common.parts.offline)).toBeVisible();
  // What was never opened is not there.
  await expect(page.goto("/fr/measured")).rejects.toThrow("ERR_");
});

test("CALM-02 WEB-05 a deployment renews what a guest has stored", async ({ page, context, baseURL }) => {
  const site = await openDeployedSite(baseURL ?? "");
  await site.deployOlder();
  await page.goto(`${site.url}/es`);
  await hydrate(page);
  expect((await loaded(page)).some((name) => name.includes("frame-older"))).toBe(true);
  await expectAllKept(page);
  await expect.poll(() => kept(page)).toContain("/es");

  await site.deployNewer();
  await page.goto(`${site.url}/es/terms`);
  await expect.poll(async () => (await kept(page)).filter((name) => name.includes("-older"))).toEqual([]);
  await expect.poll(() => kept(page)).toEqual(expect.arrayContaining(["/es", "/es/terms"]));
  expect((await kept(page)).some((name) => name.includes("frame-"))).toBe(true);
  await context.setOffline(true);
  await page.goto(`${site.url}/es`);
  await hydrate(page);
  await site.close();
});
