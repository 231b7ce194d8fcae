// Measures how long a press takes to show that it was noticed, with a phone's CPU and network: from the press to the first
// frame with a busy state. Starts a product of its own. Target: 100 ms. On a busy machine, compare the fastest of two versions.
import type { Page } from "@playwright/test";
import { findBrowser, NO_BROWSER } from "../../scripts/find-browser.ts";
import { addFinds } from "./add-finds.ts";
import { signUp, withProduct } from "./local-product.ts";
import { onPhone } from "./phone.ts";

const PORT = 3994;
const RUNS = 5;
const FINDS = 60;
const TARGET_MS = 100;
const origin = `http://localhost:${PORT}`;

/** Resolves with the time from the click on the element until the page has changed and painted. */
const PRESS = `(selector) => new Promise((resolve) => {
  const element = document.querySelector(selector);
  const observer = new MutationObserver(() => {
    observer.disconnect();
    requestAnimationFrame(() => resolve(performance.now() - from));
  });
  observer.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
  const from = performance.now();
  element.click();
})`;

const PRESSES = [
  { name: "a view of the finds", path: "/finds", selector: 'a[href$="view=market"]' },
  { name: "the settings of the finds", path: "/finds", selector: 'a[href$="view=settings"]' },
  { name: "the kept homes", path: "/finds", selector: 'a[href$="state=kept"]' },
  { name: "a home", path: "/finds", selector: "a[data-open]" },
  { name: "keep a home", path: "/finds", selector: "article button[aria-pressed]" },
  { name: "write a note", path: "/finds", selector: "article button[aria-expanded]" },
  { name: "the menu", path: "/profile", selector: "header button[aria-controls]" },
  { name: "change the name", path: "/profile", selector: "main dd button" },
] as const;

/** What a page shows once its data has arrived. Before that, a press waits for the page's own first rendering. */
const CONTENT = { "/finds": "article", "/profile": "main dd" } as const;

const executablePath = findBrowser() ?? "";
if (!executablePath) throw new Error(NO_BROWSER);
await withProduct({ port: PORT }, async ({ dataDir }) => {
  const { stored, userId } = await signUp(origin);
  await addFinds(dataDir, { userId, count: FINDS });
  const rows: Record<string, { fastest: number; median: number; slowest: number }> = {};
  for (const { name, path, selector } of PRESSES) {
    const times: number[] = [];
    for (let run = 0; run < RUNS; run++) times.push(await onPhone(executablePath, measure(path, selector)));
    const sorted = times.map(Math.round).sort((one, other) => one - other);
    const [fastest = 0] = sorted;
    rows[name] = { fastest, median: sorted[Math.floor(RUNS / 2)] ?? 0, slowest: sorted.at(-1) ?? 0 };
  }
  console.table(rows);
  if (Object.values(rows).some(({ median }) => median > TARGET_MS)) process.exitCode = 1;

  function measure(path: keyof typeof CONTENT, selector: string): (page: Page) => Promise<number> {
    return async (page) => {
      await page.addInitScript(`localStorage.setItem(...${JSON.stringify(stored)})`);
      await page.goto(`${origin}${path}`);
      await page.locator(CONTENT[path]).first().waitFor();
      await page.waitForLoadState("networkidle");
      return page.evaluate<number>(`(${PRESS})(${JSON.stringify(selector)})`);
    };
  }
});
