// Stands before the auth service: lets through what the product uses, counts, and takes away the ways to find out
// whether somebody has an account. Everything else is the auth service's business.

import type { AuthLimits } from "../limits/auth-limits.ts";
import type { Gate } from "../limits/gate.ts";
import { type SignUpLimit, withinSignUpLimit } from "../limits/sign-up-limit.ts";
import { type Bearer, type CheckAccessToken, tokenIn } from "./access-token.ts";
import { type AuthBody, emailOf, readAuthBody } from "./auth-body.ts";
import { authError, rateLimited } from "./auth-error.ts";
import { withMailRequest } from "./auth-mail.ts";
import type { AuthRecords } from "./auth-records.ts";
import { refuseWeakPassword } from "./common-passwords.ts";
import type { GoogleFlow } from "./google-flow.ts";
import { createSessionNotes } from "./new-sessions.ts";
import type { Reauthentication } from "./reauthentication.ts";
import type { Redirects } from "./redirects.ts";
import { authRefusal } from "./refusals.ts";
import type { SignIn } from "./sign-in.ts";

export type AuthGuardOptions = {
  forward: (request: Request) => Promise<Response>;
  records: AuthRecords;
  checkToken: CheckAccessToken;
  redirects: Redirects;
  google: GoogleFlow;
  limits: AuthLimits;
  hashing: Gate;
  signIn: SignIn;
  signUps: SignUpLimit;
  reauthentication: Reauthentication;
  now: () => number;
  onBackgroundError: (error: unknown) => void;
};

export type AuthGuard = {
  fetch: (request: Request, address: string) => Promise<Response>;
  /** Settles when no mail is on its way any more. */
  idle: () => Promise<void>;
};

type Limit = "mailing" | "tokens" | "verifying";

type Call = { request: Request; body: AuthBody; address: string; bearer: Bearer | undefined };

type Act = (call: Call, again: (body?: AuthBody) => Promise<Response>) => Promise<Response>;

type Route = { limit?: Limit; isForPeople?: true };

const ROUTES: Record<string, Route> = {
  "POST /auth/v1/signup": { limit: "mailing" },
  "POST /auth/v1/recover": { limit: "mailing" },
  "POST /auth/v1/resend": { limit: "mailing" },
  "PUT /auth/v1/user": { limit: "mailing", isForPeople: true },
  "POST /auth/v1/token": { limit: "tokens" },
  // By POST alone: programs that look into mails open every link in them, and the link would be used up.
  "POST /auth/v1/verify": { limit: "verifying" },
  "GET /auth/v1/authorize": { limit: "verifying" },
  "GET /auth/v1/callback": { limit: "verifying" },
  "GET /auth/v1/user": { isForPeople: true },
  "POST /auth/v1/logout": { isForPeople: true },
  "GET /auth/v1/health": {},
  "GET /auth/v1/settings": {},
  "GET /auth/v1/.well-known/jwks.json": {},
};

const TOO_MANY = {
  error: "access_denied",
  code: "over_request_rate_limit",
  description: "Request rate limit reached",
};

export function createAuthGuard(options: AuthGuardOptions): AuthGuard {
  const { forward, google, limits, now } = options;
  const background = new Set<Promise<void>>();
  const notes = createSessionNotes(options);
  const acts = createActs({ ...options, notes, background });
  const visits: Record<string, (request: Request, address: string) => Promise<Response>> = {
    "/auth/v1/authorize": google.authorize,
    "/auth/v1/callback": google.callback,
  };

  const fetch = async (request: Request, address: string): Promise<Response> => {
    const { pathname } = new URL(request.url);
    const route = ROUTES[`${request.method} ${pathname}`];
    if (!route) return authError(404, "not_found", "This server has no such auth route");
    const isTooMuch = route.limit !== undefined && !limits[route.limit].take(address, now());
    const visit = visits[pathname];
    if (visit) {
      if (isTooMuch) return google.turnAway(TOO_MANY);
      return notes.inLocation(await visit(request, address), request, "oauth");
    }
    return isTooMuch ? rateLimited() : serve({ request, address, route });
  };

  const serve = async ({ request, address, route }: { request: Request; address: string; route: Route }) => {
    const bearer = route.isForPeople ? await bearerOf(request) : undefined;
    if (bearer instanceof Response) return bearer;
    const hasBody = request.method !== "GET" && new URL(request.url).pathname !== "/auth/v1/logout";
    return hasBody ? actOn({ request, address, bearer }) : forward(request);
  };

  const bearerOf = async ({ headers }: Request): Promise<Bearer | Response | undefined> => {
    const token = tokenIn(headers);
    if (token === undefined) return undefined;
    const answer = await options.checkToken(token);
    return answer.ok ? answer.bearer : authRefusal(answer.reason);
  };

  const actOn = async (call: Omit<Call, "body">): Promise<Response> => {
    const body = await readAuthBody(call.request);
    if (body instanceof Response) return body;
    const { pathname, searchParams } = new URL(call.request.url);
    const redirectTo = options.redirects.find(searchParams.get("redirect_to"));
    const again = (changed = body) =>
      withMailRequest({ redirectTo }, () => forward(withBody(call.request, changed)));
    const grant = pathname === "/auth/v1/token" ? ` ${searchParams.get("grant_type")}` : "";
    const act = acts[`${pathname}${grant}`];
    return act ? act({ ...call, body }, again) : again();
  };

  return { fetch, idle: async () => void (await Promise.all(background)) };
}

