// The auth routes: each with its query parameters, body, rate limit and handler.
import type { z } from "zod";
import { ABSENT_GRANTS, refuseCode, refuseOtherSignUp, refusePhone } from "./absent-features.ts";
import { type Bearer, tokenIn } from "./access-token.ts";
import { createAddressProofs } from "./address-proofs.ts";
import * as bodies from "./auth-bodies.ts";
import { authError, authRefusal, rateLimited, refreshLater } from "./auth-error.ts";
import type { AuthParts } from "./auth-parts.ts";
import { type Caller, type QueryNames, type QueryValues, type RefuseBody, readBody } from "./auth-request.ts";
import type { AuthLimits } from "./limits/auth-limits.ts";
import { createLaunchAnswers } from "./mini-app/open-by-launch.ts";
import { createOwnAccount } from "./own-account.ts";
import { AUTHORIZE_NAMES, CALLBACK_NAMES, type ProviderFlow } from "./providers/provider-flow.ts";
import type { Provider } from "./providers/providers.ts";
import { createRecovery } from "./recovery.ts";
import { createSignIn } from "./sign-in.ts";

type AuthCall = { request: Request; query: QueryValues; caller: Caller };

type Handler = (call: AuthCall) => Promise<Response>;

type LimitOfRoute = keyof Pick<AuthLimits, "mailing" | "tokens" | "verifying">;

export type Route = {
  query?: QueryNames;
  limit?: LimitOfRoute | ((query: QueryValues | string) => LimitOfRoute | undefined);
  /** The answer beyond a limit, if it is not 429. */
  whenSpent?: (query: QueryValues | string) => Response | undefined;
  /** Opened by browser navigation, so it has no API key, and errors must be shown as a page. */
  isNavigation?: true;
  handle: Handler;
};

const REDIRECT_TO = { names: ["redirect_to"] };

/** By method and path. */
export function createAuthRoutes(parts: AuthParts, flow: ProviderFlow): ReadonlyMap<string, Route> {
  return new Map(
    Object.entries({
      ...accountRoutes(parts),
      "POST /auth/v1/token": tokenRoute(parts),
      ...personRoutes(parts, flow),
      ...navigationRoutes(flow),
      "GET /auth/v1/health": { handle: async () => Response.json(HEALTH) },
      "GET /auth/v1/settings": { handle: async () => Response.json(settingsOf(parts.providers)) },
      // Access tokens are signed with a secret: there is no public key, so supabase-js asks the server.
      "GET /auth/v1/.well-known/jwks.json": { handle: async () => Response.json({ keys: [] }) },
    }),
  );
}

function accountRoutes(parts: AuthParts): Record<string, Route> {
  const { signUp } = createSignIn(parts);
  const recovery = createRecovery(parts);
  const addressProofs = createAddressProofs(parts);
  return {
    "POST /auth/v1/signup": {
      query: REDIRECT_TO,
      limit: "mailing",
      handle: withBody(
        bodies.signUpBody,
        async (body, { caller, query }) => {
          const answer = await signUp(body, caller);
          if (answer.ok)
            addressProofs.mailAtSignUp(body.email, parts.redirects.find(query.get("redirect_to")));
          return answer;
        },
        refuseOtherSignUp,
      ),
    },
    "POST /auth/v1/resend": {
      query: REDIRECT_TO,
      limit: "mailing",
      handle: withBody(bodies.resendBody, (body, { query }) =>
        addressProofs.resend(body, parts.redirects.find(query.get("redirect_to"))),
      ),
    },
    "POST /auth/v1/recover": {
      query: REDIRECT_TO,
      limit: "mailing",
      handle: withBody(bodies.recoverBody, (body, { query }) =>
        recovery.recover(body, parts.redirects.find(query.get("redirect_to"))),
      ),
    },
    // POST only: mail scanners open every link, which would use it up.
    "POST /auth/v1/verify": {
      query: REDIRECT_TO,
      limit: "verifying",
      handle: withBody(
        bodies.verifyBody,
        ({ type, token_hash: token }, { caller }) =>
          type === "recovery"
            ? recovery.verify(token, caller)
            : addressProofs.verify(type === "email" ? "signup" : type, token),
        refuseCode,
      ),
    },
  };
}

const isRefresh = (query: QueryValues | string) =>
  typeof query !== "string" && query.get("grant_type") === "refresh_token";

