import { resolveMx } from "node:dns/promises";
import { ImapFlow } from "imapflow";
import type { ServerMetadata } from "openid-client";
import { authenticationOf } from "#backend/auth/providers/provider-client.ts";
import { SourceError } from "#core/ports/source.ts";
import { HTTP_LIMITS } from "#sources/http-exchange.ts";
import { createAccessTokens } from "#sources/idealista-api/access-token.ts";
import { createMailTransport } from "../account-mails/mail-transport.ts";
import { fetchBotIdentity } from "../bot-name.ts";
import { explainUnreachable } from "./explain-unreachable.ts";
import { type Check, type Finding, notSet, ok, wrong } from "./finding.ts";
import { belongsToAnAccount } from "./own-checks.ts";

const WAIT_MS = 8_000;

export const checkSmtp: Check = async ({ SMTP_URL, SUPABASE_URL, ROLES }) => {
  if (SMTP_URL === undefined) {
    if (ROLES?.includes("web") && SUPABASE_URL === undefined) return wrong("set SMTP_URL");
    return notSet("another machine sends emails");
  }
  const { host } = new URL(SMTP_URL);
  const transport = createMailTransport(SMTP_URL, { timeoutMs: WAIT_MS });
  try {
    await transport.verify();
    return ok(`${host} accepts our emails`);
  } catch (error) {
    if (codeOf(error) === "EAUTH") return wrong(`${host} refuses the username or password in SMTP_URL`);
    return wrong(explainUnreachable(error, { host, setting: "SMTP_URL" }));
  } finally {
    transport.close();
  }
};

export const checkTelegram: Check = async (settings) => {
  const { TELEGRAM_BOT_TOKEN: token, TELEGRAM_API_ROOT: apiRoot, TELEGRAM_BOT_USERNAME: name } = settings;
  if (token === undefined || apiRoot === undefined) {
    return settings.ROLES?.includes("bot")
      ? wrong("set TELEGRAM_BOT_TOKEN")
      : notSet("another machine has the bot");
  }
  const identity = await fetchBotIdentity({ token, apiRoot });
  if (identity.kind === "refused")
    return wrong("TELEGRAM_BOT_TOKEN is refused: use the one @BotFather shows");
  if (identity.kind === "unreachable") {
    const { host } = new URL(apiRoot);
    if (identity.status !== undefined)
      return wrong(`${host} (TELEGRAM_API_ROOT) answers ${identity.status}: try again later`);
    return wrong(explainUnreachable(identity.error, { host, setting: "TELEGRAM_API_ROOT" }));
  }
  if (name !== undefined && name.toLowerCase() !== identity.username.toLowerCase()) {
    return wrong(
      `TELEGRAM_BOT_TOKEN is that of @${identity.username}: correct TELEGRAM_BOT_USERNAME, or leave it out`,
    );
  }
  // It cannot be shown that hosted Supabase finds an account that the bot made.
  const start =
    settings.SUPABASE_URL === undefined ? "" : "; with hosted Supabase, nobody can sign up in the chat";
  const inline = identity.hasInlineMode
    ? ""
    : "; inline mode is off, so alerts have no “Send to…” button (turn it on at @BotFather with /setinline)";
  const topics = identity.hasPrivateTopics
    ? ""
    : "; topics in private chats are off, so there a search cannot have its own (turn them on at @BotFather)";
  return ok(`we are @${identity.username}${start}${inline}${topics}`);
};

