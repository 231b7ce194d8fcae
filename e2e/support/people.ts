import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { createClient } from "@supabase/supabase-js";

export interface Person {
  id: string;
  email: string;
  session: string;
}

/** Makes an account the way the sign-up form does. */
export async function signUp(baseURL: string, fullName: string): Promise<Person> {
  const answer = await fetch(`${baseURL}/config.json`);
  const { publishableKey } = (await answer.json()) as { publishableKey: string };
  const supabase = createClient(baseURL, publishableKey, {
    auth: { persistSession: false, autoRefreshToken: false },
  });
  const email = `${randomUUID()}@example.com`;
  const { data, error } = await supabase.auth.signUp({
    email,
    password: "correct horse",
    options: { data: { full_name: fullName } },
  });
  if (error || !data.session || !data.user)
    throw new Error(`${fullName} could not sign up: ${error?.message}`);
  return { id: data.user.id, email, session: JSON.stringify(data.session) };
}

/** Gives the browser the session a sign-in would have left there. */
export async function signIn(page: Page, person: Person): Promise<void> {
  await page.goto("/robots.txt");
  await page.evaluate((session) => localStorage.setItem("sb-localhost-auth-token", session), person.session);
}
