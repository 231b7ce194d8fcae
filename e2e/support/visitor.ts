import { randomInt } from "node:crypto";
import AxeBuilder from "@axe-core/playwright";
import { test as base, expect, type Locator, type Page } from "@playwright/test";

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

/** A toast by what it says. */
function toastOf(page: Page, { title, description }: { title: string; description?: string }): Locator {
  const toast = page.locator("[data-sonner-toast]").filter({ hasText: title });
  return description === undefined ? toast : toast.filter({ hasText: description });
}

export async function expectDestructive(
  page: Page,
  words: { title: string; description: string },
): Promise<void> {
  const toast = toastOf(page, words).first();
  await expect(toast).toBeVisible();
  await expect(toast).toHaveAttribute("data-type", "error");
}

export async function expectSuccess(
  page: Page,
  words: { title: string; description: string },
): Promise<void> {
  const toast = toastOf(page, words).first();
  await expect(toast).toBeVisible();
  await expect(toast).toHaveAttribute("data-type", "success");
}

/** What axe finds wrong with the page as it is now, in the light and in the dark. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    const { violations } = await new AxeBuilder({ page })
      .withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"])
      // Its own live region; it comes and goes while axe looks.
      .exclude("[data-sonner-toaster]")
      .analyze();
    const found = violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target }) => `${id}: ${target.join(" ")}`),
    );
    expect([colorScheme, ...found]).toEqual([colorScheme]);
  }
}

/** No part of the page is wider than the screen. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const box = page.getByRole("dialog").or(page.getByRole("main")).last();
  await expect(box).toHaveJSProperty("scrollWidth", await sizeOf(box, "clientWidth"));
}

async function sizeOf(box: Locator, name: string): Promise<unknown> {
  return (await box.evaluateHandle((element, key) => Reflect.get(element, key), name)).jsonValue();
}
