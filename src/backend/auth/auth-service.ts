// The auth service: GoTrue's routes as supabase-js in our pages calls them, and nothing else. Each route names the query it
// knows, its limit and one handler; a request is read once (auth-request.ts) before its handler sees anything of it.
import type { Sql } from "postgres";
import { createAuthLimits } from "../limits/auth-limits.ts";
import { createRateLimiter } from "../limits/rate-limit.ts";
import { createSignUpLimit } from "../limits/sign-up-limit.ts";
import type { ServerKeys } from "../server-keys.ts";
import { type CheckAccessToken, createAccessTokenCheck } from "./access-token.ts";
import { createAccounts } from "./accounts.ts";
import { authError, rateLimited } from "./auth-error.ts";
import type { AuthEvent, RecordEvent } from "./auth-events.ts";
import { callerOf, readQuery } from "./auth-request.ts";
import { createRoutes, type RouteParts } from "./auth-routes.ts";
import { createSessionAnswers } from "./gotrue-shapes.ts";
import { createPasswordCheck } from "./passwords.ts";
import { createFlowStates } from "./providers/flow-states.ts";
import { createProviderFlow } from "./providers/provider-flow.ts";
import type { Provider } from "./providers/providers.ts";
import { createReauthentication, type Reauthentication } from "./reauthentication.ts";
import type { SendAuthMail } from "./recovery.ts";
import { createRedirects } from "./redirects.ts";
import { createSessions, type SessionLimits } from "./sessions.ts";

export type AuthServiceOptions = {
  /** Logs in with the rights of AUTH_GRANTS, and no more. */
  sql: Sql;
  keys: ServerKeys;
  siteUrl: string;
  redirectUrls: readonly string[];
  providers: readonly Provider[];
  sendMail: SendAuthMail;
  sessionLimits: SessionLimits;
  /** Accounts made from one address in 24 hours; 0 for any number. */
  signUpsPerAddressPerDay: number;
  /** Requests of one address a minute, for routes that have no limit of their own. */
  requestsPerAddress: number;
  /** Keeps what happens to accounts. */
  onEvent?: ((event: AuthEvent) => Promise<void>) | undefined;
  /** Something failed that no request waits for. */
  onBackgroundError: (error: unknown) => void;
  now: () => number;
};

export type AuthService = {
  fetch: (request: Request, address: string) => Promise<Response>;
  checkToken: CheckAccessToken;
  /** For the data API's `delete_my_account`. */
  proveForDeletion: Reauthentication["proveForDeletion"];
  /** Deletes what is over: sessions, and sign-ins that were never finished. */
  deleteExpired: () => Promise<void>;
  /** Settles when nothing runs in the background any more. */
  idle: () => Promise<void>;
};

export function createAuthService(options: AuthServiceOptions): AuthService {
  const { sql, keys, now } = options;
  const background = createBackground(options.onBackgroundError);
  const record: RecordEvent = (event) => {
    const { onEvent } = options;
    if (onEvent) background.run(() => onEvent(event));
  };
  const accounts = createAccounts({ sql, now });
  const sessions = createSessions({ sql, limits: options.sessionLimits, now });
  const flowStates = createFlowStates({ sql, now });
  const limits = createAuthLimits({ sql, secret: keys.hashSecret });
  const checkPassword = createPasswordCheck({ limits, record, now });
  const parts = {
    ...options,
    ...{ accounts, sessions, flowStates, limits, checkPassword, record },
    answers: createSessionAnswers({ keys, now }),
    redirects: createRedirects(options.siteUrl, options.redirectUrls),
    reauthentication: createReauthentication({ accounts, sessions, checkPassword, now }),
    signUps: createSignUpLimit({
      sql,
      perDay: options.signUpsPerAddressPerDay,
      secret: keys.hashSecret,
      now,
    }),
    inBackground: background.run,
    onProviderError: (provider: string, { message }: Error) =>
      options.onBackgroundError(new Error(`Sign-in with ${provider} failed: ${message}`)),
    checkToken: createAccessTokenCheck({ keys, hasSession: sessions.isAlive, now }),
  };
  return {
    fetch: createRouter({ ...parts, flow: createProviderFlow(parts) }),
    checkToken: parts.checkToken,
    proveForDeletion: parts.reauthentication.proveForDeletion,
    deleteExpired: async () => {
      await sessions.deleteExpired();
      await flowStates.deleteOld();
    },
    idle: background.idle,
  };
}

function createRouter(
  parts: RouteParts & Pick<AuthServiceOptions, "keys" | "requestsPerAddress">,
): AuthService["fetch"] {
  const { keys, limits, flow, now, requestsPerAddress } = parts;
  const routes = createRoutes(parts);
  const burst = Math.ceil(requestsPerAddress / 4);
  const budget = createRateLimiter({ perWindow: requestsPerAddress, windowMs: 60_000, burst });
  return async (request, address) => {
    const { pathname, search } = new URL(request.url);
    const route = routes.get(`${request.method} ${pathname}`);
    if (!route) return authError(404, "not_found", "This server has no such auth route");
    const { limit, isVisited, query: names = { names: [] } } = route;
    const refuse = (answer: Response, code: string, message: string) =>
      isVisited ? flow.turnAway(code, message) : answer;
    const isSpent =
      !budget.take(address, now()) || (limit !== undefined && !limits[limit].take(address, now()));
    if (isSpent) return refuse(rateLimited(), "over_request_rate_limit", "Request rate limit reached");
    if (!isVisited && !(await keys.isPublishableKey(request.headers.get("apikey") ?? ""))) {
      return authError(401, "no_authorization", "No API key found in request, or it is not valid");
    }
    const query = readQuery(search, names);
    if (typeof query === "string") {
      return refuse(authError(400, "validation_failed", query), "validation_failed", query);
    }
    return route.handle({ request, query, caller: callerOf(request, address) });
  };
}

/** Runs what nobody waits for, and tells when all of it is done. */
function createBackground(onError: (error: unknown) => void) {
  const running = new Set<Promise<void>>();
  return {
    run: (act: () => Promise<void>) => {
      const task = act()
        .catch(onError)
        .finally(() => running.delete(task));
      running.add(task);
    },
    idle: async () => void (await Promise.all(running)),
  };
}
