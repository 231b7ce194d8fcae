// Presses each control of a page without a connection, and what appears by that. After a press the clock of the page is moved
// on by four seconds at most, however long the machine takes.
import { expect, type Page } from "@playwright/test";
import type { Language } from "#core/languages.ts";
import { CHAMBERI } from "../support/filter-page.ts";
import { isHydrated } from "../support/pre-hydration.ts";
import { textsIn } from "../support/texts.ts";
import { type Control, controlsOn, lookOf, pressControl } from "./controls.ts";

const ANSWER_MS = 4_000;
const STEP_MS = 100;
/** Failed requests are reported by another process, which may be late. */
const PATIENCE_MS = 10_000;
/** After these times toasts begin to go, and are gone. */
const TOAST_MS = [5_000, 500] as const;
/** How often a page may be opened again to reach what was left out. */
const MAX_OPENINGS = 4;

interface Visit {
  page: Page;
  language: Language;
  address: string;
  /** What has been pressed in this and earlier visits. */
  pressed: Set<string>;
  /** Whether the header, the footer and the notices are pressed too. */
  withFrame: boolean;
  /** Names of the controls that are not pressed. */
  skipped: readonly string[];
}

export interface Outcome {
  /** Controls that changed nothing and said nothing, and what else went wrong. */
  faults: string[];
  skipped: string[];
}

interface Round {
  visit: Visit;
  outcome: Outcome;
  /** The presses after which each control appeared. */
  ways: Map<string, string[]>;
  /** The presses that led to what is shown now. */
  way: string[];
  openings: number;
}

export async function pressEverything(visit: Visit): Promise<Outcome> {
  const { page } = visit;
  const outcome: Outcome = { faults: [], skipped: [] };
  const note = (error: Error) => outcome.faults.push(`uncaught: ${error.message}`);
  page.on("pageerror", note);
  await openAtRest(visit);
  const round: Round = { visit, outcome, ways: new Map(), way: [], openings: 0 };
  while (await goOn(round));
  await recover(visit);
  page.off("pageerror", note);
  return outcome;
}

/** Returns false if nothing is left to press. */
async function goOn(round: Round): Promise<boolean> {
  const { visit, ways, way } = round;
  const shown = await shownIn(visit);
  for (const { key } of shown) if (!ways.has(key)) ways.set(key, way);
  const next = firstOf(shown, visit.pressed, ways);
  if (next) await pressNext(round, next);
  return next !== undefined || (await closeLayer(visit.page)) || goBack(round);
}

async function pressNext(round: Round, next: Control): Promise<void> {
  const { visit, outcome, ways } = round;
  const { page } = visit;
  visit.pressed.add(next.key);
  const name = next.key.split(" · ").at(-1) ?? "";
  if (visit.skipped.includes(name)) {
    outcome.skipped.push(name);
    return;
  }
  const from = page.url();
  const fault = (await answerTo(visit, next)) ?? (await faultOfFrame(visit));
  if (fault) {
    outcome.faults.push(`${next.key}: ${fault}`);
    await openAtRest(visit);
  } else if (await hasLeft(page, from)) {
    await comeBack(visit, from);
  } else {
    round.way = [...(ways.get(next.key) ?? []), next.key];
    await calm(page);
    await dismissFailure(visit);
  }
}

/** To what was seen, but not pressed. What an earlier press has changed may be gone for good. */
async function goBack(round: Round): Promise<boolean> {
  const { visit, ways } = round;
  const left = [...ways].find(([key]) => !visit.pressed.has(key));
  if (!left) return false;
  const [key, way] = left;
  round.way = way;
  if (await follow(visit, key, way)) return true;
  round.openings += 1;
  const canOpen = round.openings <= MAX_OPENINGS;
  if (canOpen) await openAtRest(visit);
  if (!canOpen || !(await follow(visit, key, way))) visit.pressed.add(key);
  return true;
}

async function shownIn({ page, address, withFrame }: Visit): Promise<Control[]> {
  const controls = await controlsOn(page);
  return controls
    .filter(({ isOfFrame }) => withFrame || !isOfFrame)
    .map((control) => (control.isOfFrame ? control : { ...control, key: `${address} · ${control.key}` }));
}

/** What appeared last comes first. */
function firstOf(
  shown: readonly Control[],
  pressed: ReadonlySet<string>,
  ways: ReadonlyMap<string, string[]>,
): Control | undefined {
  const depthOf = ({ key }: Control) => ways.get(key)?.length ?? 0;
  return shown
    .filter(({ key }) => !pressed.has(key))
    .sort((one, other) => depthOf(other) - depthOf(one) || one.rank - other.rank)[0];
}

/** Opens the page with a connection, waits until it is at rest, and cuts the line. */
async function openAtRest({ page, language, address }: Visit): Promise<void> {
  await page.context().setOffline(false);
  await page.clock.resume();
  // The browser's processes do not learn at the same time that the connection is back.
  await expect(() => page.goto(address)).toPass();
  if ((await page.locator("html").getAttribute("lang")) !== language) {
    await page.evaluate(`localStorage.setItem("i18nextLng", "${language}")`);
    await page.goto(address);
  }
  await page.keyboard.press("Shift");
  await expect.poll(() => isHydrated(page)).toBe(true);
  await page.waitForLoadState("networkidle");
  await expect(page.locator("[data-waiting], [aria-busy=true]")).toHaveCount(0);
  await page.clock.pauseAt((await page.evaluate<number>("Date.now()")) + 60_000);
  await page.context().setOffline(true);
  await page.clock.runFor(STEP_MS);
}

