// Finds tasks over 50 ms: from navigation until the page is idle, and from the first touch until the application is hydrated. A
// checkout without hydration on first interaction needs no touch.
import { expect, type Page } from "@playwright/test";
import { onPhone } from "./phone.ts";

interface Options {
  executablePath: string;
  url: string;
  runs: number;
}

export interface LongTasks {
  /** In ms, from the run whose sum is the median. */
  untilIdle: number[];
  untilAlive: number[];
}

const NOTE_TASKS = `window.longTasks = [];
new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries()) window.longTasks.push(Math.round(duration));
}).observe({ type: "longtask", buffered: true });`;

const IS_HYDRATED = "(window.preHydration?.state ?? 'hydrated') === 'hydrated'";
const LONGEST_START_MS = 30_000;

/** The browser reports tasks a moment after they end. */
const QUIET_MS = 3000;

export async function longTasksOf({ executablePath, url, runs }: Options): Promise<LongTasks> {
  const found: LongTasks[] = [];
  for (let run = 0; run < runs; run += 1) {
    const tasks = await onPhone(executablePath, async (page) => {
      await page.addInitScript(NOTE_TASKS);
      await page.goto(url, { waitUntil: "networkidle" });
      await page.waitForTimeout(QUIET_MS);
      const untilIdle = await takeTasks(page);
      // The first event of a pointer has no movement.
      await page.mouse.move(100, 100, { steps: 2 });
      await expect.poll(() => page.evaluate(IS_HYDRATED), { timeout: LONGEST_START_MS }).toBe(true);
      await page.waitForTimeout(QUIET_MS);
      return { untilIdle, untilAlive: await takeTasks(page) };
    });
    found.push(tasks);
  }
  return {
    untilIdle: medianOf(found.map((each) => each.untilIdle)),
    untilAlive: medianOf(found.map((each) => each.untilAlive)),
  };
}

function takeTasks(page: Page): Promise<number[]> {
  return page.evaluate<number[]>("window.longTasks.splice(0)");
}

function medianOf(runs: number[][]): number[] {
  const sum = (tasks: number[]) => tasks.reduce((all, task) => all + task, 0);
  return runs.sort((one, other) => sum(one) - sum(other))[Math.floor(runs.length / 2)] ?? [];
}
