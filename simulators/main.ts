// The simulators' program: starts a simulator for each external service that is not configured, and the console. Sends the
// settings that lead to them to the parent process.
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { startConsole } from "./console/console.ts";
import { type GoogleSimulator, startGoogleSimulator } from "./google/google-simulator.ts";
import { keepStates } from "./kept-state.ts";
import { createDkimKey } from "./mail/dkim-key.ts";
import { createMailSender, GOOGLE_UNSIGNED_HEADERS, type MailSender } from "./mail/mail-sender.ts";
import { type CaughtMail, startMailSimulator } from "./mail/mail-simulator.ts";
import {
  DEFAULT_BY_URL_KEY,
  DEFAULT_CREDENTIALS,
  startPortalSimulator,
} from "./portal/start-portal-simulator.ts";
import { startTelegramLogin, type TelegramLogin } from "./telegram/oidc/telegram-login.ts";
import { createPerson } from "./telegram/phone/create.ts";
import { startTelegramSimulator, type TelegramSimulator } from "./telegram/start-telegram-simulator.ts";
import { telegramState } from "./telegram/world-state.ts";

const settings = process.env;
/** Of what the simulators store: raised when its shape changes. */
const VERSION = "2";
const siteUrl = settings.SITE_URL || `http://localhost:${settings.PORT || 3000}`;

try {
  const mail = await startMailSimulator();
  const mailIn = await mailInSettings();
  // Mail for the product's domain goes to its SMTP server, all other mail to the console.
  const serverOf = (email: string) =>
    email.toLowerCase().endsWith(`@${mailIn.MAIL_IN_DOMAIN.toLowerCase()}`)
      ? { host: "127.0.0.1", port: Number(mailIn.MAIL_IN_PORT) }
      : { host: "127.0.0.1", port: Number(new URL(mail.smtpUrl).port) };
  const portalMail = createMailSender({ key: createDkimKey("idealista.com"), serverOf });
  const gmail = createMailSender({
    key: createDkimKey("google.com"),
    serverOf,
    unsignedHeaders: GOOGLE_UNSIGNED_HEADERS,
  });
  const redirectUris = [`${siteUrl}/auth/v1/callback`];
  const [google, portal, telegram] = await Promise.all([
    startGoogleSimulator({ redirectUris }),
    startPortalSimulator({ monthlyRequests: null, mailSender: portalMail }),
    startTelegramSimulator({ localWebhooks: true }),
  ]);
  const telegramLogin = await startTelegramLogin(telegram, { redirectUris });
  const kept = keepStates(join(resolve(settings.DATA_DIR || ".data"), "simulators"), VERSION, {
    telegram: telegramState(telegram),
    portal: portal.market,
    mail: { state: mail.mails, takeUp: (mails) => mail.restore(mails as CaughtMail[]) },
  });
  if (telegram.people.size === 0) createPerson(telegram, { firstName: "Alex", languageCode: "en" });
  const console = await startConsole({
    port: Number(settings.CONSOLE_PORT || 3001),
    siteUrl,
    mail,
    gmail,
    google,
    portalUrl: portal.url,
    telegram,
    telegramLogin,
    ...(process.send ? { dayLater: () => askParent("dayLater") } : {}),
  });
  const environment = {
    ...(settings.SMTP_URL ? {} : { SMTP_URL: mail.smtpUrl, MAIL_FROM: "Sereno <sereno@example.com>" }),
    ...(settings.IDEALISTA_API_KEY ? {} : portalSettings(portal.url)),
    ...(settings.GOOGLE_CLIENT_ID ? {} : googleSettings(google)),
    ...(settings.TELEGRAM_BOT_TOKEN ? {} : telegramSettings(telegram, console.url)),
    ...(settings.TELEGRAM_BOT_TOKEN ? {} : telegramLoginSettings(telegramLogin)),
    ...(settings.MAIL_IN_PORT || settings.MAIL_IN_DOMAIN ? {} : mailIn),
    ...(settings.DKIM_RECORDS ? {} : { DKIM_RECORDS: recordsOf([portalMail, gmail]) }),
  };
  process.send?.({ ready: { environment, consoleUrl: console.url } });

  const stop = async () => {
    kept.stop();
    gmail.stop();
    await Promise.all([console.stop(), mail.stop(), google.stop(), portal.close()]);
    await Promise.all([telegram.close(), telegramLogin.stop()]);
    process.exit(0);
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
  process.on("disconnect", stop);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exit(1);
}

/** `npm start` knows the product's database; the simulators do not. */
function askParent(wish: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.once("message", ({ problem }: { problem?: string }) =>
      problem === undefined ? resolve() : reject(new Error(problem)),
    );
    process.send?.({ wish });
  });
}

/** The port of the product's SMTP server: the configured one, else a free port. */
async function mailInSettings(): Promise<{ MAIL_IN_PORT: string; MAIL_IN_DOMAIN: string }> {
  const { MAIL_IN_PORT = "", MAIL_IN_DOMAIN = "" } = settings;
  if (MAIL_IN_PORT || MAIL_IN_DOMAIN) return { MAIL_IN_PORT, MAIL_IN_DOMAIN };
  return { MAIL_IN_PORT: String(await freePort()), MAIL_IN_DOMAIN: "mail.sereno.localhost" };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}

/** The DNS records of the senders' keys. */
function recordsOf(senders: readonly MailSender[]): string {
  return JSON.stringify(Object.fromEntries(senders.map(({ record }) => [record.name, record.text])));
}

function portalSettings(url: string): Record<string, string> {
  return {
    IDEALISTA_API_KEY: DEFAULT_CREDENTIALS.key,
    IDEALISTA_API_SECRET: DEFAULT_CREDENTIALS.secret,
    IDEALISTA_API_URL: url,
    // The simulated portal has no quota; this is far above what one machine requests.
    IDEALISTA_MONTHLY_REQUESTS: "1000000",
    SEARCH_BY_URL_API_URL: url,
    SEARCH_BY_URL_API_KEY: DEFAULT_BY_URL_KEY,
    SEARCH_BY_URL_MONTHLY_REQUESTS: "1000000",
    // A listing published in the console should arrive quickly.
    ...(settings.CHECK_INTERVAL_SECONDS ? {} : { CHECK_INTERVAL_SECONDS: "10" }),
  };
}

function googleSettings({ clientId, clientSecret, url }: GoogleSimulator): Record<string, string> {
  return { GOOGLE_CLIENT_ID: clientId, GOOGLE_CLIENT_SECRET: clientSecret, GOOGLE_URL: url };
}

function telegramSettings({ url, bot }: TelegramSimulator, consoleUrl: string): Record<string, string> {
  return {
    TELEGRAM_BOT_TOKEN: bot.token,
    TELEGRAM_BOT_USERNAME: bot.username,
    TELEGRAM_API_ROOT: url,
    TELEGRAM_LINK_URL: `${consoleUrl}/t.me`,
    // The console stands for Telegram's web version, and opens the site as Telegram's test servers do.
    TELEGRAM_WEB_URL: consoleUrl,
    ...(settings.MINI_APP ? {} : { MINI_APP: "on" }),
  };
}

function telegramLoginSettings({ clientSecret, url }: TelegramLogin): Record<string, string> {
  return { TELEGRAM_LOGIN_SECRET: clientSecret, TELEGRAM_LOGIN_URL: url };
}
