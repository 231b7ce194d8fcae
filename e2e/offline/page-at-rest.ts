// A page without a connection, whose clock stands still until a test moves it on.
import { expect, type Page } from "@playwright/test";
import type { Language } from "#core/languages.ts";
import { STORAGE_KEYS } from "#web/lib/site/constants.ts";
import { isHydrated } from "../support/pre-hydration.ts";
import { textsIn } from "../support/texts.ts";
import { openOnline } from "./connection.ts";

export interface Place {
  page: Page;
  language: Language;
  address: string;
}

/** Of a phone and of a wide screen. */
export const WIDTHS = [390, 1440] as const;
export const STEP_MS = 100;
/** After these times toasts begin to go, and are gone. */
const TOAST_MS = [5_000, 500] as const;

/** Opens the page with a connection, goes on to where it shall be, and cuts the line. */
export async function openAtRest(
  { page, language, address }: Place,
  goOn?: () => Promise<void>,
): Promise<void> {
  await page.clock.resume();
  await page.evaluate(FORGET);
  await openOnline(page, address);
  if ((await page.locator("html").getAttribute("lang")) !== language) {
    await page.evaluate(`localStorage.setItem("${STORAGE_KEYS.language}", "${language}")`);
    await page.goto(address);
  }
  await page.keyboard.press("Shift");
  await expect.poll(() => isHydrated(page)).toBe(true);
  await rest(page);
  await goOn?.();
  await page.clock.pauseAt((await page.evaluate<number>("Date.now()")) + 60_000);
  await page.context().setOffline(true);
  await page.clock.runFor(STEP_MS);
}

/** A hidden notice, and text that was typed, would change what the page shows. */
const FORGET = `if (location.protocol.startsWith("http")) {
  localStorage.removeItem("${STORAGE_KEYS.cookieConsent}");
  sessionStorage.clear();
}`;

/** Waits until the page loads nothing more. */
export async function rest(page: Page): Promise<void> {
  await page.waitForLoadState("networkidle");
  await expect(page.locator("[data-waiting], [aria-busy=true]")).toHaveCount(0);
}

/** Lets toasts go, which would cover what is pressed next. */
export async function calm(page: Page): Promise<void> {
  await page.clock.fastForward(TOAST_MS[0]);
  await page.clock.runFor(TOAST_MS[1]);
}

export async function faultOfFrame({ page, language }: Place): Promise<string | undefined> {
  if (page.url().startsWith("chrome-error:")) return "the page is gone";
  const { crash } = textsIn(language).common;
  const shown = await page.evaluate<{ headings: string[]; hasHeader: boolean; main: string }>(FRAME);
  if (shown.headings.includes(crash.title)) return "the page crashes";
  if (!shown.hasHeader) return "the header is gone";
  return shown.main.trim() === "" ? "the page is empty" : undefined;
}

const FRAME = `({
  headings: [...document.querySelectorAll("h1, h2")].map((one) => one.textContent),
  hasHeader: document.querySelector("header")?.checkVisibility() ?? false,
  main: document.querySelector("main")?.innerText ?? "",
})`;
