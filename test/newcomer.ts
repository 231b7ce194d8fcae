// A newcomer at a running product with simulators, as the packed release is tried.
import { createClient } from "@supabase/supabase-js";
import type { PublicConfig } from "#server/public-config.ts";
import { type MailSimulator, startMailSimulator } from "#simulators/mail/mail-simulator.ts";
import { publishMatching } from "#simulators/portal/publish-matching.ts";
import {
  DEFAULT_CREDENTIALS,
  type PortalSimulator,
  startPortalSimulator,
} from "#simulators/portal/start-portal-simulator.ts";
import { createPerson } from "#simulators/telegram/phone/create.ts";
import { pressStart } from "#simulators/telegram/phone/speak.ts";
import {
  startTelegramSimulator,
  type TelegramSimulator,
} from "#simulators/telegram/start-telegram-simulator.ts";
import { OPERATOR } from "./server-process.ts";

const EMAIL = "eva@example.com";
const PRICE_EUR = 1234;
const SEARCH = "https://www.idealista.com/alquiler-viviendas/madrid-madrid/con-precio-hasta_1900/";

export interface Outside {
  readonly mail: MailSimulator;
  readonly portal: PortalSimulator;
  readonly telegram: TelegramSimulator;
  /** The settings that `npm run serve` needs to use them on this port. */
  settings(port: number): Record<string, string>;
  close(): Promise<void>;
}

export async function startOutside(): Promise<Outside> {
  const [mail, portal, telegram] = await Promise.all([
    startMailSimulator(),
    startPortalSimulator({ size: 50, newPerDay: 0, monthlyRequests: null, requestsPerSecond: 0 }),
    startTelegramSimulator(),
  ]);
  return {
    mail,
    portal,
    telegram,
    settings: (port) => ({
      ...OPERATOR,
      NODE_ENV: "production",
      PORT: String(port),
      SITE_URL: `http://localhost:${port}`,
      SMTP_URL: mail.smtpUrl,
      MAIL_FROM: "Sereno <sereno@example.com>",
      TELEGRAM_BOT_TOKEN: telegram.bot.token,
      TELEGRAM_API_ROOT: telegram.url,
      IDEALISTA_API_URL: portal.url,
      IDEALISTA_API_KEY: DEFAULT_CREDENTIALS.key,
      IDEALISTA_API_SECRET: DEFAULT_CREDENTIALS.secret,
      IDEALISTA_MONTHLY_REQUESTS: "100000000",
      CHECK_INTERVAL_SECONDS: "5",
    }),
    close: async () => {
      await Promise.all([mail.stop(), portal.close(), telegram.close()]);
    },
  };
}

/** Signs up, connects a chat, pastes a link. Ends with the alert about a home published after that, and a mail. */
export async function followNewcomer(
  url: string,
  { mail, portal, telegram }: Outside,
  until: (holds: () => boolean) => Promise<unknown>,
): Promise<void> {
  const { publishableKey } = (await (await fetch(`${url}/config.json`)).json()) as PublicConfig;
  const client = createClient(url, publishableKey ?? "", {
    auth: { persistSession: false, autoRefreshToken: false },
  });
  const { data, error } = await client.auth.signUp({ email: EMAIL, password: "a-long-password" });
  if (error || !data.user) throw error ?? new Error("no user");
  const link = await client.rpc("create_telegram_link");
  if (link.error) throw link.error;

  const eva = createPerson(telegram, { languageCode: "en" }).id;
  const isTold = (words: string) =>
    telegram.ledger.accepted.some(({ chatId, text }) => chatId === eva && text.includes(words));
  pressStart(telegram, eva, link.data.token);
  await until(() => isTold(""));
  const search = { user_id: data.user.id, filter_url: SEARCH, receiver_ids: [String(eva)] };
  const saved = await client.from("filter_settings").insert(search);
  if (saved.error) throw saved.error;
  await until(() => isTold("I'm watching"));
  const { isPublished } = publishMatching(portal.market, { url: SEARCH, fields: { priceEur: PRICE_EUR } });
  if (!isPublished) throw new Error("not published");
  await until(() => isTold(`€${PRICE_EUR.toLocaleString("en")}`));
  // The mail about the new chat.
  await until(() => mail.mails().some(({ to }) => to.includes(EMAIL)));
}
