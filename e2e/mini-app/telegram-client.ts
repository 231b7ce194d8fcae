/** A phone's Telegram around a page: the strict client of the console, behind the proxy that a webview defines. */
import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { expect, type Page } from "@playwright/test";
import { shareAs, writeAccess } from "../support/telegram.ts";

const CLIENT = stripTypeScriptTypes(
  readFileSync(new URL("../../simulators/console/page/mini-app-client.ts", import.meta.url), "utf8"),
).replace(/^export /gm, "");

interface PhoneOptions {
  version?: string;
  theme?: Record<string, string>;
  /** Answers nothing, as old and broken clients. */
  isSilent?: boolean;
  /** The person and what they do when the page asks. */
  phone?: number;
  allowsWriting?: boolean;
  sharesTo?: number;
  /** The client says that the prepared message has expired. */
  isExpired?: boolean;
}

interface Shown {
  calls: { type: string; data: Record<string, unknown> }[];
  ignored: string[];
  isBackShown: boolean;
  isClosed: boolean;
  opened: string[];
}

/** Every page that opens in this tab from now on is inside Telegram. */
export async function insideTelegram(page: Page, options: PhoneOptions = {}): Promise<void> {
  const { version = "9.6", theme = { bg_color: "#ffffff" }, isSilent = false, phone = 0 } = options;
  await page.exposeFunction("askToWrite", async () => {
    if (options.allowsWriting) await writeAccess(phone);
    return options.allowsWriting ?? false;
  });
  await page.exposeFunction("shareInto", async (preparedId: string) => {
    if (options.isExpired) return "MESSAGE_EXPIRED";
    if (options.sharesTo === undefined) return "USER_DECLINED";
    return (await shareAs(phone, preparedId, options.sharesTo)) ?? undefined;
  });
  await page.addInitScript(`{
    ${CLIENT};
    const send = (type, data) => window.Telegram?.WebView?.receiveEvent(type, data);
    window.telegramClient = createClient({
      version: ${JSON.stringify(version)}, theme: ${JSON.stringify(theme)}, isSilent: ${isSilent}, send,
      appOrigin: location.origin, allowWriting: () => window.askToWrite(), share: (id) => window.shareInto(id),
      isTapped: () => navigator.userActivation.isActive,
    });
    window.TelegramWebviewProxy = { postEvent: (type, json) => window.telegramClient.receiveCall(type, json) };
  }`);
}

export const shownBy = (page: Page) => page.evaluate<Shown>("({ ...telegramClient })");
export const callsOf = async (page: Page) => (await shownBy(page)).calls.map(({ type }) => type);

/** Presses Telegram's own back button. */
export async function pressBack(page: Page): Promise<void> {
  await expect.poll(async () => (await shownBy(page)).isBackShown).toBe(true);
  await page.evaluate(`window.Telegram.WebView.receiveEvent("back_button_pressed", null)`);
}

export const changeTheme = (page: Page, theme: Record<string, string>) =>
  page.evaluate(`telegramClient.changeTheme(${JSON.stringify(theme)})`);
