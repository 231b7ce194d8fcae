// Simulates https://oauth.telegram.org: an OpenID provider with a consent page for the people of the simulated Telegram,
// written from https://core.telegram.org/bots/telegram-login, with faults on demand.
import { getRequestListener } from "@hono/node-server";
import { type Context, Hono } from "hono";
import { listenOnLoopback } from "../../listen-on-loopback.ts";
import { setStanding } from "../bot-standing.ts";
import type { Person } from "../model.ts";
import { requireChatById } from "../phone/create.ts";
import { notify, type World } from "../world.ts";
import {
  type AuthorizationRequest,
  BOT_ACCESS,
  checkAuthorization,
  type LoginClient,
  SCOPES,
} from "./authorization.ts";
import { consentPage, errorPage } from "./consent-page.ts";
import { createGrants, type LoginFault } from "./grants.ts";

export interface TelegramLogin {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  fault(): LoginFault | undefined;
  setFault(fault: LoginFault | undefined): void;
  rotateKeys(): Promise<void>;
  stop(): Promise<void>;
}

interface LoginOptions {
  /** Telegram takes https alone; here an address on this machine may be plain. */
  readonly redirectUris: readonly string[];
}

export async function startTelegramLogin(
  world: World,
  { redirectUris }: LoginOptions,
): Promise<TelegramLogin> {
  const app = new Hono();
  const { port, stop } = await listenOnLoopback(getRequestListener((request) => app.fetch(request)));
  const url = `http://localhost:${port}`;
  const client: LoginClient = {
    clientId: String(world.bot.id),
    clientSecret: "simulated-telegram-login-secret",
    redirectUris,
  };
  const grants = await createGrants({ client, issuer: url, clock: world.clock });
  let fault: LoginFault | undefined;

  /** Handles the button pressed on the consent page. */
  const decide = async (context: Context, request: AuthorizationRequest): Promise<Response> => {
    const form = await context.req.parseBody();
    if (form.decision === "cancel") return back(context, request, { error: "access_denied" });
    const person = world.people.get(Number(form.person));
    if (!person) return context.html(showConsent(world, request), 400);
    const struck = fault;
    fault = undefined;
    if (struck === "refused") return back(context, request, { error: "server_error" });
    const scopes = request.scopes.filter((scope) => scope !== BOT_ACCESS || form.bot_access === "yes");
    if (scopes.includes(BOT_ACCESS)) letBotWrite(world, person);
    return back(context, request, { code: grants.issueCode({ request, person, scopes, fault: struck }) });
  };

  app.use(async (context, next) => {
    await next();
    context.res.headers.set("cache-control", "no-store");
    context.res.headers.set("x-content-type-options", "nosniff");
    context.res.headers.set("referrer-policy", "no-referrer");
  });
  app.get("/.well-known/openid-configuration", (context) => context.json(discoveryOf(url)));
  app.get("/.well-known/jwks.json", (context) => context.json(grants.keys()));
  app.on(["GET", "POST"], "/auth", (context) => {
    const asked = checkAuthorization(new URL(context.req.url).searchParams, client);
    if (!asked.ok) return context.html(errorPage(asked), 400);
    if (context.req.method === "POST") return decide(context, asked.request);
    return context.html(showConsent(world, asked.request));
  });
  app.post("/token", async (context) => {
    const form = new URLSearchParams(await context.req.text());
    const { status, body } = await grants.exchange(form, context.req.header("authorization") ?? "");
    return context.json(body, status);
  });
  return {
    ...{ url, clientId: client.clientId, clientSecret: client.clientSecret, stop },
    fault: () => fault,
    setFault: (next) => {
      fault = next;
    },
    rotateKeys: grants.rotateKeys,
  };
}

/** Like https://oauth.telegram.org/.well-known/openid-configuration, with every endpoint at this URL. */
function discoveryOf(issuer: string) {
  return {
    issuer,
    authorization_endpoint: `${issuer}/auth`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    response_types_supported: ["code"],
    grant_types_supported: ["authorization_code"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["RS256"],
    scopes_supported: SCOPES,
    token_endpoint_auth_methods_supported: ["client_secret_basic"],
    code_challenge_methods_supported: ["S256"],
    claims_supported: ["sub", "iss", "aud", "exp", "iat", "id", "name", "preferred_username", "picture"],
  };
}

function showConsent({ bot, people }: World, request: AuthorizationRequest) {
  return consentPage({ request, botName: bot.firstName, people: [...people.values()] });
}

/** After this the bot can write to the person, as after Start. */
function letBotWrite(world: World, { id }: Person): void {
  const chat = requireChatById(world, id);
  // As with Start, the bot gets only the update that it was unblocked.
  if (chat.standing === "blocked") setStanding(world, chat, { standing: "ok", by: id });
  chat.standing = "ok";
  notify(world, { type: "chat", chatId: id });
}

function back(context: Context, { redirectUri, state }: AuthorizationRequest, said: Record<string, string>) {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries({ ...said, ...(state === undefined ? {} : { state }) })) {
    url.searchParams.set(name, value);
  }
  return context.redirect(url.href, 302);
}
