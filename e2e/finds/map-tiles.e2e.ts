// Streets on the map from the operator's tiles, and a tile host that fails.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { NIGHT } from "#core/map/palette.ts";
import { MADE_ATTRIBUTION, madeArchive, startTileHost } from "#test/map/made-tiles.ts";
import { expect } from "../support/filter-page.ts";
import { addFinds, newCodes } from "../support/finds.ts";
import { type Person, signUp } from "../support/people.ts";
import { inDatabase } from "../support/product-database.ts";
import { textsIn } from "../support/texts.ts";
import { openTiledSite } from "../support/tiled-site.ts";
import { expectAccessible, test } from "../support/visitor.ts";

const { map } = textsIn("en");
const RETRY_MS = 30_000;

test.use({ colorScheme: "dark" });

async function personWithFinds(baseURL: string): Promise<Person> {
  const person = await signUp(baseURL, "Ana García");
  const codes = newCodes(4);
  await addFinds(
    person,
    codes.map((id, place) => ({ id, priceEur: 1_000 + place, minutesAgo: 5, street: `Calle ${place}` })),
  );
  await inDatabase(async (sql) => {
    await sql`update watch.portal_listings
      set card = card || '{"latitude": 40.4168, "longitude": -3.7038, "isAddressShown": true}'
      where listing_id = any(${codes})`;
  });
  return person;
}

async function openMap(page: Page, url: string, { session }: Person): Promise<void> {
  await page.goto(`${url}/robots.txt`);
  await page.evaluate((stored) => localStorage.setItem("sb-localhost-auth-token", stored), session);
  await page.goto(`${url}/finds?view=map`);
  await expect(page.getByRole("application")).toBeVisible();
}

/** How many pixels of the map have a colour. */
const pixelsOf = (page: Page, color: string) =>
  page.evaluate<number>(`{
    const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt("${color}".slice(at, at + 2), 16));
    let count = 0;
    for (const canvas of document.querySelectorAll("[data-map] canvas")) {
      const pixels = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
      for (let at = 0; at < pixels.length; at += 4) {
        if (pixels[at] === red && pixels[at + 1] === green && pixels[at + 2] === blue) count += 1;
      }
    }
    count;
  }`);

const expectPixels = (page: Page, color: string) =>
  expect.poll(() => pixelsOf(page, color), { timeout: 30_000 }).toBeGreaterThan(20);

test("MAP-02 streets come from a tile host, which learns nothing but the tile, or from a file of our own server", async ({
  page,
  baseURL,
}) => {
  const person = await personWithFinds(baseURL ?? "");
  const host = await startTileHost();
  const hosted = await openTiledSite(baseURL ?? "", { kind: "url", url: `${host.url}/planet` });
  const outside = new Set<string>();
  page.on("request", (request) => outside.add(new URL(request.url()).origin));
  await openMap(page, hosted.url, person);
  await expect(page.getByRole("link", { name: MADE_ATTRIBUTION })).toBeVisible();
  await expectPixels(page, NIGHT.tiles.water);
  await expectAccessible(page);
  const tiles = host.requests.filter(({ path }) => path !== "/planet");
  expect(tiles.length).toBeGreaterThan(0);
  for (const { path, referrer, cookie } of tiles) {
    expect([path, referrer, cookie]).toEqual([
      expect.stringMatching(/^\/tiles\/\d+\/\d+\/\d+\.pbf$/),
      undefined,
      undefined,
    ]);
  }
  expect(outside).toEqual(new Set([hosted.url, host.url]));
  await hosted.close();
  await host.close();

  const folder = await mkdtemp(join(tmpdir(), "sereno-tiles-"));
  const path = join(folder, "made.pmtiles");
  await writeFile(path, madeArchive());
  const filed = await openTiledSite(baseURL ?? "", { kind: "file", path });
  outside.clear();
  await openMap(page, filed.url, person);
  await expect(page.getByRole("link", { name: MADE_ATTRIBUTION })).toBeVisible();
  await expectPixels(page, NIGHT.tiles.water);
  expect(outside).toEqual(new Set([filed.url]));
  await filed.close();
  await rm(folder, { recursive: true });
});

