// Asks the server for each operation of the model, as a browser does, and says what it answered.
import { createHash, randomBytes } from "node:crypto";
import { suspendPerson } from "#server/ops/rows/operator-acts.ts";
import { signInitData } from "#simulators/telegram/mini-app/sign-init-data.ts";
import { type Answer, BOT_TOKEN, type Question } from "./accounts-server.ts";
import type { Seen } from "./linearize.ts";
import type { Operation, OperationOf } from "./model-state.ts";
import { consentOf } from "./simulated-issuers.ts";
import { addressOf, emailOf, personOf, telegramOf, type World } from "./world.ts";

type Context = { world: World; browser: number };

type Asking = {
  [Kind in Operation["kind"]]: (operation: OperationOf<Kind>, context: Context) => Promise<Seen>;
};

export function askServer(operation: Operation, context: Context): Promise<Seen> {
  const asking = ASKING[operation.kind] as (operation: Operation, context: Context) => Promise<Seen>;
  return asking(operation, context);
}

const ask = ({ world, browser }: Context, question: Omit<Question, "address">): Promise<Answer> =>
  world.server.ask({ ...question, address: addressOf(world, browser) });

const seenIn = ({ status, text }: Answer): Seen => ({
  ...{ isOk: status < 300, status },
  ...(status >= 500 ? { words: text } : {}),
});

const tokenOf = ({ world }: Context, session: string) => world.tokens.get(session)?.access;

const callAs = async (context: Context, session: string, question: Omit<Question, "address" | "token">) =>
  seenIn(await ask(context, { ...question, token: tokenOf(context, session) }));

const call = (context: Context, session: string, name: string, args: object) =>
  callAs(context, session, { path: `/rest/v1/rpc/${name}`, body: args });

const proving = (password: string | null) => (password === null ? {} : { current_password: password });

/** Notes the tokens of a session that the answer opens. */
function entered(answer: Answer, session: string, { world, browser }: Context): Seen {
  const { access_token: access, refresh_token: refresh, user } = answer.body;
  const seen = seenIn(answer);
  if (!seen.isOk) return seen;
  world.tokens.set(session, { access: String(access), refresh: [String(refresh)] });
  world.holders.push({ browser, session, token: 0 });
  return { ...seen, userId: String((user as { id?: unknown } | undefined)?.id) };
}

const ASKING: Asking = {
  "sign-up": async ({ id, mailbox, password }, context) => {
    const body = { email: emailOf(context.world, mailbox), password };
    return entered(await ask(context, { path: "/auth/v1/signup", body }), id, context);
  },
  "sign-in": async ({ id, mailbox, password }, context) => {
    const body = { email: emailOf(context.world, mailbox), password };
    return entered(await ask(context, { path: "/auth/v1/token?grant_type=password", body }), id, context);
  },
  refresh: async ({ session, token }, context) => {
    const known = context.world.tokens.get(session);
    const body = { refresh_token: known?.refresh[token] ?? "" };
    const answer = await ask(context, { path: "/auth/v1/token?grant_type=refresh_token", body });
    const seen = seenIn(answer);
    if (!seen.isOk || !known) return seen;
    known.access = String(answer.body.access_token);
    known.refresh[token + 1] ??= String(answer.body.refresh_token);
    const isSame = known.refresh[token + 1] === answer.body.refresh_token;
    return isSame ? seen : { ...seen, userId: "another refresh token" };
  },
  read: async ({ session }, context) => {
    const token = tokenOf(context, session);
    const answer = await ask(context, { path: "/rest/v1/own_places?select=name", token });
    const rows = Array.isArray(answer.body) ? (answer.body as { name: string }[]) : [];
    return { ...seenIn(answer), places: rows.map(({ name }) => name) };
  },
  "save-place": ({ session, name }, context) =>
    callAs(context, session, { path: "/rest/v1/own_places", body: { name, latitude: 40, longitude: -3 } }),
  "sign-out": ({ session, scope }, context) =>
    callAs(context, session, { path: `/auth/v1/logout?scope=${scope}`, method: "POST" }),
  "change-password": ({ session, password, next }, context) =>
    callAs(context, session, {
      ...{ path: "/auth/v1/user", method: "PUT" },
      body: { password: next, ...proving(password) },
    }),
  "request-reset": async ({ mailbox }, context) => {
    const body = { email: emailOf(context.world, mailbox) };
    return seenIn(await ask(context, { path: "/auth/v1/recover", body }));
  },
  "open-reset": async ({ id, link }, context) => {
    const body = { type: "recovery", token_hash: context.world.links.get(link)?.token ?? "none" };
    return entered(await ask(context, { path: "/auth/v1/verify", body }), id, context);
  },
  "answer-sign-up-mail": async ({ link, isMine }, context) => {
    const token_hash = context.world.links.get(link)?.token ?? "none";
    if (isMine)
      return seenIn(await ask(context, { path: "/auth/v1/verify", body: { type: "signup", token_hash } }));
    const answer = await ask(context, { path: "/rest/v1/rpc/refuse_address", body: { token_hash } });
    return { isOk: answer.text === '"deleted"', status: answer.status };
  },
  "begin-sign-in": async ({ id, provider }, context) => {
    const verifier = randomBytes(32).toString("base64url");
    const challenge = createHash("sha256").update(verifier).digest("base64url");
    const name = provider === "google" ? "google" : "custom:telegram";
    const query = { provider: name, code_challenge: challenge, code_challenge_method: "s256" };
    const answer = await ask(context, { path: `/auth/v1/authorize?${new URLSearchParams(query)}` });
    return begun(answer, { id, verifier, url: answer.headers.get("location") ?? "" }, context);
  },
  "begin-link": async ({ id, session }, context) => {
    const query = new URLSearchParams({ provider: "custom:telegram", skip_http_redirect: "true" });
    const path = `/auth/v1/user/identities/authorize?${query}`;
    const answer = await ask(context, { path, token: tokenOf(context, session) });
    return begun(answer, { id, verifier: "", url: String(answer.body.url ?? "") }, context);
  },
  return: (operation, context) => returnFromProvider(operation, context),
  exchange: async ({ id, code }, context) => {
    const known = context.world.codes.get(code);
    const body = { auth_code: known?.code ?? "none", code_verifier: known?.verifier ?? "none" };
    return entered(await ask(context, { path: "/auth/v1/token?grant_type=pkce", body }), id, context);
  },
  "allow-link": ({ session, flow, password }, context) => {
    const { url = "" } = context.world.flows.get(flow) ?? {};
    const state = URL.canParse(url) ? new URL(url).searchParams.get("state") : "none";
    return call(context, session, "allow_telegram_link", { state, ...proving(password) });
  },
  launch: async ({ id, person, repeats, isEarlier }, context) => {
    const { world } = context;
    const known = world.launches.get(repeats ?? "");
    const data = known?.data ?? launchData(world, { id, person, isEarlier });
    if (!known) world.launches.set(id, { data, person, isEarlier });
    const path = "/auth/v1/token?grant_type=telegram_mini_app";
    return entered(await ask(context, { path, body: { init_data: data } }), id, context);
  },
  unlink: ({ session, password, keepsChat }, context) => {
    return call(context, session, "unlink_telegram", { ...proving(password), keep_chat: keepsChat });
  },
  delete: ({ session, password }, context) => call(context, session, "delete_my_account", proving(password)),
  suspend: (operation, context) => setSuspended(operation.userId, true, context),
  lift: (operation, context) => setSuspended(operation.userId, false, context),
  hear: async ({ userId }, { world }) => {
    const rows = await world.server.database.sql<{ id: string }[]>`
      select chat_id::text as id from watch.confirmed_chats where user_id = ${userId}`;
    return { isOk: true, status: 200, chats: rows.map(({ id }) => personOf(world, Number(id))) };
  },
};

