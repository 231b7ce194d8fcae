import { randomInt } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import AxeBuilder from "@axe-core/playwright";
import {
  type Browser,
  type BrowserContext,
  test as base,
  expect,
  type Locator,
  type Page,
} from "@playwright/test";

interface Fault {
  method?: string;
  /** Part of the requested URL. */
  path: string;
  /** Null closes the connection. */
  status?: number | null;
  times?: number;
}

interface Outage {
  begin(fault: Fault): Promise<void>;
  end(): Promise<void>;
  /** The number of requests that failed because of it. */
  met(): Promise<number>;
}

/**
 * A browser test whose visitor has their own IP address, as behind a proxy, and for whom the server can be down. Their
 * browser stores nothing of earlier visitors, but goes on with their process and its cached scripts.
 */
export const test = base.extend<{ address: string; outage: Outage }, { kept: Map<string, KeptContext> }>({
  kept: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of what a fixture needs from here
    async ({}, use) => {
      const kept = new Map<string, KeptContext>();
      await use(kept);
      for (const { context } of kept.values()) await context.close();
    },
    { scope: "worker" },
  ],
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of what a fixture needs from here
  address: async ({}, use) => {
    await use(newAddress());
  },
  extraHTTPHeaders: async ({ address }, use) => {
    await use({ "x-forwarded-for": address });
  },
  context: async (
    {
      browser,
      kept,
      extraHTTPHeaders,
      viewport,
      locale,
      hasTouch,
      isMobile,
      serviceWorkers,
      colorScheme,
      permissions,
    },
    use,
  ) => {
    const key = JSON.stringify([viewport, locale, hasTouch, isMobile, colorScheme]);
    const isSpecial = serviceWorkers === "allow" || permissions !== undefined;
    const one = (isSpecial ? undefined : kept.get(key)) ?? (await openContext(browser));
    await one.context.setExtraHTTPHeaders(extraHTTPHeaders ?? {});
    await use(one.context);
    if (!isSpecial && (await canGoOn(one))) {
      kept.set(key, one);
      return;
    }
    if (kept.get(key) === one) kept.delete(key);
    await one.context.close();
  },
  outage: async ({ address, baseURL }, use) => {
    const callGateway = async (method: string, fault?: Fault) => {
      const body = fault ? { body: JSON.stringify(fault) } : {};
      const answer = await fetch(`${baseURL}/.gateway/${address}`, { method, ...body });
      return (await answer.json()) as { met: number };
    };
    await use({
      begin: async (fault) => void (await callGateway("POST", fault)),
      end: async () => void (await callGateway("DELETE")),
      met: async () => (await callGateway("GET")).met,
    });
  },
});

interface KeptContext {
  context: BrowserContext;
  /** Keeps the renderer process, which has compiled the scripts. */
  keeper: Page;
}

async function openContext(browser: Browser): Promise<KeptContext> {
  const context = await browser.newContext();
  await noteToasts(context);
  const keeper = await context.newPage();
  await keeper.goto("/robots.txt");
  return { context, keeper };
}

/** Removes what the visitor left. False if the context is of no use to the next one. */
async function canGoOn({ context, keeper }: KeptContext): Promise<boolean> {
  // A clock cannot be uninstalled.
  const hasClock = await keeper.evaluate<boolean>(
    "!Function.prototype.toString.call(Date).includes('[native code]')",
  );
  if (hasClock) return false;
  for (const page of context.pages()) if (page !== keeper) await page.close();
  await context.unrouteAll({ behavior: "ignoreErrors" });
  await context.setOffline(false);
  await context.clearCookies();
  await context.clearPermissions();
  const session = await context.newCDPSession(keeper);
  await session.send("Storage.clearDataForOrigin", { origin: "*", storageTypes: "all" });
  await session.detach();
  return true;
}

export function newAddress(): string {
  return `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`;
}

interface Toast {
  type: string;
  text: string;
}

/** Toasts are recorded when they appear: they last four seconds, and a busy machine may check too late. */
const toastsSeen = new WeakMap<Page, Toast[]>();

