import { randomInt } from "node:crypto";
import AxeBuilder from "@axe-core/playwright";
import { type BrowserContext, test as base, expect, type Locator, type Page } from "@playwright/test";

interface Fault {
  method?: string;
  /** Part of the address asked for. */
  path: string;
  /** Null cuts the line. */
  status?: number | null;
  times?: number;
}

interface Outage {
  begin(fault: Fault): Promise<void>;
  end(): Promise<void>;
  /** How many requests have met it. */
  met(): Promise<number>;
}

/** A browser test whose visitor has an address of their own, as behind a proxy, and can find the server down. */
export const test = base.extend<{ address: string; outage: Outage }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of what a fixture needs from here
  address: async ({}, use) => {
    await use(newAddress());
  },
  extraHTTPHeaders: async ({ address }, use) => {
    await use({ "x-forwarded-for": address });
  },
  context: async ({ context }, use) => {
    await noteToasts(context);
    await use(context);
  },
  outage: async ({ address, baseURL }, use) => {
    const order = async (method: string, fault?: Fault) => {
      const body = fault ? { body: JSON.stringify(fault) } : {};
      const answer = await fetch(`${baseURL}/.gateway/${address}`, { method, ...body });
      return (await answer.json()) as { met: number };
    };
    await use({
      begin: async (fault) => void (await order("POST", fault)),
      end: async () => void (await order("DELETE")),
      met: async () => (await order("GET")).met,
    });
  },
});

export function newAddress(): string {
  return `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`;
}

interface Toast {
  type: string;
  text: string;
}

/** A toast is there for four seconds, which a busy machine may take until it looks: each is noted as it comes. */
const toastsSeen = new WeakMap<Page, Toast[]>();

const NOTE_TOASTS = `{
  const noted = new WeakMap();
  const look = () => {
    for (const toast of document.querySelectorAll("[data-sonner-toast]")) {
      const said = { type: toast.dataset.type ?? "", text: toast.textContent };
      if (noted.get(toast) === JSON.stringify(said)) continue;
      noted.set(toast, JSON.stringify(said));
      window.noteToast(said);
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

/** Every toast a page has shown and no expectation has named yet. */
export function toastsOn(page: Page): Toast[] {
  return toastsSeen.get(page) ?? [];
}

async function expectToast(
  page: Page,
  type: "error" | "success",
  { title, description }: { title: string; description: string },
): Promise<void> {
  const isIt = (toast: Toast) =>
    toast.type === type && toast.text.includes(title) && toast.text.includes(description);
  const wanted = `a toast (${type}): ${title} / ${description}`;
  const toast = page.locator(`[data-sonner-toast][data-type="${type}"]`);
  const shown = toast.filter({ hasText: title }).filter({ hasText: description });
  await expect
    // A browser that a test opened by hand notes nothing: there it is to be seen.
    .poll(async () => (toastsOn(page).some(isIt) || (await shown.count()) > 0 ? wanted : toastsOn(page)))
    .toBe(wanted);
  toastsSeen.set(
    page,
    toastsOn(page).filter((toast) => !isIt(toast)),
  );
}

export const expectDestructive = (page: Page, words: { title: string; description: string }) =>
  expectToast(page, "error", words);

export const expectSuccess = (page: Page, words: { title: string; description: string }) =>
  expectToast(page, "success", words);

const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** What axe finds wrong with the page as it is now, or with its open dialog, in the light and in the dark. */
export async function expectAccessible(page: Page): Promise<void> {
  const dialog = '[role="dialog"], [role="alertdialog"]';
  const isDialogOpen = (await page.locator(dialog).count()) > 0;
  const axe = () => {
    // The other way of running opens a page of its own each time; it is for frames of other sites, and there are none.
    const builder = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ["violations"] });
    // Sonner's own live region comes and goes while axe looks.
    return isDialogOpen ? builder.include(dialog) : builder.exclude("[data-sonner-toaster]");
  };
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  const light = await violationsOf(axe().withTags(RULES));
  // The theme changes colours and nothing else.
  await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
  const dark = await violationsOf(axe().withRules(["color-contrast", "link-in-text-block"]));
  expect({ light, dark }).toEqual({ light: [], dark: [] });
}

async function violationsOf(axe: AxeBuilder): Promise<string[]> {
  const { violations } = await axe.analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(" ")}`));
}

/** No part of the page is wider than the screen. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const box = page.getByRole("dialog").or(page.getByRole("main")).last();
  await expect(box).toHaveJSProperty("scrollWidth", await sizeOf(box, "clientWidth"));
}

async function sizeOf(box: Locator, name: string): Promise<unknown> {
  return (await box.evaluateHandle((element, key) => Reflect.get(element, key), name)).jsonValue();
}
