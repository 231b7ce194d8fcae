// The service worker across deployments. The browser looks for a newer worker by itself whenever a page is opened.
import { expect, type Page } from "@playwright/test";
import { OFFLINE_PATHS } from "#web/lib/site/page-paths.ts";
import { type DeployedSite, openDeployedSite } from "../support/deployed-site.ts";
import { addFinds, addSearches, newCodes } from "../support/finds.ts";
import { signUp } from "../support/people.ts";
import { textsIn } from "../support/texts.ts";
import { test as base } from "../support/visitor.ts";

const test = base.extend<{ site: DeployedSite }>({
  site: async ({ baseURL }, use) => {
    const site = await openDeployedSite(baseURL ?? "");
    await use(site);
    await site.close();
  },
});

test.use({ viewport: { width: 390, height: 844 }, serviceWorkers: "allow" });

const { finds, common, "finds-settings": settings } = textsIn("en");

/** The kept files, and the kept pages with the build that they name. */
const kept = (page: Page) =>
  page.evaluate<string[]>(`(async () => {
    const all = [];
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) {
        const text = name === "pages" ? await (await cache.match(request)).text() : "";
        all.push(new URL(request.url).pathname + (/manifest-\\w+/.exec(text) ?? ""));
      }
    }
    return all;
  })()`);

/** Without the hashes of the build. */
const keptTexts = async (page: Page) =>
  (await kept(page))
    .filter((path) => path.includes("/locales/"))
    .map((path) => path.replace(/-[\w-]{8}\.json$/, ""));

const buildOf = async (page: Page) => (await page.content()).match(/assets\/manifest-(\w+)\.js/)?.[1];

const workers = (page: Page) =>
  page.evaluate<number>("navigator.serviceWorker.getRegistrations().then((all) => all.length)");

/** Signs in a person with a find, and opens it in the build before, with its service worker. */
async function openOlder(page: Page, site: DeployedSite, productUrl: string): Promise<void> {
  const person = await signUp(productUrl, "Ana García");
  await addSearches(person);
  const [id = ""] = newCodes(1);
  await addFinds(person, [{ id, priceEur: 1_250_000, minutesAgo: 5, street: "Calle de Prueba, 1" }]);
  await site.deployOlder();
  await page.goto(`${site.url}/robots.txt`);
  await page.evaluate((session) => localStorage.setItem("sb-localhost-auth-token", session), person.session);
  await page.goto(`${site.url}/finds`);
  await expect(page.getByRole("article")).toHaveCount(1);
  expect(await buildOf(page)).toMatch(/^older/);
  await expect
    .poll(async () => (await kept(page)).filter((path) => path.includes("manifest-older")).length)
    .toBe(1 + OFFLINE_PATHS.length);
  await expect.poll(() => keptTexts(page)).not.toEqual([]);
  await expect.poll(() => page.evaluate("navigator.serviceWorker.controller?.state")).toBe("activated");
}

test("CALM-02 CALM-05 a deployment replaces the worker: pages are of the new build, and an open tab goes on working", async ({
  page,
  context,
  site,
  baseURL,
}) => {
  await openOlder(page, site, baseURL ?? "");
  await page.evaluate(`void (window.newWorker = new Promise((resolve) =>
    navigator.serviceWorker.addEventListener("controllerchange", () => resolve(true))))`);

  const texts = await keptTexts(page);
  await site.deployNewer();
  const next = await context.newPage();
  await next.goto(`${site.url}/profile`);
  await expect(next.getByRole("heading", { level: 1 })).toBeVisible();
  const build = await buildOf(next);
  expect(build).not.toMatch(/^older/);
  await page.evaluate("window.newWorker");
  // It has control before it has dropped the files of the build before.
  await expect.poll(async () => (await kept(next)).filter((path) => path.includes("-older"))).toEqual([]);
  expect(await keptTexts(next)).toEqual(expect.arrayContaining(texts));
  expect(await kept(next)).toEqual(
    expect.arrayContaining(OFFLINE_PATHS.map((path) => `${path}manifest-${build}`)),
  );

  await page.getByRole("link", { name: finds.views.settings, exact: true }).click();
  await expect(page.getByRole("heading", { name: settings.warnings.title })).toBeVisible();
  // It was not loaded again.
  expect(await page.evaluate("window.newWorker")).toBe(true);

  await context.setOffline(true);
  for (const tab of [page, next]) {
    await tab.goto(`${site.url}/finds`);
    await expect(tab.getByRole("article")).toContainText("Calle de Prueba, 1");
    await expect(tab.getByText(common.parts.offline)).toBeVisible();
    expect(await buildOf(tab)).toBe(build);
  }
});

test("CALM-02 CALM-05 OFFLINE_PAGES=off removes an installed worker and what it stored", {
  tag: "@long",
}, async ({ page, site, baseURL }) => {
  await openOlder(page, site, baseURL ?? "");
  await site.deployNewer({ offlinePages: false });
  await page.reload();
  await expect(page.getByRole("article")).toHaveCount(1);
  expect(await buildOf(page)).not.toMatch(/^older/);
  await expect.poll(() => workers(page)).toBe(0);
  await page.reload();
  await expect(page.getByRole("article")).toHaveCount(1);
  expect(
    await page.evaluate("caches.keys().then((names) => [navigator.serviceWorker.controller, ...names])"),
  ).toEqual([null]);
});
