// Sign-in with a provider, from the button to the return. A cookie ties it to the browser it began in, so that nobody's
// answer can be slipped to somebody else: from its secret come the PKCE verifier and the nonce, and without it nothing that
// a provider answers is accepted.
import { createHash, randomBytes } from "node:crypto";
import type { Sql } from "postgres";
import { inTransaction } from "#store/connection/in-transaction.ts";
import { SIGN_UPS_SPENT, type SignUpLimit } from "../../limits/sign-up-limit.ts";
import type { Accounts } from "../accounts.ts";
import type { RecordEvent } from "../auth-events.ts";
import type { Caller, Query } from "../auth-request.ts";
import type { OpenSession, SessionAnswers } from "../gotrue-shapes.ts";
import type { Redirects } from "../redirects.ts";
import type { Sessions } from "../sessions.ts";
import { challengeOf, type FlowStates } from "./flow-states.ts";
import {
  createProviderClient,
  type Provider,
  type ProviderAccount,
  type ProviderClient,
  ProviderError,
} from "./providers.ts";
import { createTripCookies, type Trip } from "./trip-cookies.ts";

/** In GoTrue's words, for the page that the person lands on. */
type Refusal = { error: string; code: string; description: string };

export type ProviderFlow = ReturnType<typeof createProviderFlow>;

export type ProviderFlowOptions = {
  sql: Sql;
  providers: readonly Provider[];
  accounts: Accounts;
  sessions: Sessions;
  flowStates: FlowStates;
  answers: SessionAnswers;
  redirects: Redirects;
  signUps: SignUpLimit;
  record: RecordEvent;
  now: () => number;
  onProviderError: (provider: string, error: ProviderError) => void;
};

const CHALLENGE = /^[\w-]{43}$/;

export const AUTHORIZE_NAMES = ["provider", "redirect_to", "code_challenge", "code_challenge_method"];
export const CALLBACK_NAMES = ["state", "code", "error", "iss"];

export function createProviderFlow(options: ProviderFlowOptions) {
  const { redirects, flowStates } = options;
  const redirectUri = `${redirects.home}/auth/v1/callback`;
  const clients: Clients = new Map(
    options.providers.map((provider) => [
      provider.name,
      createProviderClient(provider, { redirectUri, now: options.now }),
    ]),
  );
  const cookies = createTripCookies(redirects, [...clients.keys()]);
  const comeBack = createReturn(options, clients);

  const authorize = async (query: Query): Promise<Response> => {
    const home = redirects.find(query.get("redirect_to")) ?? redirects.home;
    const provider = query.get("provider") ?? "";
    const client = clients.get(provider);
    if (!client) return failed(home, NOT_OFFERED);
    const codeChallenge = query.get("code_challenge");
    if (!isS256(codeChallenge, query.get("code_challenge_method"))) return failed(home, NO_S256);
    const secret = randomBytes(32).toString("base64url");
    const trip = { provider, state: crypto.randomUUID(), secret, home };
    const asked = { state: trip.state, nonce: nonceOf(secret), codeChallenge: challengeOf(secret) };
    const location = await client.authorizationUrl(asked).catch(noteProviderError(options, provider));
    if (!location) return failed(home, FAILED);
    await flowStates.begin({ state: trip.state, browserSecret: secret, provider, codeChallenge });
    const headers = { location: location.href, "set-cookie": cookies.set(trip) };
    return new Response(null, { status: 302, headers });
  };

  const callback = async (query: Query, cookieHeader: string | null, caller: Caller): Promise<Response> => {
    const trip = cookies.find(query.get("state") ?? "", cookieHeader);
    if (!trip) return failed(redirects.home, NOT_FROM_HERE);
    const answer = await comeBack(trip, query, caller);
    answer.headers.append("set-cookie", cookies.clear(trip));
    return answer;
  };

  return {
    authorize,
    callback,
    /** When something is wrong with the address: a person opened it, and is shown a page. */
    turnAway: (code: string, description: string) =>
      failed(redirects.home, {
        error: code === "over_request_rate_limit" ? "access_denied" : "invalid_request",
        code,
        description,
      }),
  };
}

type Clients = ReadonlyMap<string, ProviderClient>;

/** A page that asks with no challenge gets its session in the fragment; any challenge must be S256. */
function isS256(challenge: string | undefined, method: string | undefined): boolean {
  if (challenge === undefined && method === undefined) return true;
  return method?.toLowerCase() === "s256" && CHALLENGE.test(challenge ?? "");
}

