// The session inside Telegram: kept in this tab alone, and only for the Telegram user who is there.
import { loadConfig } from "../backend/site-config.ts";
import { APP_SESSION_KEY, appStorage } from "./app-storage.ts";
import { takeLaunch } from "./launch.ts";

const OWNER_KEY = "telegramUser";

/** Why there is no session. "outside": the page was opened without Telegram. */
export type AppRefusal = "outside" | "off" | "unknown" | "old" | "suspended" | "failed";

const REFUSALS: Readonly<Record<string, AppRefusal>> = {
  user_not_found: "unknown",
  init_data_expired: "old",
  bad_init_data: "old",
  user_banned: "suspended",
  provider_disabled: "off",
};

let signingIn: Promise<AppRefusal | undefined> | undefined;

/** Stores a session for supabase-js, once for a page. A failed attempt can be repeated. */
export function signInToApp(): Promise<AppRefusal | undefined> {
  signingIn ??= signIn().then((refusal) => {
    if (refusal === "failed") signingIn = undefined;
    return refusal;
  });
  return signingIn;
}

async function signIn(): Promise<AppRefusal | undefined> {
  const launch = takeLaunch();
  if (appStorage.getItem(OWNER_KEY) !== launch?.telegramId) appStorage.removeItem(APP_SESSION_KEY);
  if (launch === undefined) return "outside";
  // A reload. The session renews itself, and the launch data may be too old by now.
  if (appStorage.getItem(APP_SESSION_KEY) !== null) return undefined;
  try {
    const { supabaseUrl, publishableKey } = await loadConfig();
    const url = new URL(
      "/auth/v1/token?grant_type=telegram_mini_app",
      new URL(supabaseUrl, window.location.origin),
    );
    const answer = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", apikey: publishableKey },
      body: JSON.stringify({ init_data: launch.initData }),
    });
    const body: { error_code?: string; expires_in?: number } = await answer.json();
    if (!answer.ok) return REFUSALS[body.error_code ?? ""] ?? "failed";
    const expires_at = Math.floor(Date.now() / 1000) + (body.expires_in ?? 0);
    appStorage.setItem(APP_SESSION_KEY, JSON.stringify({ ...body, expires_at }));
    appStorage.setItem(OWNER_KEY, launch.telegramId);
    return undefined;
  } catch {
    return "failed";
  }
}
