// The auth service: the routes of GoTrue that our pages call through supabase-js, and no others. Each route declares
// its query parameters, its limit and its handler; a request is parsed (auth-request.ts) before its handler runs.
import { createRateLimiter } from "#platform/limits/rate-limit.ts";
import { BusyError } from "#platform/limits/semaphore.ts";
import { chargeOf } from "../read-body.ts";
import { answerAbsentRoute } from "./absent-features.ts";
import type { CheckAccessToken } from "./access-token.ts";
import { authError, passwordsBusy, rateLimited } from "./auth-error.ts";
import { type AuthParts, type AuthServiceOptions, createAuthParts } from "./auth-parts.ts";
import { callerOf, type QueryValues, readQuery } from "./auth-request.ts";
import { createAuthRoutes, type Route } from "./auth-routes.ts";
import { deleteOldLinks } from "./mailed-links.ts";
import type { Reauthentication } from "./passwords/reauthentication.ts";
import { createProviderFlow } from "./providers/provider-flow.ts";

const noRoute = () => authError(404, "not_found", "This server has no such auth route");

export type AuthService = {
  fetch: (request: Request, address: string) => Promise<Response>;
  checkToken: CheckAccessToken;
  proveForCall: Reauthentication["proveForCall"];
  /** Deletes expired sessions and links, and provider sign-ins that were never finished. */
  deleteExpired: () => Promise<void>;
  idle: () => Promise<void>;
};

export function createAuthService(options: AuthServiceOptions): AuthService {
  const parts = createAuthParts(options);
  return {
    fetch: createRouter(parts),
    checkToken: parts.checkToken,
    proveForCall: parts.reauthentication.proveForCall,
    deleteExpired: async () => {
      await parts.sessions.deleteExpired();
      await parts.flowStates.deleteOld();
      await parts.launches.deleteOld();
      await deleteOldLinks(parts.sql, parts.now());
    },
    idle: parts.background.idle,
  };
}

type Asked = { request: Request; address: string };

function refuseIfBusy(error: unknown): Response {
  if (error instanceof BusyError) return passwordsBusy();
  throw error;
}

function createRouter(parts: AuthParts): AuthService["fetch"] {
  const { keys, limits, now, requestsPerAddress } = parts;
  const flow = createProviderFlow(parts);
  const routes = createAuthRoutes(parts, flow);
  const burst = Math.ceil(requestsPerAddress / 4);
  const budget = createRateLimiter({ perWindow: requestsPerAddress, windowMs: 60_000, burst });
  const isSpent = ({ limit }: Route, query: QueryValues | string, { request, address }: Asked) => {
    const name = typeof limit === "function" ? limit(query) : limit;
    const count = 1 + chargeOf(request);
    return !budget.take(address, now(), count) || (name !== undefined && !limits[name].take(address, now()));
  };
  return async (request, address) => {
    const { pathname, search } = new URL(request.url);
    const route = routes.get(`${request.method} ${pathname}`);
    if (!route) return answerAbsentRoute(request.method, pathname) ?? noRoute();
    const { isNavigation, whenSpent = () => undefined, query: names = { names: [] } } = route;
    const refuse = (answer: Response, code: string, message: string) =>
      isNavigation ? flow.errorRedirect(code, message) : answer;
    const query = readQuery(search, names);
    if (isSpent(route, query, { request, address })) {
      return refuse(
        whenSpent(query) ?? rateLimited(),
        "over_request_rate_limit",
        "Request rate limit reached",
      );
    }
    if (!isNavigation && !(await keys.isPublishableKey(request.headers.get("apikey") ?? ""))) {
      return authError(401, "no_authorization", "No API key found in request, or it is not valid");
    }
    if (typeof query === "string") {
      return refuse(authError(400, "validation_failed", query), "validation_failed", query);
    }
    const answer = route.handle({ request, query, caller: callerOf(request, address) }).catch(refuseIfBusy);
    if (!isNavigation) return answer;
    return answer.catch((error: unknown) => {
      parts.onBackgroundError(error);
      return flow.errorRedirect("unexpected_failure", "");
    });
  };
}