/** What a person who comes back from the provider is answered. */
function createReturn(options: ProviderFlowOptions, clients: Clients) {
  const enter = createEntrance(options);

  const accountOf = async (trip: Trip, query: Query): Promise<ProviderAccount | Refusal> => {
    const { provider, state, secret } = trip;
    const [error, code] = [query.get("error"), query.get("code")];
    // Cancelled there, or refused; what else the provider says about it is not repeated.
    if (error !== undefined) return refusal(/^[a-z_]{1,40}$/.exec(error)?.[0] ?? "server_error", "", "");
    const account = await clients
      .get(provider)
      ?.exchange(
        { state, nonce: nonceOf(secret), codeVerifier: secret },
        { code: code ?? "", iss: query.get("iss") },
      )
      .catch(noteProviderError(options, provider));
    return account ?? FAILED;
  };

  return async (trip: Trip, query: Query, caller: Caller): Promise<Response> => {
    const flow = await options.flowStates.takeState(trip);
    if (!flow) return failed(trip.home, NOT_FROM_HERE);
    const account = await accountOf(trip, query);
    if ("error" in account) return failed(trip.home, account);
    const entered = await enter({ trip, account, caller, isChallenged: flow.isChallenged });
    if ("refusal" in entered) return failed(trip.home, entered.refusal);
    const url = new URL(trip.home);
    if ("code" in entered) url.searchParams.set("code", entered.code);
    else {
      const { user, sessionId } = entered.session;
      options.record({ kind: "sign_in", userId: user.id, sessionId, ...caller });
      url.hash = await options.answers.inFragment(entered.session);
    }
    return redirect(url);
  };
}

const noteProviderError =
  ({ onProviderError }: ProviderFlowOptions, provider: string) =>
  (error: unknown): undefined => {
    if (!(error instanceof ProviderError)) throw error;
    onProviderError(provider, error);
  };

type Entered = { code: string } | { session: OpenSession } | { refusal: Refusal };

/** Lets in whom the provider vouches for: with a code for the page that holds the verifier, or with a session. */
function createEntrance({ sql, accounts, sessions, flowStates, signUps }: ProviderFlowOptions) {
  type Entry = { trip: Trip; account: ProviderAccount; caller: Caller; isChallenged: boolean };
  const write = ({ trip, account, caller, isChallenged }: Entry) =>
    inTransaction(sql, async (db): Promise<Entered & { isNew: boolean }> => {
      const entered = await accounts.enterByProvider(db, trip.provider, account);
      if (entered === "taken") return { refusal: TAKEN, isNew: false };
      const { userId, isNew } = entered;
      if (isChallenged) {
        const code = crypto.randomUUID();
        await flowStates.issueCode(db, { state: trip.state, userId, code });
        return { code, isNew };
      }
      const session = await sessions.begin(db, { userId, userAgent: caller.userAgent, method: "oauth" });
      return session ? { session, isNew } : { refusal: BANNED, isNew };
    });
  return async (entry: Entry): Promise<Entered> => {
    const { trip, account, caller } = entry;
    if (!account.isEmailVerified) return { refusal: UNVERIFIED };
    const needsPlace = !(await accounts.hasProviderAccount(trip.provider, account));
    const place = needsPlace ? await signUps.reserve(caller.address) : undefined;
    if (needsPlace && !place) return { refusal: SPENT };
    let isMade = false;
    try {
      const entered = await write(entry);
      isMade = entered.isNew;
      return entered;
    } finally {
      if (!isMade) await place?.release();
    }
  };
}

const nonceOf = (secret: string) => createHash("sha256").update(`nonce ${secret}`).digest("base64url");

/** A failure is told in the query and the fragment alike, as hosted Supabase does. */
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

const FAILED = refusal("server_error", "unexpected_failure", "");
const NOT_FROM_HERE = refusal(
  "invalid_request",
  "bad_oauth_state",
  "This sign-in was not started in this browser",
);
const NOT_OFFERED = refusal(
  "invalid_request",
  "provider_disabled",
  "This way of signing in is not offered here",
);
const NO_S256 = refusal("invalid_request", "validation_failed", "The code challenge method must be S256");
const UNVERIFIED = refusal(
  "access_denied",
  "provider_email_needs_verification",
  "The provider has not verified this email address",
);
const SPENT = refusal(
  "access_denied",
  SIGN_UPS_SPENT,
  "Too many accounts were created from this network today",
);
const TAKEN = refusal(
  "access_denied",
  "email_exists",
  "This email address belongs to another account of this provider",
);
const BANNED = refusal("access_denied", "user_banned", "This account is suspended");
