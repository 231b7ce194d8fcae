// Measures how long the finds page takes from a cold start to its first card on a phone with a weak signal (400 ms,
// 50 kB/s), and lists what was loaded before it. Starts a product of its own. Target: 3 s.
import type { Page, Request } from "@playwright/test";
import { findBrowser, NO_BROWSER } from "../../scripts/find-browser.ts";
import { addFinds } from "./add-finds.ts";
import { signUp, withProduct } from "./local-product.ts";
import { onPhone, WEAK_SIGNAL } from "./phone.ts";

const PORT = Number(process.env.PORT || 3980);
const RUNS = 5;
const FINDS = 100;

const executablePath = findBrowser() ?? "";
if (!executablePath) throw new Error(NO_BROWSER);
await withProduct({ port: PORT }, async ({ origin, dataDir }) => {
  const { stored, userId } = await signUp(origin);
  await addFinds(dataDir, { userId, count: FINDS });
  const runs: Awaited<ReturnType<typeof measure>>[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const measured = await onPhone(
      executablePath,
      async (page) => {
        await page.addInitScript(`localStorage.setItem(...${JSON.stringify(stored)})`);
        return measure(page, `${origin}/finds`);
      },
      WEAK_SIGNAL,
    );
    runs.push(measured);
  }
  runs.sort((one, other) => one.firstCardMs - other.firstCardMs);
  console.log("to the first card:", runs.map(({ firstCardMs }) => Math.round(firstCardMs)).join(", "), "ms");
  for (const line of runs[Math.floor(RUNS / 2)]?.loaded ?? []) console.log(line);
});

async function measure(page: Page, url: string): Promise<{ firstCardMs: number; loaded: string[] }> {
  const requests: Request[] = [];
  page.on("requestfinished", (request) => requests.push(request));
  const from = Date.now();
  await page.goto(url, { waitUntil: "commit" });
  await page.getByText("Calle de Prueba").first().waitFor();
  const firstCardMs = Date.now() - from;
  const sized = await Promise.all(
    requests.map(async (request) => ({ request, sizes: await request.sizes() })),
  );
  const loaded = sized.map(({ request, sizes }) => {
    const { startTime, responseEnd } = request.timing();
    const kilobytes = ((sizes.responseBodySize + sizes.responseHeadersSize) / 1000).toFixed(1).padStart(6);
    const started = Math.round(startTime - from);
    return `${String(started).padStart(5)} – ${String(started + Math.round(responseEnd)).padStart(5)} ms ${kilobytes} kB  ${new URL(request.url()).pathname}`;
  });
  return { firstCardMs, loaded };
}
