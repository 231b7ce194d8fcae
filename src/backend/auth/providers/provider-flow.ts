// Sign-in with a provider, from the button to the return. A cookie binds the flow to the browser that started it: the
// PKCE verifier and the nonce are derived from its secret, and no provider answer is accepted without it. Otherwise an
// attacker could send somebody a link that signs them in to the attacker's account.
import { createHash, randomBytes } from "node:crypto";
import { inRepeatableTransaction } from "#platform/database/in-transaction.ts";
import type { Bearer } from "../access-token.ts";
import { authError, authRefusal } from "../auth-error.ts";
import type { AuthParts } from "../auth-parts.ts";
import type { Caller, QueryValues } from "../auth-request.ts";
import type { IssuedSession } from "../gotrue-shapes.ts";
import { SIGN_UPS_SPENT, withinSignUpLimit } from "../limits/sign-up-limit.ts";
import { createFlowCookies, type SignInFlow } from "./flow-cookies.ts";
import { challengeOf } from "./flow-states.ts";
import { createProviderClient, type ProviderClient } from "./provider-client.ts";
import { ProviderError } from "./provider-error.ts";
import { type ProviderAccount, TELEGRAM } from "./providers.ts";

/** In GoTrue's terms, for the page that the person returns to. */
type Refusal = { error: string; code: string; description: string };

export type ProviderFlow = ReturnType<typeof createProviderFlow>;

const CHALLENGE = /^[\w-]{43}$/;

export const AUTHORIZE_NAMES = ["provider", "redirect_to", "code_challenge", "code_challenge_method"];
export const CALLBACK_NAMES = ["state", "code", "error", "iss"];

export function createProviderFlow(parts: AuthParts) {
  const { redirects, flowStates } = parts;
  const redirectUri = `${redirects.home}/auth/v1/callback`;
  const clients: Clients = new Map(
    parts.providers.map((provider) => [
      provider.name,
      createProviderClient(provider, { redirectUri, now: parts.now }),
    ]),
  );
  const cookies = createFlowCookies(redirects, [...clients.keys()]);
  const handleReturn = createReturnHandler(parts, clients);

  const homeOf = (query: QueryValues) => redirects.find(query.get("redirect_to")) ?? redirects.home;

  /** A sign-in that is not stored yet. */
  const prepare = async (
    query: QueryValues,
    cookieHeader: string | null,
  ): Promise<{ flow: SignInFlow; url: URL; cookies: string[] } | Refusal> => {
    const provider = query.get("provider") ?? "";
    const client = clients.get(provider);
    if (!client) return NOT_OFFERED;
    if (!isS256(query.get("code_challenge"), query.get("code_challenge_method"))) return NO_S256;
    const secret = randomBytes(32).toString("base64url");
    const flow = { provider, state: crypto.randomUUID(), secret, home: homeOf(query) };
    const asked = { state: flow.state, nonce: nonceOf(secret), codeChallenge: challengeOf(secret) };
    const url = await client.authorizationUrl(asked).catch(noteProviderError(parts, provider));
    return url ? { flow, url, cookies: cookies.set(flow, cookieHeader) } : FAILED;
  };

  const authorize = async (query: QueryValues, cookieHeader: string | null): Promise<Response> => {
    const prepared = await prepare(query, cookieHeader);
    if ("error" in prepared) return failed(homeOf(query), prepared);
    await flowStates.begin(prepared.flow, query.get("code_challenge"));
    const answer = new Response(null, { status: 302, headers: { location: prepared.url.href } });
    return withCookies(answer, prepared.cookies);
  };

  /** The cookie binds the flow to the page that asks, so that nobody can be made to link their Telegram to a stranger. */
  const authorizeLink = async (
    query: QueryValues,
    cookieHeader: string | null,
    bearer: Bearer,
  ): Promise<Response> => {
    if (query.get("provider") !== TELEGRAM) {
      return authError(404, "manual_linking_disabled", "Only Telegram can be linked to an account");
    }
    const prepared = await prepare(query, cookieHeader);
    if ("error" in prepared) return authError(400, prepared.code, prepared.description);
    if (!(await flowStates.beginLink(prepared.flow, bearer))) return authRefusal("session_ended");
    const headers = { "cache-control": "no-store" };
    return withCookies(Response.json({ url: prepared.url.href }, { headers }), prepared.cookies);
  };

  const callback = async (
    query: QueryValues,
    cookieHeader: string | null,
    caller: Caller,
  ): Promise<Response> => {
    const flow = cookies.find(query.get("state") ?? "", cookieHeader);
    if (!flow) return failed(redirects.home, NOT_FROM_HERE);
    const answer = await handleReturn(flow, query, caller);
    answer.headers.append("set-cookie", cookies.clear(flow));
    return answer;
  };

  return {
    authorize,
    authorizeLink,
    callback,
    /** For invalid requests opened by browser navigation: redirects to a page that shows the error. */
    errorRedirect: (code: string, description: string) =>
      failed(redirects.home, (code === "over_request_rate_limit" ? denied : invalid)(code, description)),
  };
}