function tokenRoute(parts: AuthParts): Route {
  const grants = createSignIn(parts);
  const openByLaunch = createLaunchAnswers(parts);
  const { limits, sessions, now } = parts;
  // Only guesses are limited by address: neighbours share one, and supabase-js signs a person out whose refresh is refused.
  const refresh = async (body: z.infer<typeof bodies.refreshBody>, { caller }: AuthCall) => {
    const mayGuess = limits.tokens.take(caller.address, now());
    return mayGuess || (await sessions.isKnown(body.refresh_token))
      ? grants.refresh(body, caller)
      : rateLimited();
  };
  const handlers = new Map<string | undefined, Handler>([
    ["password", withBody(bodies.signInBody, (body, { caller }) => grants.signIn(body, caller), refusePhone)],
    ["refresh_token", withBody(bodies.refreshBody, refresh)],
    ["telegram_mini_app", withBody(bodies.launchBody, (body, { caller }) => openByLaunch(body, caller))],
    ["pkce", withBody(bodies.exchangeBody, (body, { caller }) => grants.exchange(body, caller))],
    ...ABSENT_GRANTS,
  ]);
  const unknown: Handler = async () => authError(400, "validation_failed", "unsupported_grant_type");
  return {
    query: { names: ["grant_type"] },
    limit: (query) => (isRefresh(query) ? undefined : "tokens"),
    whenSpent: (query) => (isRefresh(query) ? refreshLater() : undefined),
    handle: (call) => (handlers.get(call.query.get("grant_type")) ?? unknown)(call),
  };
}

function personRoutes(parts: AuthParts, flow: ProviderFlow): Record<string, Route> {
  const account = createOwnAccount(parts);
  const forPerson =
    (act: (bearer: Bearer, call: AuthCall) => Promise<Response>): Handler =>
    async (call) => {
      const token = tokenIn(call.request.headers);
      if (token === undefined) {
        return authError(401, "no_authorization", "This endpoint requires a valid Bearer token");
      }
      const answer = await parts.checkToken(token);
      return answer.ok ? act(answer.bearer, call) : authRefusal(answer.reason);
    };
  return {
    "GET /auth/v1/user": { handle: forPerson((bearer, { caller }) => account.read({ bearer, caller })) },
    "PUT /auth/v1/user": {
      query: REDIRECT_TO,
      limit: "mailing",
      handle: forPerson((bearer, call) =>
        withBody(bodies.updateBody, (body, { caller, query }) =>
          account.change(body, {
            bearer,
            caller,
            redirectTo: parts.redirects.find(query.get("redirect_to")),
          }),
        )(call),
      ),
    },
    "GET /auth/v1/user/identities/authorize": {
      query: { names: AUTHORIZE_NAMES, ignoresOthers: true },
      limit: "verifying",
      handle: forPerson((bearer, { query, request }) =>
        flow.authorizeLink(query, request.headers.get("cookie"), bearer),
      ),
    },
    "POST /auth/v1/logout": {
      query: { names: ["scope"] },
      handle: forPerson((bearer, { query, caller }) =>
        account.signOut(query.get("scope") ?? "global", { bearer, caller }),
      ),
    },
  };
}

function navigationRoutes(flow: ProviderFlow): Record<string, Route> {
  return {
    "GET /auth/v1/authorize": {
      // Pages may pass on `scopes` and what the provider takes; GoTrue does, we ignore them.
      query: { names: AUTHORIZE_NAMES, ignoresOthers: true },
      limit: "verifying",
      isNavigation: true,
      handle: ({ query, request }) => flow.authorize(query, request.headers.get("cookie")),
    },
    "GET /auth/v1/callback": {
      query: { names: CALLBACK_NAMES, ignoresOthers: true },
      limit: "verifying",
      isNavigation: true,
      handle: ({ query, request, caller }) => flow.callback(query, request.headers.get("cookie"), caller),
    },
    // The address of GoTrue's mailed links. Ours lead to pages, which send the token by POST.
    "GET /auth/v1/verify": {
      query: { names: [], ignoresOthers: true },
      limit: "verifying",
      isNavigation: true,
      handle: async () => flow.errorRedirect("otp_expired", "Email link is invalid or has expired"),
    },
  };
}

const HEALTH = { version: "sereno", name: "GoTrue", description: "GoTrue's protocol, served by Sereno" };

const settingsOf = (providers: readonly Provider[]) => ({
  external: { email: true, phone: false, ...Object.fromEntries(providers.map(({ name }) => [name, true])) },
  disable_signup: false,
  mailer_autoconfirm: true,
  phone_autoconfirm: false,
  sms_provider: "",
  saml_enabled: false,
});

function withBody<Body>(
  schema: z.ZodType<Body>,
  act: (body: Body, call: AuthCall) => Promise<Response>,
  refuse?: RefuseBody,
): Handler {
  return async (call) => {
    const body = await readBody(call.request, schema, refuse);
    return body instanceof Response ? body : act(body, call);
  };
}
