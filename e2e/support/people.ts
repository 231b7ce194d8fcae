import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { newAddress } from "./visitor.ts";

export interface Person {
  id: string;
  email: string;
  password: string;
  fullName: string;
  session: string;
}

export const PASSWORD = "correct horse";

export function newEmail(): string {
  return `${randomUUID()}@example.com`;
}

/** A client of the product outside the browser, with its own IP address. */
export async function newClient(baseURL: string): Promise<SupabaseClient> {
  const answer = await fetch(`${baseURL}/config.json`);
  const { supabaseUrl, publishableKey } = (await answer.json()) as Record<string, string>;
  return createClient(supabaseUrl ?? baseURL, publishableKey ?? "", {
    auth: { persistSession: false, autoRefreshToken: false },
    global: { headers: { "x-forwarded-for": newAddress() } },
  });
}

/** Creates an account as the sign-up form does. */
export async function signUp(baseURL: string, fullName: string): Promise<Person> {
  const supabase = await newClient(baseURL);
  const email = newEmail();
  const { data, error } = await supabase.auth.signUp({
    email,
    password: PASSWORD,
    options: { data: { full_name: fullName } },
  });
  if (error || !data.session || !data.user)
    throw new Error(`${fullName} could not sign up: ${error?.message}`);
  return { id: data.user.id, email, password: PASSWORD, fullName, session: JSON.stringify(data.session) };
}

const SESSION_KEY = "sb-localhost-auth-token";

/** Stores the session in the browser, as a sign-in does. */
export async function signIn(page: Page, person: Pick<Person, "session">): Promise<void> {
  const keeper = keeperBeside(page);
  if (!keeper) await page.goto("/robots.txt");
  await (keeper ?? page).evaluate(([key, session]) => localStorage.setItem(key, session), [
    SESSION_KEY,
    person.session,
  ] as const);
}

/** Changes fields of the stored session. */
export async function changeStoredSession(page: Page, change: Record<string, unknown>): Promise<void> {
  await (keeperBeside(page) ?? page).evaluate(
    ([key, changed]) => {
      const session = JSON.parse(localStorage.getItem(key) ?? "{}");
      localStorage.setItem(key, JSON.stringify({ ...session, ...changed }));
    },
    [SESSION_KEY, change] as const,
  );
}

/** For a page that has not been opened yet: the page of its context that is always at the site. */
function keeperBeside(page: Page): Page | undefined {
  const [first] = page.context().pages();
  return page.url() === "about:blank" && first?.url().endsWith("/robots.txt") ? first : undefined;
}