function withCookies(answer: Response, cookies: readonly string[]): Response {
  for (const cookie of cookies) answer.headers.append("set-cookie", cookie);
  return answer;
}

type Clients = ReadonlyMap<string, ProviderClient>;

/** A page without a challenge gets its session in the fragment; any challenge must be S256. */
function isS256(challenge: string | undefined, method: string | undefined): boolean {
  if (challenge === undefined && method === undefined) return true;
  return method?.toLowerCase() === "s256" && CHALLENGE.test(challenge ?? "");
}

/** Handles the redirect back from the provider. */
function createReturnHandler(parts: AuthParts, clients: Clients) {
  const enter = createProviderSignIn(parts);

  const accountOf = async (flow: SignInFlow, query: QueryValues): Promise<ProviderAccount | Refusal> => {
    const { provider, state, secret } = flow;
    const [error, code] = [query.get("error"), query.get("code")];
    // The person cancelled or the provider refused. The provider's description is not passed on to the page.
    if (error !== undefined) return refusal(/^[a-z_]{1,40}$/.exec(error)?.[0] ?? "server_error", "", "");
    const account = await clients
      .get(provider)
      ?.exchange(
        { state, nonce: nonceOf(secret), codeVerifier: secret },
        { code: code ?? "", iss: query.get("iss") },
      )
      .catch(noteProviderError(parts, provider));
    return account ?? FAILED;
  };

  return async (flow: SignInFlow, query: QueryValues, caller: Caller): Promise<Response> => {
    const taken = await parts.flowStates.takeState(flow);
    if (!taken) return failed(flow.home, NOT_FROM_HERE);
    const account = await accountOf(flow, query);
    if ("error" in account) return failed(flow.home, account);
    if (taken.link) {
      const outcome = await parts.accounts.linkTelegram(taken.link, account);
      return outcome === "linked" ? redirect(new URL(flow.home)) : failed(flow.home, NOT_LINKED[outcome]);
    }
    const entered = await enter({ flow, account, caller, isChallenged: taken.isChallenged });
    if ("refusal" in entered) return failed(flow.home, entered.refusal);
    const url = new URL(flow.home);
    if ("code" in entered) url.searchParams.set("code", entered.code);
    else {
      const { user, sessionId } = entered.session;
      await parts.limits.knownAddresses.add(user.id, caller.address, parts.now());
      parts.record({ kind: "sign_in", userId: user.id, sessionId, ...caller });
      url.hash = await parts.answers.inFragment(entered.session);
    }
    return redirect(url);
  };
}

const noteProviderError =
  ({ onBackgroundError }: AuthParts, provider: string) =>
  (error: unknown): undefined => {
    if (!(error instanceof ProviderError)) throw error;
    onBackgroundError(new Error(`Sign-in with ${provider} failed: ${error.message}`));
  };

type FlowEnd = { code: string } | { session: IssuedSession } | { refusal: Refusal };