const NOTE_TOASTS = `{
  const noted = new WeakMap();
  const look = () => {
    for (const toast of document.querySelectorAll("[data-sonner-toast]")) {
      const current = { type: toast.dataset.type ?? "", text: toast.textContent };
      if (noted.get(toast) === JSON.stringify(current)) continue;
      noted.set(toast, JSON.stringify(current));
      window.noteToast(current);
    }
  };
  const options = { subtree: true, childList: true, characterData: true, attributeFilter: ["data-type"] };
  new MutationObserver(look).observe(document, options);
}`;

async function noteToasts(context: BrowserContext): Promise<void> {
  const note = (page: Page, toast: Toast) => {
    toastsSeen.set(page, [...toastsOn(page), toast]);
  };
  await context.exposeBinding("noteToast", ({ page }, toast: Toast) => note(page, toast));
  await context.addInitScript(NOTE_TOASTS);
}

/** The toasts that a page has shown and that no expectation has consumed yet. */
export function toastsOn(page: Page): Toast[] {
  return toastsSeen.get(page) ?? [];
}

async function expectToast(
  page: Page,
  type: "error" | "success",
  { title, description }: { title: string; description: string },
): Promise<void> {
  const matches = (toast: Toast) =>
    toast.type === type && toast.text.includes(title) && toast.text.includes(description);
  const wanted = `a toast (${type}): ${title} / ${description}`;
  const toast = page.locator(`[data-sonner-toast][data-type="${type}"]`);
  const shown = toast.filter({ hasText: title }).filter({ hasText: description });
  await expect
    // Contexts that a test creates itself do not record toasts: there the toast must be visible.
    .poll(async () => (toastsOn(page).some(matches) || (await shown.count()) > 0 ? wanted : toastsOn(page)))
    .toBe(wanted);
  toastsSeen.set(
    page,
    toastsOn(page).filter((toast) => !matches(toast)),
  );
}

export const expectDestructive = (page: Page, words: { title: string; description: string }) =>
  expectToast(page, "error", words);

export const expectSuccess = (page: Page, words: { title: string; description: string }) =>
  expectToast(page, "success", words);

/** The minified axe: its builder sends the full one, of 1.5 MB, to the page twice for each analysis. */
const AXE = readFileSync(
  createRequire(import.meta.resolve("@axe-core/playwright")).resolve("axe-core/axe.min.js"),
  "utf8",
);
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const COLOUR_RULES = ["color-contrast", "link-in-text-block"];

/**
 * Expects that axe finds no violations on the page, or in its open dialog. Colours are checked in the light and the dark
 * theme, which takes most of the time.
 */
export async function expectAccessible(page: Page, { withColours = true } = {}): Promise<void> {
  const dialog = '[role="dialog"], [role="alertdialog"]';
  const isDialogOpen = (await page.locator(dialog).count()) > 0;
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(AXE);
  const axe = () => {
    // The default mode opens another page each time, for frames of other origins, which we do not have.
    const builder = new AxeBuilder({ page, axeSource: "undefined" })
      .setLegacyMode()
      .options({ resultTypes: ["violations"] });
    // Sonner's live region appears and disappears while axe runs.
    return isDialogOpen ? builder.include(dialog) : builder.exclude("[data-sonner-toaster]");
  };
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  const all = axe().withTags(RULES);
  const light = await violationsOf(withColours ? all : all.disableRules(COLOUR_RULES));
  let dark: string[] = [];
  if (withColours) {
    // The theme changes only colours.
    await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
    dark = await violationsOf(axe().withRules(COLOUR_RULES));
  }
  expect({ light, dark }).toEqual({ light: [], dark: [] });
}

async function violationsOf(axe: AxeBuilder): Promise<string[]> {
  const { violations } = await axe.analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(" ")}`));
}

/** Expects that no part of the page is wider than the screen. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const box = page.getByRole("dialog").or(page.getByRole("main")).last();
  await expect(box).toHaveJSProperty("scrollWidth", await sizeOf(box, "clientWidth"));
}

async function sizeOf(box: Locator, name: string): Promise<unknown> {
  return (await box.evaluateHandle((element, key) => Reflect.get(element, key), name)).jsonValue();
}
