// Measures the map with 5,000 finds, with a phone's CPU and network: the time from the click to the first drawn find, and
// the frame times while it is panned. Starts a product of its own. Targets: 2 s; a median frame of 33 ms or less.
import type { Page } from "@playwright/test";
import { NIGHT } from "#core/map/palette.ts";
import { findBrowser, NO_BROWSER } from "../../scripts/find-browser.ts";
import { addFinds } from "./add-finds.ts";
import { openProductDatabase, signUp, withProduct } from "./local-product.ts";
import { onPhone } from "./phone.ts";

const PORT = Number(process.env.PORT || 3970);
const RUNS = 3;
const FINDS = Number(process.argv.find((argument) => argument.startsWith("--finds="))?.slice(8) ?? 5_000);
const PANS = 90;

const executablePath = findBrowser() ?? "";
if (!executablePath) throw new Error(NO_BROWSER);
await withProduct({ port: PORT }, async ({ origin, dataDir }) => {
  const { stored, userId } = await signUp(origin);
  await addFinds(dataDir, { userId, count: FINDS });
  await scatter(dataDir);
  const firsts: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    await onPhone(executablePath, async (page) => {
      await page.emulateMedia({ colorScheme: "dark" });
      await page.addInitScript(`localStorage.setItem(...${JSON.stringify(stored)})`);
      firsts.push(await clickToFirstFind(page, origin));
      if (run === RUNS - 1) console.log(`${FINDS} finds, frames while panning:`, await framesOfPanning(page));
    });
  }
  firsts.sort((one, other) => one - other);
  console.log(
    `${FINDS} finds, from the click to the first drawn find:`,
    firsts.map(Math.round).join(", "),
    "ms",
  );
});

/** Over the middle of Madrid. Four of five hide their address, as on the portal. */
async function scatter(dataDir: string): Promise<void> {
  const sql = await openProductDatabase(dataDir);
  await sql`update watch.portal_listings set listing = listing || jsonb_build_object(
    'latitude', 40.39 + random() * 0.08, 'longitude', -3.74 + random() * 0.09, 'isAddressShown', random() < 0.2)`;
  await sql.end();
}

/** On a page of finds at rest: it has loaded what the map needs. With --early, as soon as the list is there. */
async function clickToFirstFind(page: Page, origin: string): Promise<number> {
  await page.goto(`${origin}/finds`);
  await page.getByRole("article").first().waitFor();
  await page.waitForLoadState("networkidle");
  if (!process.argv.includes("--early")) {
    const hasZones = `performance.getEntriesByType("resource").some(({ name }) => name.includes("/assets/madrid-"))`;
    while (!(await page.evaluate<boolean>(hasZones))) await page.waitForTimeout(100);
    await page.evaluate("new Promise((resolve) => requestIdleCallback(resolve))");
  }
  // In the page, so that the time between browser and program does not count. Finds are drawn as pictures: after a frame with
  // pictures the map is searched for their colour, and not more often, because that would take the time of the page.
  await page.evaluate(`void (window.firstFind = new Promise((resolve) => {
    const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt("${NIGHT.window}".slice(at, at + 2), 16));
    const wanted = ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
    const isDrawn = (canvas) => {
      const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
      return new Uint32Array(data.buffer).includes(wanted);
    };
    let [clickedAt, isAsked] = [0, false];
    document.addEventListener("click", ({ timeStamp }) => { clickedAt = timeStamp; }, { once: true, capture: true });
    const { drawImage } = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.drawImage = function (...parts) {
      drawImage.apply(this, parts);
      if (isAsked || !this.canvas.closest?.("[data-map]")) return;
      isAsked = true;
      requestAnimationFrame((at) => {
        isAsked = false;
        if (isDrawn(this.canvas)) resolve(at - clickedAt);
      });
    };
  }))`);
  await page.getByRole("link", { name: "Map", exact: true }).click();
  return page.evaluate<number>("window.firstFind");
}

async function framesOfPanning(page: Page): Promise<string> {
  await page.waitForLoadState("networkidle");
  const box = await page.locator("[data-map]").boundingBox();
  if (!box) throw new Error("The map has no size");
  await page.evaluate(`window.frames = []; {
    let before = performance.now();
    const note = (now) => { window.frames.push(now - before); before = now; requestAnimationFrame(note); };
    requestAnimationFrame(note);
  }`);
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  for (let step = 0; step < PANS; step += 1) {
    await page.mouse.move(x + 80 * Math.sin(step / 8), y + 60 * Math.cos(step / 11));
  }
  const frames = (await page.evaluate<number[]>("window.frames")).toSorted((one, other) => one - other);
  await page.mouse.up();
  const at = (share: number) => `${Math.round(frames[Math.floor(share * (frames.length - 1))] ?? 0)} ms`;
  return `median ${at(0.5)}, p95 ${at(0.95)}, longest ${at(1)} (${frames.length} frames)`;
}
