import { expect } from "@playwright/test";
import { consoleUrl } from "./console.ts";
import type { Person } from "./people.ts";

const BOT = "SerenoSimulatedBot";
export const BOT_TOKEN = "7000000001:AAH-simulated-bot-token-of-35-chars";

async function callTelegram<Answer>(path: string, body?: object): Promise<Answer> {
  const answer = await fetch(`${consoleUrl}/api/telegram/${path}`, {
    method: body ? "POST" : "GET",
    headers: { "content-type": "application/json" },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
  return (await answer.json()) as Answer;
}

/** Creates a Telegram user and returns the chat id. With `isStarted` they have already started the bot. */
export async function newPhone(
  firstName: string,
  { isStarted = false, languageCode = "en" } = {},
): Promise<number> {
  const { person } = await callTelegram<{ person: { id: number } }>("people", {
    firstName,
    languageCode,
    isStarted,
  });
  return person.id;
}

/** Creates a link token for this user, as the page does. */
export async function newToken(baseURL: string | undefined, { session }: Person): Promise<string> {
  const config = (await (await fetch(`${baseURL}/config.json`)).json()) as Record<string, string>;
  const answer = await fetch(`${config.supabaseUrl}/rest/v1/rpc/create_telegram_link`, {
    method: "POST",
    headers: {
      apikey: config.publishableKey ?? "",
      authorization: `Bearer ${JSON.parse(session).access_token}`,
    },
  });
  return ((await answer.json()) as { token: string }).token;
}

/** Opens the link in Telegram and presses Start. */
export async function pressStart(phone: number, token: string): Promise<void> {
  await callTelegram(`people/${phone}/open`, { url: `https://t.me/${BOT}?start=${token}` });
}

/** Creates a group and adds the bot by the group link. */
export async function joinGroup(phone: number, title: string, token: string): Promise<number> {
  const { chat } = await callTelegram<{ chat: { id: number } }>("chats", {
    kind: "supergroup",
    title,
    creatorId: phone,
  });
  await callTelegram(`people/${phone}/open`, {
    url: `https://t.me/${BOT}?startgroup=${token}`,
    chatId: chat.id,
  });
  return chat.id;
}

export const writeAccess = (phone: number) => callTelegram(`people/${phone}/allow-writing`, {});

/** The error that the client reports, or null. */
export async function shareAs(phone: number, preparedId: string, chatId: number): Promise<string | null> {
  const order = { preparedId, chatId };
  return (await callTelegram<{ error: string | null }>(`people/${phone}/share`, order)).error;
}

export const block = (phone: number) => callTelegram(`people/${phone}/block`, {});
export const unblock = (phone: number) => callTelegram(`people/${phone}/unblock`, {});
export const removeBot = (chatId: number, by: number) => callTelegram(`chats/${chatId}/remove-bot`, { by });

export const say = (phone: number, text: string) => callTelegram(`people/${phone}/say`, { text });

interface ShownMessage {
  message_id: number;
  text?: string;
  /** Of a picture. */
  caption?: string;
  reply_markup?: { inline_keyboard: { text: string }[][] };
}

export async function messagesOn(chat: number, as = chat): Promise<ShownMessage[]> {
  const { messages } = await callTelegram<{ messages: ShownMessage[] }>(`chats/${chat}?as=${as}`);
  return messages;
}

/** Presses a button on the newest message that has it. */
export async function press(phone: number, text: string): Promise<void> {
  const find = async () =>
    (await messagesOn(phone)).findLast(({ reply_markup }) =>
      reply_markup?.inline_keyboard.flat().some((button) => button.text === text),
    );
  await expect.poll(find, { timeout: 30_000 }).toBeDefined();
  await callTelegram(`people/${phone}/press`, { messageId: (await find())?.message_id, chatId: phone, text });
}

interface AppOpening {
  /** The page that the bot's owner entered as the main app. */
  page?: string;
  theme?: Record<string, string>;
  version?: string;
}

/** The address at which Telegram opens the app for this user, by the menu button or as if by the button of an alert. */
export async function miniAppOf(
  phone: number,
  { page, theme = { bg_color: "#ffffff" }, version = "9.6" }: AppOpening = {},
): Promise<string> {
  const look = { version, platform: "android", theme };
  const { url } = await callTelegram<{ url: string }>(`people/${phone}/app`, { way: "menu", ...look });
  return page === undefined ? url : new URL(page, url).href + new URL(url).hash;
}