/** Undefined if the page changed or said something within four seconds of its time. */
async function answerTo(visit: Visit, control: Control): Promise<string | undefined> {
  const { page } = visit;
  const before = await lookOf(page);
  if (!(await press(visit, control))) {
    // A dialog that was still loading covers it: it is pressed later. Otherwise it is gone.
    if (await page.locator(control.selector).count()) visit.pressed.delete(control.key);
    return undefined;
  }
  const patienceEnds = Date.now() + PATIENCE_MS;
  for (let passedMs = 0; (await lookOf(page)) === before; ) {
    const hasTime = passedMs < ANSWER_MS;
    if (!hasTime && (await isFailureShown(page, control))) return undefined;
    if (!hasTime && Date.now() > patienceEnds) return "changes nothing and says nothing";
    await page.clock.runFor(hasTime ? STEP_MS : 1);
    if (hasTime) passedMs += STEP_MS;
  }
  return coverOf(page);
}

/** Returns false if the control can no longer be reached. */
async function press(visit: Visit, control: Control): Promise<boolean> {
  try {
    await pressControl(visit.page, control, TYPED[control.takes]);
    return true;
  } catch (error) {
    if ((await shownIn(visit)).some(({ key }) => key === control.key)) throw error;
    return false;
  }
}

/** What covers the page while it loads must be gone or explained four seconds after the press. */
async function coverOf(page: Page): Promise<string | undefined> {
  const cover = page.locator(".fixed.inset-0 > [role=status]");
  for (let passedMs = 0; await cover.count(); passedMs += STEP_MS) {
    if (passedMs > ANSWER_MS) return "covers the page";
    await page.clock.runFor(STEP_MS);
  }
  return undefined;
}

/** A press that fails like the one before finds its sentence on the screen already. */
const isFailureShown = async (page: Page, { selector }: Control) =>
  (await page.locator(`[data-part-failure]:not(:has(${selector}))`).count()) > 0;

/** It would cover what is pressed next. Its own buttons are pressed as all others. */
async function dismissFailure({ page, language, pressed }: Visit): Promise<void> {
  const name = textsIn(language).common.dialog.close;
  const close = page.locator("[data-part-failure]").getByRole("button", { name });
  if (pressed.has(`page · button · ${name}`) && (await close.count())) await close.first().click();
}

const TYPED = {
  email: "ana@example.com",
  url: CHAMBERI,
  password: "correct horse",
  digits: "502",
  words: "Ana",
} as const satisfies Record<Control["takes"], string>;

/** Presses again what made a control appear. */
async function follow(visit: Visit, key: string, way: readonly string[]): Promise<boolean> {
  for (const step of way) {
    const shown = await shownIn(visit);
    if (shown.some((control) => control.key === key)) return true;
    const control = shown.find((one) => one.key === step);
    if (!control) return false;
    if (!(await press(visit, control))) return false;
    await calm(visit.page);
  }
  return (await shownIn(visit)).some((control) => control.key === key);
}

async function calm(page: Page): Promise<void> {
  await page.clock.fastForward(TOAST_MS[0]);
  await page.clock.runFor(TOAST_MS[1]);
}

async function closeLayer(page: Page): Promise<boolean> {
  const layers = page.locator(
    "[role=dialog], [role=alertdialog], [role=menu], header:has([aria-expanded=true])",
  );
  const count = await layers.count();
  if (count === 0) return false;
  await page.keyboard.press("Escape");
  await calm(page);
  return (await layers.count()) < count;
}

async function faultOfFrame({ page, language }: Visit): Promise<string | undefined> {
  if (page.url().startsWith("chrome-error:")) return "the page is gone";
  const { crash } = textsIn(language).common;
  if (await page.getByRole("heading", { name: crash.title }).count()) return "the page crashes";
  if (!(await page.locator("header").first().isVisible())) return "the header is gone";
  if ((await page.locator("main").first().innerText()).trim() === "") return "the page is empty";
  return undefined;
}

/** A page that could not be loaded stands in the place of this one, whose address stays. */
const pageFailure = (page: Page) => page.locator("main > [hidden]");

async function hasLeft(page: Page, from: string): Promise<boolean> {
  const placeOf = (address: string) => new URL(address).pathname + new URL(address).searchParams.get("view");
  return placeOf(page.url()) !== placeOf(from) || (await pageFailure(page).count()) > 0;
}

/** A page that could not be loaded is shown by itself when the line is back. */
async function comeBack(visit: Visit, from: string): Promise<void> {
  const { page } = visit;
  if (await pageFailure(page).count()) {
    await page.context().setOffline(false);
    await expect
      .poll(async () => {
        await page.clock.runFor(1_000);
        return pageFailure(page).count();
      })
      .toBe(0);
    await page.context().setOffline(true);
  }
  if (page.url() !== from) await page.goBack({ waitUntil: "commit" });
  await calm(page);
  if (page.url() !== from) await openAtRest(visit);
}

async function recover({ page, language }: Visit): Promise<void> {
  await page.context().setOffline(false);
  await page.clock.resume();
  await expect(page.locator("[data-part-failure], #start-failure")).toHaveCount(0);
  await expect(page.getByText(textsIn(language).common.parts.offline)).toHaveCount(0);
  await expect(page.locator("main h1").first()).toBeVisible();
}
