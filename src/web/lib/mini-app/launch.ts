/** What Telegram gives the page in the fragment of its address, for this tab alone: https://core.telegram.org/bots/webapps */
import { readStoredInTab, storeInTab } from "../browser/storage.ts";
import { TAB_STORAGE_KEYS } from "../site/constants.ts";
import { isTelegramThere } from "./telegram-client.ts";

export interface Launch {
  /** Signed; opens the account of its Telegram user for an hour. Only ever sent in the body of a request. */
  readonly initData: string;
  readonly version: string;
  readonly theme: Readonly<Record<string, unknown>>;
  /** As the data says, unproven: only to see that a stored session is somebody else's. */
  readonly telegramId: string;
  readonly startParameter: string | null;
}

let launch: Launch | undefined;

/** Reads the fragment before anything else does, and takes it out of the address. A reload has it from the tab's storage. */
export function takeLaunch(): Launch | undefined {
  const { hash, pathname, search } = window.location;
  // Also without data: a button in place of the keyboard does not say who is there, and whoever was there before is not.
  const isGiven = hash.includes("tgWebApp");
  if (isGiven) window.history.replaceState(window.history.state, "", pathname + search);
  // In an ordinary tab the data came with somebody's link, and would open that person's account.
  if (!isTelegramThere()) return undefined;
  const fragment = isGiven ? hash.slice(1) : readStoredInTab(TAB_STORAGE_KEYS.launch);
  if (isGiven) storeInTab(TAB_STORAGE_KEYS.launch, hash.slice(1));
  launch ??= fragment === null ? undefined : readLaunch(fragment);
  return launch;
}

export function readLaunch(fragment: string): Launch | undefined {
  const params = new URLSearchParams(fragment);
  const initData = params.get("tgWebAppData") ?? "";
  if (initData === "") return undefined;
  const fields = new URLSearchParams(initData);
  return {
    initData,
    version: params.get("tgWebAppVersion") ?? "6.0",
    theme: objectIn(params.get("tgWebAppThemeParams")),
    telegramId: String(objectIn(fields.get("user")).id ?? ""),
    startParameter: fields.get("start_param"),
  };
}

function objectIn(json: string | null): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(json ?? "{}");
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** Whether the client knows a method of this version. Older ones do nothing, without a word. */
export function isAtLeast(version: string, needed: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [neededMajor = 0, neededMinor = 0] = needed.split(".").map(Number);
  return major > neededMajor || (major === neededMajor && minor >= neededMinor);
}