/** Fetching a token does not count against the monthly requests. */
export const checkDataApi: Check = async (settings) => {
  const { IDEALISTA_API_KEY: key, IDEALISTA_API_SECRET: secret, IDEALISTA_API_URL: baseUrl } = settings;
  if (key === undefined || secret === undefined || baseUrl === undefined)
    return notSet("no IDEALISTA_API_KEY");
  const tokens = createAccessTokens({
    source: "idealista-api",
    baseUrl,
    key,
    secret,
    http: HTTP_LIMITS,
    now: Date.now,
  });
  try {
    await tokens.get();
    return ok("accepts our key");
  } catch (error) {
    const reason = error instanceof SourceError ? error.reason : "unreachable";
    if (reason === "unreachable") {
      return wrong(explainUnreachable(error, { host: new URL(baseUrl).host, setting: "IDEALISTA_API_URL" }));
    }
    return wrong(
      `does not accept our key (${reason}): check IDEALISTA_API_KEY, IDEALISTA_API_SECRET and IDEALISTA_API_URL`,
    );
  }
};

/** Every request costs money, so only the connection is checked. */
export const checkSearchByUrl: Check = async ({ SEARCH_BY_URL_API_URL: url }) => {
  if (url === undefined) return notSet("no SEARCH_BY_URL_API_URL");
  return reach(url, { name: "SEARCH_BY_URL_API_URL", isFine: () => true });
};

export const checkGoogle: Check = async (settings) => {
  const { GOOGLE_CLIENT_ID: id, GOOGLE_CLIENT_SECRET: secret, GOOGLE_URL: url } = settings;
  if (id === undefined) return notSet("no GOOGLE_CLIENT_ID");
  const issuer = url ?? "https://accounts.google.com";
  const found = await reach(`${issuer}${DISCOVERY}`, {
    name: "GOOGLE_URL",
    isFine: (status) => status < 500,
  });
  if (found.state === "wrong" || secret === undefined) return found;
  return tryClient({ issuer, id, secret, names: "GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET" });
};

const DISCOVERY = "/.well-known/openid-configuration";

/** A code that nobody issued: a provider checks the client before the code, and says which of the two is wrong. */
async function tryClient(client: {
  issuer: string;
  id: string;
  secret: string;
  names: string;
}): Promise<Finding> {
  const { issuer, id, secret, names } = client;
  const { host } = new URL(issuer);
  const signal = AbortSignal.timeout(WAIT_MS);
  try {
    const discovery = await fetch(`${issuer}${DISCOVERY}`, { redirect: "manual", signal });
    const server = (await discovery.json()) as Partial<ServerMetadata>;
    if (typeof server.token_endpoint !== "string") return ok(`${host} answers`);
    const headers = new Headers();
    const body = new URLSearchParams({
      grant_type: "authorization_code",
      code: "sereno-doctor",
      redirect_uri: "https://doctor.invalid/",
      code_verifier: "sereno-doctor-asks-only-whether-the-client-is-known",
    });
    const authenticate = authenticationOf({ clientId: id, clientSecret: secret }, server);
    authenticate({ ...server, issuer }, { client_id: id }, body, headers);
    const request = { method: "POST", redirect: "manual", signal, headers, body } as const;
    const answer = await fetch(server.token_endpoint, request);
    const { error } = (await answer.json()) as { error?: unknown };
    if (error === "invalid_client" || error === "unauthorized_client") {
      return wrong(`${host} does not know this client (${error}): check ${names}`);
    }
    return ok(error === "invalid_grant" ? `${host} knows our client` : `${host} answers`);
  } catch {
    // It answered a moment ago; what it says about a client is a bonus.
    return ok(`${host} answers`);
  }
}