/** What is done besides handing on, by path and kind of grant. */
function createActs(
  options: AuthGuardOptions & {
    notes: ReturnType<typeof createSessionNotes>;
    background: Set<Promise<void>>;
  },
): Record<string, Act> {
  const { limits, records, notes, hashing, signIn, background, now } = options;
  const inTurn = createRefreshTurns();

  // Known or unknown, first or second within the minute: the same answer, before anything is looked up.
  const recover: Act = async ({ body }, again) => {
    const email = emailOf(body);
    if (!email?.includes("@")) return again();
    if (await limits.mailsToOneAddress.take(email, now())) {
      const task = again()
        .then(async (answer) => {
          if (!answer.ok) throw new Error(`The auth service answered a password reset with ${answer.status}`);
        })
        .catch(options.onBackgroundError)
        .finally(() => background.delete(task));
      background.add(task);
    }
    return Response.json({}, { headers: { "cache-control": "no-store" } });
  };

  const signUp: Act = async ({ request, body, address }, again) => {
    const weak =
      typeof body.password === "string" ? refuseWeakPassword(body.password, emailOf(body)) : undefined;
    if (weak) return weak;
    const answer = withinSignUpLimit(options.signUps, address, () => hashing(again, address));
    return notes.inBody(await answer, request);
  };

  return {
    "/auth/v1/recover": recover,
    "/auth/v1/user": options.reauthentication.changeUser,
    "/auth/v1/signup": signUp,
    "/auth/v1/verify": async ({ request, body }, again) =>
      notes.inBody(await again(), request, body.type === "recovery" ? "recovery" : undefined),
    "/auth/v1/token password": async (call, again) =>
      notes.inBody(await hashing(() => signIn(call, again), call.address), call.request),
    // Only the way back from Google ends in such a code.
    "/auth/v1/token pkce": async ({ request }, again) => notes.inBody(await again(), request, "oauth"),
    "/auth/v1/token refresh_token": ({ body }, again) =>
      inTurn(
        body.refresh_token,
        async () => (await refuseReusedToken(body.refresh_token, { records, now: now() })) ?? again(),
      ),
  };
}

function withBody(request: Request, body: AuthBody): Request {
  const headers = new Headers(request.headers);
  headers.delete("content-length");
  return new Request(request.url, { method: request.method, headers, body: JSON.stringify(body) });
}

// Two tabs may refresh at once, and supabase-js repeats for 30 s a refresh whose answer was lost.
export const REFRESH_GRACE_MS = 60_000;

/**
 * Refreshes of one token, one after the other: the auth service revokes a token before it has its successor, and whoever
 * comes in between would be told that it was used.
 */
function createRefreshTurns() {
  const last = new Map<string, Promise<Response>>();
  return async (token: unknown, act: () => Promise<Response>): Promise<Response> => {
    if (typeof token !== "string") return act();
    const turn = (last.get(token) ?? Promise.resolve()).then(act, act);
    last.set(token, turn);
    try {
      return await turn;
    } finally {
      if (last.get(token) === turn) last.delete(token);
    }
  };
}

/** Refuses a refresh token that was used long ago: it was copied, and nobody can say by whom, so its session ends. */
async function refuseReusedToken(
  token: unknown,
  { records, now }: { records: AuthRecords; now: number },
): Promise<Response | undefined> {
  if (typeof token !== "string") return undefined;
  const used = await records.findUsedRefreshToken(token);
  if (!used || now - used.usedAtMs <= REFRESH_GRACE_MS) return undefined;
  await records.endSession(used.sessionId);
  return authError(400, "refresh_token_already_used", "Invalid Refresh Token: Already Used");
}
