// Stands before the auth service: lets through what the product uses, counts, and takes away the ways to find out
// whether somebody has an account. Everything else is the auth service's business.
import { availableParallelism } from "node:os";
import { type Bearer, type CheckAccessToken, tokenIn } from "./access-token.ts";
import { type AuthBody, emailOf, readAuthBody } from "./auth-body.ts";
import { authError, rateLimited } from "./auth-error.ts";
import { createAuthLimits } from "./auth-limits.ts";
import { withMailRequest } from "./auth-mail.ts";
import type { AuthRecords } from "./auth-records.ts";
import { createGate } from "./gate.ts";
import type { GoogleFlow } from "./google-flow.ts";
import type { Redirects } from "./redirects.ts";
import { refuseReusedToken } from "./refresh-guard.ts";
import { authRefusal } from "./refusals.ts";
import { createSignIn } from "./sign-in.ts";
import { type SignUpLimit, withinSignUpLimit } from "./sign-up-limit.ts";

export type AuthGuardOptions = {
  forward: (request: Request) => Promise<Response>;
  records: AuthRecords;
  checkToken: CheckAccessToken;
  redirects: Redirects;
  google: GoogleFlow;
  signUps: SignUpLimit;
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

type Act = (call: Call, again: () => Promise<Response>) => Promise<Response>;

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
  const { forward, google, now } = options;
  const limits = createAuthLimits();
  const background = new Set<Promise<void>>();
  const acts = createActs({ ...options, limits, background });
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
    if (visit) return isTooMuch ? google.turnAway(TOO_MANY) : visit(request, address);
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
    const again = () => withMailRequest({ redirectTo }, () => forward(withBody(call.request, body)));
    const grant = pathname === "/auth/v1/token" ? ` ${searchParams.get("grant_type")}` : "";
    const act = acts[`${pathname}${grant}`];
    return act ? act({ ...call, body }, again) : again();
  };

  return { fetch, idle: async () => void (await Promise.all(background)) };
}

/** What is done besides handing on, by path and kind of grant. */
function createActs(
  options: AuthGuardOptions & {
    limits: ReturnType<typeof createAuthLimits>;
    background: Set<Promise<void>>;
  },
): Record<string, Act> {
  const { limits, records, background, now } = options;
  // A password hash fills a core for a tenth of a second: one core is left to everyone else, and addresses take turns.
  const hashing = createGate(Math.max(1, availableParallelism() - 1));
  const signIn = createSignIn(options);

  // Known or unknown, first or second within the minute: the same answer, before anything is looked up.
  const recover: Act = async ({ body }, again) => {
    const email = emailOf(body);
    if (!email?.includes("@")) return again();
    if (limits.mailsToOneAddress.take(email, now())) {
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

  const changeUser: Act = async ({ body, bearer, address }, again) => {
    if (body.email !== undefined || body.phone !== undefined) {
      return authError(422, "validation_failed", "The address of an account cannot be changed here");
    }
    if (body.password === undefined) return again();
    const answer = await hashing(again, address);
    // Whoever knew the old password is out; who changed it stays.
    if (answer.ok && bearer) await records.endOtherSessions(bearer);
    return answer;
  };

  return {
    "/auth/v1/recover": recover,
    "/auth/v1/user": changeUser,
    "/auth/v1/signup": ({ address }, again) =>
      withinSignUpLimit(options.signUps, address, () => hashing(again, address)),
    "/auth/v1/token password": (call, again) => hashing(() => signIn(call, again), call.address),
    "/auth/v1/token refresh_token": async ({ body }, again) =>
      (await refuseReusedToken(body.refresh_token, { records, now: now() })) ?? again(),
  };
}

function withBody(request: Request, body: AuthBody): Request {
  const headers = new Headers(request.headers);
  headers.delete("content-length");
  return new Request(request.url, { method: request.method, headers, body: JSON.stringify(body) });
}