/** The document must name the issuer, otherwise every sign-in fails. */
export const checkTelegramLogin: Check = async (settings) => {
  const isHosted = settings.HOSTED_TELEGRAM_LOGIN === "on";
  if (settings.TELEGRAM_LOGIN_SECRET === undefined && !isHosted) return notSet("no TELEGRAM_LOGIN_SECRET");
  const issuer = settings.TELEGRAM_LOGIN_URL ?? "https://oauth.telegram.org";
  const url = `${issuer}${DISCOVERY}`;
  const found = await reach(url, { name: "TELEGRAM_LOGIN_URL", isFine: (status) => status === 200 });
  if (found.state === "wrong") return found;
  const named = await fetch(url, { redirect: "manual", signal: AbortSignal.timeout(WAIT_MS) })
    .then((answer) => answer.json() as Promise<{ issuer?: unknown }>)
    .catch(() => ({ issuer: undefined }));
  if (named.issuer !== issuer) {
    return wrong(`${new URL(url).host} does not name itself as the issuer: check TELEGRAM_LOGIN_URL`);
  }
  const { TELEGRAM_LOGIN_SECRET: secret, TELEGRAM_BOT_TOKEN: token } = settings;
  if (secret === undefined || token === undefined) return found;
  const [id = ""] = token.split(":");
  return tryClient({ issuer, id, secret, names: "TELEGRAM_BOT_TOKEN and TELEGRAM_LOGIN_SECRET" });
};

async function reach(
  url: string,
  options: { name: string; headers?: Record<string, string>; isFine: (status: number) => boolean },
): Promise<Finding> {
  const { host } = new URL(url);
  try {
    const { status } = await fetch(url, {
      headers: options.headers ?? {},
      redirect: "manual",
      signal: AbortSignal.timeout(WAIT_MS),
    });
    if (options.isFine(status)) return ok(`${host} answers`);
    const isRefusal = status === 401 || status === 403;
    return wrong(`${host} ${isRefusal ? "refuses us" : "answers"} (${status}): check ${options.name}`);
  } catch (error) {
    return wrong(explainUnreachable(error, { host, setting: options.name }));
  }
}

export const checkMailDomain: Check = async ({ MAIL_IN_DOMAIN: domain }) => {
  if (domain === undefined) return notSet("no MAIL_IN_DOMAIN");
  try {
    const hosts = (await resolveMx(domain)).toSorted((a, b) => a.priority - b.priority);
    const names = hosts.map(({ exchange }) => exchange).filter((name) => name !== "");
    if (names.length > 0) return ok(`email for ${domain} goes to ${names.join(", ")}`);
    return wrong(
      `${domain} (MAIL_IN_DOMAIN) accepts no email: give it an MX record that leads to this machine`,
    );
  } catch (error) {
    const isMissing = ["ENOTFOUND", "ENODATA"].includes(codeOf(error));
    if (isMissing)
      return wrong(`${domain} (MAIL_IN_DOMAIN) has no MX record: give it one that leads to this machine`);
    return wrong(
      `the MX record of MAIL_IN_DOMAIN, ${domain}, cannot be looked up (${codeOf(error)}): check this machine's DNS`,
    );
  }
};

export const checkMailbox: Check = async (settings) => {
  const { IMAP_URL, IMAP_PERSON: person } = settings;
  if (IMAP_URL === undefined) return notSet("no IMAP_URL");
  const url = new URL(IMAP_URL);
  const secure = url.protocol === "imaps:";
  const mailbox = new ImapFlow({
    host: url.hostname,
    port: Number(url.port) || (secure ? 993 : 143),
    secure,
    auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
    logger: false,
    connectionTimeout: WAIT_MS,
    greetingTimeout: WAIT_MS,
    socketTimeout: WAIT_MS,
  });
  mailbox.on("error", () => {});
  try {
    await mailbox.connect();
    if (person !== undefined && (await belongsToAnAccount(settings, person)) === false) {
      return wrong("IMAP_PERSON has no account: sign up with that address, or name the one of an account");
    }
    return ok(`${url.host} accepts our sign-in`);
  } catch (error) {
    const isRefused = error instanceof Error && "authenticationFailed" in error;
    if (isRefused) return wrong(`${url.host} refuses the username or password in IMAP_URL`);
    return wrong(explainUnreachable(error, { host: url.host, setting: "IMAP_URL" }));
  } finally {
    mailbox.close();
  }
};

/** The code of the error or of its cause, where `fetch` puts it. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "";
  return "code" in error && typeof error.code === "string" ? error.code : codeOf(error.cause);
}
