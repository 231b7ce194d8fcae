// The OpenID protocol with one provider: code flow with PKCE, nonce and state.
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type ClientAuth,
  ClientSecretPost,
  Configuration,
  customFetch,
  discovery,
  fetchUserInfo,
  type ServerMetadata,
} from "openid-client";
import { createIdTokenCheck } from "./id-token.ts";
import { ProviderError, withProviderErrors } from "./provider-error.ts";
import type { Claims, Provider, ProviderAccount } from "./providers.ts";

/** The values of one sign-in; all are derived from the browser's secret or generated for it. */
export type FlowParameters = { state: string; nonce: string };

/** Both throw ProviderError. */
export type ProviderClient = {
  authorizationUrl: (flow: FlowParameters & { codeChallenge: string }) => Promise<URL>;
  /** Exchanges the code for the account. */
  exchange: (
    flow: FlowParameters & { codeVerifier: string },
    answer: { code: string; iss: string | undefined },
  ) => Promise<ProviderAccount>;
};

const ANSWER_WITHIN_SECONDS = 10;
const DISCOVER_AGAIN_AFTER_MS = 24 * 3_600_000;

export function createProviderClient(
  provider: Provider,
  { redirectUri, now }: { redirectUri: string; now: () => number },
): ProviderClient {
  const discover = createDiscovery(provider, now);
  return {
    authorizationUrl: ({ state, nonce, codeChallenge }) =>
      withProviderErrors(async () => {
        const { server } = await discover();
        return buildAuthorizationUrl(configurationOf(provider, server), {
          redirect_uri: redirectUri,
          scope: provider.scope,
          state,
          nonce,
          code_challenge: codeChallenge,
          code_challenge_method: "S256",
        });
      }),
    exchange: ({ state, nonce, codeVerifier }, { code, iss }) =>
      withProviderErrors(async () => {
        const { server, checkIdToken } = await discover();
        const answer = new URL(redirectUri);
        answer.search = new URLSearchParams({ code, state, ...(iss && { iss }) }).toString();
        const checks = { expectedState: state, pkceCodeVerifier: codeVerifier };
        const tokens = await requestTokens(provider, server, { answer, checks });
        const claims = await checkIdToken(tokens.idToken, nonce);
        const more = await claimsAtUserinfo(provider, server, { claims, accessToken: tokens.accessToken });
        return provider.accountOf({ ...more, ...claims }, tokens.scope.split(" "));
      }),
  };
}

type CodeGrant = { answer: URL; checks: { expectedState: string; pkceCodeVerifier: string } };

async function requestTokens(provider: Provider, server: ServerMetadata, { answer, checks }: CodeGrant) {
  const configuration = configurationOf(provider, server);
  let idToken: unknown;
  // The ID token is taken out of the answer, because id-token.ts verifies it instead of openid-client.
  configuration[customFetch] = async (url, options) => {
    const response = await fetch(url, options as RequestInit);
    if (!response.ok) return response;
    const { id_token, ...rest } = (await response.json()) as Record<string, unknown>;
    idToken = id_token;
    return Response.json(rest);
  };
  const { scope, access_token: accessToken } = await authorizationCodeGrant(configuration, answer, checks);
  if (typeof idToken !== "string") throw new ProviderError("no ID token");
  // RFC 6749, section 5.1: an omitted scope is the requested one.
  return { idToken, accessToken, scope: scope ?? provider.scope };
}

/** OpenID Connect Core, section 5.4: beside an access token, the claims of the scopes may be at userinfo alone. */
async function claimsAtUserinfo(
  provider: Provider,
  server: ServerMetadata,
  { claims, accessToken }: { readonly claims: Claims; readonly accessToken: string },
): Promise<Claims> {
  const isAsked = provider.scope.split(" ").includes("email") && claims.email === undefined;
  if (!isAsked || server.userinfo_endpoint === undefined) return {};
  return fetchUserInfo(configurationOf(provider, server), accessToken, String(claims.sub));
}

function configurationOf(provider: Provider, server: ServerMetadata): Configuration {
  const configuration = new Configuration(server, provider.clientId, {}, authenticationOf(provider, server));
  configuration.timeout = ANSWER_WITHIN_SECONDS;
  if (isPlainLoopback(provider.issuer)) allowInsecureRequests(configuration);
  return configuration;
}

/** OpenID's default is Basic, which is also what Telegram's documentation shows. */
export function authenticationOf(
  { clientId, clientSecret }: Pick<Provider, "clientId" | "clientSecret">,
  server: Pick<ServerMetadata, "token_endpoint_auth_methods_supported">,
): ClientAuth {
  const isPosted = server.token_endpoint_auth_methods_supported?.includes("client_secret_post");
  if (isPosted) return ClientSecretPost(clientSecret);
  // Not openid-client's ClientSecretBasic, which writes a hyphen as %2D: a server that does not decode refuses it.
  const credentials = Buffer.from(`${clientId}:${clientSecret}`).toString("base64");
  return (_server, _client, _body, headers) => headers.set("authorization", `Basic ${credentials}`);
}

type Discovered = {
  server: ServerMetadata;
  checkIdToken: ReturnType<typeof createIdTokenCheck>;
};

/** The provider's endpoints and keys, fetched when first needed; the endpoints again after a day. */
function createDiscovery(provider: Provider, now: () => number) {
  let found: { discovered: Promise<Discovered>; atMs: number } | undefined;
  return (): Promise<Discovered> => {
    if (found && now() - found.atMs < DISCOVER_AGAIN_AFTER_MS) return found.discovered;
    const discovered = discover(provider).catch((error: unknown) => {
      found = undefined;
      throw error;
    });
    found = { discovered, atMs: now() };
    return discovered;
  };
}

async function discover(provider: Provider): Promise<Discovered> {
  const { issuer } = provider;
  const isPlain = isPlainLoopback(issuer);
  const configuration = await discovery(new URL(issuer), provider.clientId, undefined, undefined, {
    timeout: ANSWER_WITHIN_SECONDS,
    execute: isPlain ? [allowInsecureRequests] : [],
  });
  const server = configuration.serverMetadata();
  const keysUrl = URL.parse(server.jwks_uri ?? "");
  if (!keysUrl || (keysUrl.protocol !== "https:" && !isPlain)) throw new ProviderError("no safe URL of keys");
  return { server, checkIdToken: createIdTokenCheck(server, keysUrl, provider) };
}

/** A simulator on this machine. Any other issuer must use https. */
function isPlainLoopback(issuer: string): boolean {
  const { protocol, hostname } = new URL(issuer);
  return protocol === "http:" && /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}