test("MAP-03 with a tile host that is down or slow, zones and finds stay, one sentence says so, and streets come after 30 s", {
  tag: "@long",
}, async ({ page, baseURL }) => {
  const person = await personWithFinds(baseURL ?? "");
  const host = await startTileHost();
  const site = await openTiledSite(baseURL ?? "", { kind: "url", url: `${host.url}/planet` });
  await page.clock.install();
  for (const mode of ["slow", "down"] as const) {
    host.mode = mode;
    await openMap(page, site.url, person);
    await expect(page.getByText(map.streetsFailing)).toBeVisible();
    await expectPixels(page, NIGHT.window);
    expect(await pixelsOf(page, NIGHT.tiles.water)).toBe(0);
    await expect(page.getByText(map.streetsFailing)).toHaveCount(1);
    await expect(page.getByRole("link", { name: MADE_ATTRIBUTION })).toHaveCount(0);
    const zone = page.getByRole("button", { name: /^Gaztambide/ });
    await expect(zone).toContainText("4 homes");
  }
  // Tried again by itself: nobody moves the map or reloads the page.
  host.mode = "fine";
  await page.clock.fastForward(RETRY_MS);
  await expectPixels(page, NIGHT.tiles.water);
  await expect(page.getByText(map.streetsFailing)).toHaveCount(0);
  await site.close();
  await host.close();
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test("MAP-04 one finger scrolls the page, two fingers and Ctrl with the wheel move the map, and a tap opens what is there", async ({
    page,
    baseURL,
  }) => {
    const person = await personWithFinds(baseURL ?? "");
    await openMap(page, baseURL ?? "", person);
    const surface = page.locator("[data-map]");
    await expectPixels(page, NIGHT.window);
    const box = await surface.boundingBox();
    if (!box) throw new Error("The map has no size");
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const scale = page.getByText(/^\d+\sk?m$/);
    const session = await page.context().newCDPSession(page);
    const touch = (
      type: "touchStart" | "touchMove" | "touchEnd",
      points: readonly (readonly [number, number])[],
    ) =>
      session.send("Input.dispatchTouchEvent", {
        type,
        touchPoints: points.map(([left, top], id) => ({ x: left, y: top, id })),
      });

    // The page scrolls on for a moment after the finger is lifted.
    const scrolled = page.evaluate(
      'new Promise((done) => addEventListener("scrollend", () => done(), { once: true }))',
    );
    await touch("touchStart", [[x, y + 60]]);
    for (let step = 1; step <= 8; step += 1) await touch("touchMove", [[x, y + 60 - step * 15]]);
    await touch("touchEnd", []);
    await expect(page.getByText(map.hints.fingers)).toBeVisible();
    await scrolled;
    expect(await page.evaluate("scrollY")).toBeGreaterThan(40);
    await page.evaluate("scrollTo(0, 0)");

    const before = await scale.innerText();
    await touch("touchStart", [
      [x - 20, y],
      [x + 20, y],
    ]);
    for (let step = 1; step <= 8; step += 1) {
      await touch("touchMove", [
        [x - 20 - step * 12, y],
        [x + 20 + step * 12, y],
      ]);
    }
    await touch("touchEnd", []);
    await expect(scale).not.toHaveText(before);
    expect(await page.evaluate("scrollY")).toBe(0);

    const near = await scale.innerText();
    await page.mouse.move(x, y);
    await page.mouse.wheel(0, -200);
    await expect(page.getByText(map.hints.wheel)).toBeVisible();
    await expect(scale).toHaveText(near);
    await page.evaluate("scrollTo(0, 0)");
    await page.keyboard.down("Control");
    await page.mouse.wheel(0, 600);
    await page.keyboard.up("Control");
    await expect(scale).not.toHaveText(near);

    await page.getByRole("button", { name: map.showAll }).click();
    await expect(scale).toHaveText(before);
    // All four are at one point, in the middle of the first view. The finger is 20 pixels off.
    await page.touchscreen.tap(x + 14, y + 14);
    await expect(page.getByRole("heading", { name: "4 homes" })).toBeVisible();
    await page.getByRole("button", { name: "€1,002" }).click();
    await expect(page.getByRole("dialog")).toContainText("Calle 2");
  });
});
