// Presses each control of a page without a connection, and what appears by that. After a press the clock of the page is moved
// on by four seconds at most, however long the machine takes.

import { expect, type Page } from "@playwright/test";
import { CHAMBERI, MADRID } from "../support/filter-page.ts";
import { textsIn } from "../support/texts.ts";
import { goOnline } from "./connection.ts";
import { type Control, controlsOn, lookOf, pressControl } from "./controls.ts";
import { calm, faultOfFrame, openAtRest, type Place, rest, STEP_MS } from "./page-at-rest.ts";

const ANSWER_MS = 4_000;
/** Failed requests are reported by another process, which may be late. */
const PATIENCE_MS = 10_000;

interface Visit extends Place {
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
  /** What was shown, but could not be reached again after an earlier press had changed the page. */
  unreached: string[];
}

interface Round {
  visit: Visit;
  outcome: Outcome;
  /** The presses after which each control appeared. */
  ways: Map<string, string[]>;
  /** The presses that led to what is shown now. */
  way: string[];
}

export async function pressEverything(visit: Visit): Promise<Outcome> {
  const { page } = visit;
  const outcome: Outcome = { faults: [], skipped: [], unreached: [] };
  const note = (error: Error) => outcome.faults.push(`uncaught: ${error.message}`);
  page.on("pageerror", note);
  await openAtRest(visit);
  const round: Round = { visit, outcome, ways: new Map(), way: [] };
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
    // The choice of a language stays.
    if ((await page.locator("html").getAttribute("lang")) !== visit.language) await openAtRest(visit);
    round.way = ways.get(next.key) ?? [];
  } else {
    round.way = [...(ways.get(next.key) ?? []), next.key];
    await calm(page);
    await dismissFailure(visit);
  }
}

/** Goes back to a control that was seen and not pressed. An earlier press may have removed it for good. */
async function goBack(round: Round): Promise<boolean> {
  const { visit, outcome, ways } = round;
  const left = [...ways].find(([key]) => !visit.pressed.has(key));
  if (!left) return false;
  const [key, way] = left;
  round.way = way;
  if (await follow(visit, key, way)) return true;
  await openAtRest(visit, () => walk(visit, key, way));
  if (await isShown(visit, key)) return true;
  // It is shown only without a connection.
  await openAtRest(visit);
  if (await follow(visit, key, way)) return true;
  visit.pressed.add(key);
  outcome.unreached.push(`${key} by ${way.join(", ")}`);
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
    if (await isShown(visit, control.key)) throw error;
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

/** The second if the field has the first. */
const TYPED = {
  email: ["ana@example.com", "eva@example.com"],
  url: [CHAMBERI, MADRID],
  password: ["correct horse", "battery staple"],
  digits: ["502", "503"],
  words: ["Ana", "Eva"],
} as const satisfies Record<Control["takes"], readonly [string, string]>;

/** Presses again what made a control appear. Returns whether it is shown. */
async function follow(visit: Visit, key: string, way: readonly string[]): Promise<boolean> {
  for (const step of way) {
    if (await isShown(visit, key)) return true;
    if (!(await pressStep(visit, step))) return false;
    await calm(visit.page);
  }
  return isShown(visit, key);
}

/** Like `follow`, with a connection: a part may have to be loaded first, and "Try again" is not there. */
async function walk(visit: Visit, key: string, way: readonly string[]): Promise<void> {
  for (const step of way) {
    if (await isShown(visit, key)) return;
    if (await pressStep(visit, step)) await rest(visit.page);
  }
}

/** Fills in the form that the step submits. */
async function pressStep(visit: Visit, step: string): Promise<boolean> {
  const shown = await shownIn(visit);
  const control = shown.find((one) => one.key === step);
  if (!control) return false;
  if (control.isSubmit) {
    for (const field of shown.filter(({ kind }) => kind === "type")) await press(visit, field);
  }
  return press(visit, control);
}

const isShown = async (visit: Visit, key: string) => (await shownIn(visit)).some((one) => one.key === key);

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

/** A page that could not be loaded stands in the place of this one, whose address stays. */
const pageFailure = (page: Page) => page.locator("main > [hidden]");

async function hasLeft(page: Page, from: string): Promise<boolean> {
  const placeOf = (address: string) => {
    const { pathname, searchParams } = new URL(address);
    // Filter settings show the form of one search, and finds only the homes of it.
    return pathname + searchParams.get(pathname.endsWith("/filter-settings") ? "search" : "view");
  };
  return placeOf(page.url()) !== placeOf(from) || (await pageFailure(page).count()) > 0;
}

/** A page that could not be loaded is shown by itself when the line is back. */
async function comeBack(visit: Visit, from: string): Promise<void> {
  const { page } = visit;
  if (await pageFailure(page).count()) {
    await goOnline(page.context());
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
  await goOnline(page.context());
  await page.clock.resume();
  await expect(page.locator("[data-part-failure], #start-failure")).toHaveCount(0);
  await expect(page.getByText(textsIn(language).common.parts.offline)).toHaveCount(0);
  await expect(page.locator("main h1").first()).toBeVisible();
}
