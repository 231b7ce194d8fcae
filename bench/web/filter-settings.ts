// Measures the time from the click on "Filter settings" until its field can be used, with a phone's CPU and network.
import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { createClient } from "@supabase/supabase-js";
import { onPhone } from "./phone.ts";

interface Options {
  executablePath: string;
  origin: string;
  runs: number;
}

/** Signs one person up and uses a new browser for each run. Sorted, so that the median is in the middle. */
export async function filterSettingsWaits({ executablePath, origin, runs }: Options): Promise<number[]> {
  const stored = await signUp(origin);
  const waits: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    const wait = await onPhone(executablePath, async (page) => {
      await page.addInitScript(`localStorage.setItem(...${JSON.stringify(stored)})`);
      await page.goto(origin);
      // The empty finds page links here; the page then knows that the person is signed in.
      await page.locator('main a[href="/filter-settings"]').waitFor();
      return timeOf(page);
    });
    waits.push(wait);
  }
  return waits.sort((one, other) => one - other);
}

async function timeOf(page: Page): Promise<number> {
  const from = performance.now();
  await page.locator("main button").first().click();
  await page.locator("main input").first().fill("https://www.idealista.com/");
  return performance.now() - from;
}

/** The local storage entry of a signed-in person: key and session. */
async function signUp(origin: string): Promise<[string, string]> {
  const { publishableKey } = (await (await fetch(`${origin}/config.json`)).json()) as {
    publishableKey: string;
  };
  const kept = new Map<string, string>();
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
  const { auth } = createClient(origin, publishableKey, { auth: { storage, autoRefreshToken: false } });
  const { error } = await auth.signUp({
    email: `${randomUUID()}@example.com`,
    password: `pw-${randomUUID()}`,
  });
  if (error) throw error;
  const stored = [...kept].find(([key]) => key.endsWith("-auth-token"));
  if (!stored) throw new Error("The sign-up returned no session");
  return stored;
}
