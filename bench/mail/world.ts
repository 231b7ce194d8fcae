/** People with addresses for alert mails, the portal that writes to them, and what Telegram was told of it. */
import { randomBytes } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { createTransport } from "nodemailer";
import type { Sql } from "postgres";
import { createPerson } from "#simulators/telegram/phone/create.ts";
import type { TelegramSimulator } from "#simulators/telegram/start-telegram-simulator.ts";
import { alertMail, type DkimKey, signMail } from "#test/alert-mails/signed-mail.ts";
import { addPeople } from "#test/watching/world.ts";

export const MAIL_DOMAIN = "in.example.com";
const SEARCH_URL = "https://www.idealista.com/venta-viviendas/madrid-madrid/";
const LOWEST_PRICE_EUR = 100_000;

export interface MailReader {
  readonly userId: string;
  readonly chatId: number;
  readonly address: string;
}

export interface SignedAlert {
  readonly reader: MailReader;
  readonly priceEur: number;
  readonly raw: Buffer;
}

export function mailSettings(port: number, key: DkimKey): Record<string, string> {
  return {
    ROLES: "web,watcher,bot,mail",
    MAIL_IN_PORT: String(port),
    MAIL_IN_DOMAIN: MAIL_DOMAIN,
    DKIM_RECORDS: JSON.stringify({ [key.record.name]: key.record.text }),
  };
}

export async function addMailReaders(
  sql: Sql,
  telegram: TelegramSimulator,
  count: number,
): Promise<MailReader[]> {
  const chats = Array.from({ length: count }, () => createPerson(telegram, { isStarted: true }).id);
  const people = await addPeople(
    sql,
    chats.map((chatId) => ({ url: SEARCH_URL, chatIds: [String(chatId)] })),
  );
  const rows = people.map(({ userId }) => ({ user_id: userId, token: randomBytes(16).toString("hex") }));
  await sql`insert into public.mail_addresses ${sql(rows)}`;
  // An hour old: what is dated before an address is a backlog.
  await sql`update public.mail_addresses set created_at = now() - interval '1 hour'`;
  return rows.map(({ user_id, token }, n) => ({
    userId: user_id,
    chatId: chats[n] ?? 0,
    address: `${token}@${MAIL_DOMAIN}`,
  }));
}

/** The nth advert of the bench: no two have a price, an address or a size in common. */
export async function signedAlert(n: number, reader: MailReader, key: DkimKey): Promise<SignedAlert> {
  const priceEur = LOWEST_PRICE_EUR + 10 * n;
  const mail = alertMail({
    code: String(500_000_000 + n),
    priceEur,
    title: `Piso en Calle de la Prueba, ${n + 1}, Goya, Madrid`,
    facts: `3 hab. ${40 + (n % 300)} m² ${1 + (n % 9)}ª planta exterior con ascensor`,
    searchUrl: SEARCH_URL,
    to: reader.address,
  });
  return { reader, priceEur, raw: await signMail(mail, key) };
}

/** How often each was told to the one it is for. */
export function timesTold(telegram: TelegramSimulator, alerts: readonly SignedAlert[]): number[] {
  const byChat = Map.groupBy(telegram.ledger.accepted, ({ chatId }) => chatId);
  return alerts.map(({ reader, priceEur }) => {
    const price = `€${priceEur.toLocaleString("en")}`;
    return (byChat.get(reader.chatId) ?? []).filter(({ text }) => text.includes(price)).length;
  });
}

export interface Sender {
  /** Settles with when the door said 250, however often it takes; undefined where it said no for good. */
  readonly send: (mail: { to: string; raw: Buffer }) => Promise<number | undefined>;
  readonly attempts: () => number;
  readonly close: () => void;
}

/** Sends as the large senders do, with their pauses shortened: again after what is not a no for good. */
export function createRetryingSender(port: number, maxConnections = 10): Sender {
  const transport = createTransport({
    host: "127.0.0.1",
    port,
    pool: true,
    maxConnections,
    maxMessages: 50,
    ignoreTLS: true,
    connectionTimeout: 5_000,
    greetingTimeout: 5_000,
    socketTimeout: 20_000,
  });
  let attempts = 0;
  return {
    attempts: () => attempts,
    close: () => transport.close(),
    send: async ({ to, raw }) => {
      for (let pauseMs = 100; ; pauseMs = Math.min(3_000, pauseMs * 1.5)) {
        attempts += 1;
        try {
          await transport.sendMail({ envelope: { from: "noresponder@idealista.com", to }, raw });
          return Date.now();
        } catch (error) {
          const { responseCode = 0 } = error as { responseCode?: number };
          if (responseCode >= 500) return undefined;
          await wait(pauseMs);
        }
      }
    },
  };
}

/** Nothing is left to be read or told. */
export async function isQuiet(sql: Sql): Promise<boolean> {
  const [row] = await sql<[{ open: boolean }]>`
    select exists (select from watch.mails where done_at is null)
      or exists (select from watch.alerts where state in ('pending', 'sending')) as open`;
  return !row.open;
}

export async function areWatched(sql: Sql, count: number): Promise<boolean> {
  const [row] = await sql<[{ sent: number }]>`
    select count(*)::int as sent from watch.alerts where kind = 'watch-started' and state = 'sent'`;
  return row.sent === count;
}
