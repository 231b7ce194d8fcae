import { expect } from "@playwright/test";
import { consoleUrl } from "./console.ts";
import type { Person } from "./people.ts";

const BOT = "SerenoSimulatedBot";

async function order<Answer>(path: string, body?: object): Promise<Answer> {
  const answer = await fetch(`${consoleUrl}/api/telegram/${path}`, {
    method: body ? "POST" : "GET",
    headers: { "content-type": "application/json" },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
  return (await answer.json()) as Answer;
}

/** Somebody with Telegram on their phone; `isStarted` have written to the bot, long ago. */
export async function newPhone(firstName: string, { isStarted = false } = {}): Promise<number> {
  const { person } = await order<{ person: { id: number } }>("people", {
    firstName,
    languageCode: "en",
    isStarted,
  });
  return person.id;
}

/** A token for this person, as the page gets it. */
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

/** Opens the link on a phone and presses Start. */
export async function pressStart(phone: number, token: string): Promise<void> {
  await order(`people/${phone}/open`, { url: `https://t.me/${BOT}?start=${token}` });
}

/** Makes a group and lets the bot in by the group's link. */
export async function joinGroup(phone: number, title: string, token: string): Promise<number> {
  const { chat } = await order<{ chat: { id: number } }>("chats", {
    kind: "supergroup",
    title,
    creatorId: phone,
  });
  await order(`people/${phone}/open`, { url: `https://t.me/${BOT}?startgroup=${token}`, chatId: chat.id });
  return chat.id;
}

export const block = (phone: number) => order(`people/${phone}/block`, {});
export const unblock = (phone: number) => order(`people/${phone}/unblock`, {});
export const removeBot = (chatId: number, by: number) => order(`chats/${chatId}/remove-bot`, { by });

export const say = (phone: number, text: string) => order(`people/${phone}/say`, { text });

interface Shown {
  message_id: number;
  text?: string;
  reply_markup?: { inline_keyboard: { text: string }[][] };
}

export async function messagesOn(phone: number): Promise<Shown[]> {
  const { messages } = await order<{ messages: Shown[] }>(`chats/${phone}?as=${phone}`);
  return messages;
}

/** Presses a button of the newest message that has it. */
export async function press(phone: number, text: string): Promise<void> {
  const find = async () =>
    (await messagesOn(phone)).findLast(({ reply_markup }) =>
      reply_markup?.inline_keyboard.flat().some((button) => button.text === text),
    );
  await expect.poll(find, { timeout: 30_000 }).toBeDefined();
  await order(`people/${phone}/press`, { messageId: (await find())?.message_id, chatId: phone, text });
}
