import { setTimeout as wait } from "node:timers/promises";

const PATIENCE_MS = 120_000;
const BOT = "SerenoSimulatedBot";

export type ConsoleClient = ReturnType<typeof createConsoleClient>;

type Shown = {
  message_id: number;
  text?: string;
  caption?: string;
  from?: { is_bot: boolean };
  reply_markup?: { inline_keyboard: { text: string }[][] };
};

/** The simulators' console of a running `npm start`: phones, the market, and portals that send mails. */
export function createConsoleClient(consoleUrl: string) {
  const call = async <Answer>(path: string, body?: object): Promise<Answer> => {
    const answer = await fetch(`${consoleUrl}/api/${path}`, {
      method: body ? "POST" : "GET",
      headers: { "content-type": "application/json" },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
    return (await answer.json()) as Answer;
  };
  const messages = async (phone: number) =>
    (await call<{ messages: Shown[] }>(`telegram/chats/${phone}?as=${phone}`)).messages;
  return {
    phone: async (firstName: string) =>
      (await call<{ person: { id: number } }>("telegram/people", { firstName, languageCode: "en" })).person
        .id,
    group: async (creatorId: number, title: string) => {
      const order = { kind: "supergroup", title, creatorId };
      return (await call<{ chat: { id: number } }>("telegram/chats", order)).chat.id;
    },
    start: (phone: number) => call(`telegram/people/${phone}/start`, {}),
    open: (phone: number, query: string, chatId?: number) =>
      call(`telegram/people/${phone}/open`, {
        url: `https://t.me/${BOT}${query}`,
        ...(chatId === undefined ? {} : { chatId }),
      }),
    say: (phone: number, text: string) => call(`telegram/people/${phone}/say`, { text }),
    hasText: (phone: number, words: string) => {
      const isSaid = ({ from, text, caption }: Shown) =>
        from?.is_bot && (text ?? caption ?? "").includes(words);
      return until(async () => (await messages(phone)).some(isSaid), `"${words}" in the chat ${phone}`);
    },
    press: async (phone: number, text: string) => {
      const hasButton = ({ reply_markup }: Shown) =>
        reply_markup?.inline_keyboard.flat().some((button) => button.text === text);
      const found = async () => (await messages(phone)).findLast(hasButton);
      await until(async () => (await found()) !== undefined, `the button ${text}`);
      const messageId = (await found())?.message_id;
      await call(`telegram/people/${phone}/press`, { messageId, chatId: phone, text });
    },
    /** Returns the code of the new listing. */
    publish: async (url: string, priceEur: number) => {
      const order = { url, fields: { priceEur } };
      const { listings } = await call<{ listings: { code: string }[] }>("portal/listings", order);
      return listings[0]?.code ?? "";
    },
    changePrice: (code = "", priceEur: number) => call(`portal/listings/${code}/price`, { priceEur }),
    saveSearch: (url: string, email: string) => call("portal/saved-searches", { url, email }),
  };
}

export async function until(holds: () => Promise<boolean>, what: string): Promise<void> {
  const end = Date.now() + PATIENCE_MS;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`${what} did not come`);
    await wait(200);
  }
}