/** Half a minute before or after now: a sequence takes less, and Telegram signs whole seconds. */
function launchData(
  world: World,
  { id, person, isEarlier }: { id: string; person: string; isEarlier: boolean },
) {
  const auth_date = Math.floor(Date.now() / 1000) + (isEarlier ? -30 : 30);
  const user = { id: telegramOf(world, person), first_name: person };
  return signInitData({ query_id: id, user, auth_date }, BOT_TOKEN);
}

function begun(
  answer: Answer,
  { id, verifier, url }: { id: string; verifier: string; url: string },
  { world, browser }: Context,
): Seen {
  const isOk = answer.status < 400 && URL.canParse(url) && new URL(url).searchParams.has("state");
  keepCookies(answer, world.cookies[browser]);
  if (isOk) world.flows.set(id, { url, browser, verifier, atMs: world.clock.offsetMs });
  return { isOk, status: answer.status };
}

function keepCookies(answer: Answer, cookies: Map<string, string> | undefined): void {
  for (const line of answer.headers.getSetCookie()) {
    const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    if (/Max-Age=0(;|$)/.test(line)) cookies?.delete(name);
    else cookies?.set(name, value);
  }
}

async function returnFromProvider(
  { id, flow, person, hasBot }: OperationOf<"return">,
  context: Context,
): Promise<Seen> {
  const { world, browser } = context;
  const { url = "", verifier = "" } = world.flows.get(flow) ?? {};
  const isTelegram = url.includes("telegram");
  const telegramId = telegramOf(world, person);
  const identity = isTelegram
    ? { sub: String(telegramId), claims: { id: telegramId, name: person } }
    : { sub: emailOf(world, person), claims: { email: emailOf(world, person), email_verified: true } };
  const scope = isTelegram && hasBot ? "openid profile telegram:bot_access" : "openid profile";
  const cookies = world.cookies[browser] ?? new Map<string, string>();
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const answer = await ask(context, { path: consentOf(url, { ...identity, scope }), cookie });
  keepCookies(answer, cookies);
  const location = new URL(answer.headers.get("location") ?? "http://localhost/?error=none");
  const isOk = answer.status < 400 && !location.searchParams.has("error");
  const code = location.searchParams.get("code");
  if (isOk && code) world.codes.set(id, { code, verifier, browser, atMs: world.clock.offsetMs });
  return { isOk, status: answer.status };
}

async function setSuspended(userId: string, isSuspended: boolean, { world }: Context): Promise<Seen> {
  await suspendPerson(world.server.database.sql, userId, isSuspended);
  return { isOk: true, status: 200 };
}