/** Rolls back what the sign-in has written, such as a connected chat. */
class SuspendedAccount extends Error {}

/** Signs the person in: with a code for the page that holds the verifier, or with a session. */
function createProviderSignIn(parts: AuthParts) {
  const { sql, accounts, sessions, flowStates, signUps } = parts;
  type Entry = { flow: SignInFlow; account: ProviderAccount; caller: Caller; isChallenged: boolean };
  const write = ({ flow, account, caller, isChallenged }: Entry) =>
    inRepeatableTransaction(sql, async (db): Promise<FlowEnd & { isNew: boolean }> => {
      const language = parts.languageOf(flow.home);
      const entered = await accounts.findOrCreateByProvider(db, flow.provider, { ...account, language });
      if (entered === "taken" || entered === "slowed") return { refusal: REFUSED[entered], isNew: false };
      const { userId, isNew } = entered;
      if (isChallenged) {
        if (await accounts.isSuspended(db, userId)) throw new SuspendedAccount();
        const code = crypto.randomUUID();
        await flowStates.issueCode(db, { state: flow.state, userId, code });
        return { code, isNew };
      }
      const session = await sessions.begin(db, { userId, userAgent: caller.userAgent, method: "oauth" });
      if (!session) throw new SuspendedAccount();
      return { session, isNew };
    }).catch((error: unknown) => {
      if (error instanceof SuspendedAccount) return { refusal: BANNED, isNew: false };
      throw error;
    });
  return async (entry: Entry): Promise<FlowEnd> => {
    const { flow, account, caller } = entry;
    if (account.email === "") return { refusal: NO_EMAIL };
    if (account.email !== null && !account.isEmailVerified) return { refusal: UNVERIFIED };
    if (await accounts.hasProviderAccount(flow.provider, account)) return write(entry);
    const made = { make: () => write(entry), isMade: ({ isNew }: { isNew: boolean }) => isNew };
    return (await withinSignUpLimit(signUps, caller.address, made)) ?? { refusal: SPENT };
  };
}

const nonceOf = (secret: string) => createHash("sha256").update(`nonce ${secret}`).digest("base64url");

/** Reports the failure in the query and the fragment, like hosted Supabase. */
function failed(home: string, { error, code, description }: Refusal): Response {
  const said = new URLSearchParams({
    error,
    ...(code && { error_code: code }),
    error_description: description,
  });
  const url = new URL(home);
  url.search = said.toString();
  url.hash = said.toString();
  return redirect(url);
}

function redirect(url: URL): Response {
  return new Response(null, { status: 303, headers: { location: url.href } });
}

const refusal = (error: string, code: string, description: string): Refusal => ({ error, code, description });
const denied = (code: string, description: string) => refusal("access_denied", code, description);
const invalid = (code: string, description: string) => refusal("invalid_request", code, description);

const FAILED = refusal("server_error", "unexpected_failure", "");
const NOT_FROM_HERE = invalid("bad_oauth_state", "This sign-in was not started in this browser");
const NOT_OFFERED = invalid("provider_disabled", "This way of signing in is not offered here");
const NO_S256 = invalid("validation_failed", "The code challenge method must be S256");
const UNVERIFIED = denied("provider_email_needs_verification", "This email address is not verified there");
const NO_EMAIL = refusal("server_error", "unexpected_failure", "The provider named no email address");
const SPENT = denied(SIGN_UPS_SPENT, "Too many accounts were created from this network today");
const REFUSED = {
  taken: denied("email_exists", "This email address belongs to another account there"),
  slowed: denied(
    "over_request_rate_limit",
    "This Telegram user has created several accounts in a short time",
  ),
};
const NOT_LINKED = {
  "other-account": invalid("identity_already_exists", "Identity is already linked to another user"),
  "has-another": invalid("conflict", "The account has another Telegram user"),
  "not-allowed": denied(
    "reauthentication_needed",
    "Prove the account again, then repeat this within ten minutes",
  ),
};
const BANNED = denied("user_banned", "This account is suspended");
