// OpenID providers. A provider is a plain value; the protocol code is the same for all.
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  ClientError,
  type Configuration,
  discovery,
  enableNonRepudiationChecks,
  type IDToken,
} from "openid-client";
import { type Metadata, normaliseEmail } from "../auth-bodies.ts";

export type Provider = {
  name: string;
  /** URL of its discovery document; plain http is only allowed for a provider on this machine. */
  issuer: string;
  clientId: string;
  clientSecret: string;
  scope: string;
  accountOf: (claims: IDToken) => ProviderAccount;
};

export type ProviderAccount = {
  subject: string;
  /** Normalised; empty if the provider gave none. */
  email: string;
  isEmailVerified: boolean;
  metadata: Metadata;
};

export function googleProvider(settings: { clientId: string; clientSecret: string; url?: string }): Provider {
  const { clientId, clientSecret, url = "https://accounts.google.com" } = settings;
  const accountOf = (claims: IDToken): ProviderAccount => {
    // The value may be cut or malformed, and PostgreSQL must be able to store it.
    const text = (name: string, length: number) => {
      const value = claims[name];
      return typeof value === "string" ? value.slice(0, length).replaceAll("\0", "").toWellFormed() : "";
    };
    const email = normaliseEmail(text("email", 254));
    const isEmailVerified = claims.email_verified === true && email !== "";
    const [name, picture] = [text("name", 200), text("picture", 500)];
    return {
      subject: claims.sub,
      email,
      isEmailVerified,
      metadata: {
        ...{
          iss: claims.iss,
          sub: claims.sub,
          provider_id: claims.sub,
          email,
          email_verified: isEmailVerified,
        },
        ...(name && { name, full_name: name }),
        ...(picture && { picture, avatar_url: picture }),
      },
    };
  };
  return { name: "google", issuer: url, clientId, clientSecret, scope: "email profile openid", accountOf };
}

/** The values of one sign-in; all are derived from the browser's secret or generated for it. */
export type FlowParameters = { state: string; nonce: string };

export type ProviderClient = {
  authorizationUrl: (flow: FlowParameters & { codeChallenge: string }) => Promise<URL>;
  /** Exchanges the code for the account; throws ProviderError if the provider is unreachable or its answer invalid. */
  exchange: (
    flow: FlowParameters & { codeVerifier: string },
    answer: { code: string; iss: string | undefined },
  ) => Promise<ProviderAccount>;
};

/** The original error is not kept as the cause, because it may contain tokens. */
export class ProviderError extends Error {
  override name = "ProviderError";
}

const ANSWER_WITHIN_SECONDS = 10;
const DISCOVER_AGAIN_AFTER_MS = 24 * 3_600_000;

export function createProviderClient(
  provider: Provider,
  { redirectUri, now }: { redirectUri: string; now: () => number },
): ProviderClient {
  const configure = createDiscovery(provider, now);
  return {
    authorizationUrl: async ({ state, nonce, codeChallenge }) =>
      buildAuthorizationUrl(await configure(), {
        redirect_uri: redirectUri,
        scope: provider.scope,
        state,
        nonce,
        code_challenge: codeChallenge,
        code_challenge_method: "S256",
      }),
    exchange: async ({ state, nonce, codeVerifier }, { code, iss }) => {
      const configuration = await configure();
      const answer = new URL(redirectUri);
      answer.search = new URLSearchParams({ code, state, ...(iss && { iss }) }).toString();
      const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: codeVerifier };
      const tokens = await authorizationCodeGrant(configuration, answer, checks).catch(inOneWord);
      const claims = tokens.claims();
      if (!claims) throw new ProviderError("no ID token");
      return provider.accountOf(claims);
    },
  };
}

/** The provider's endpoints, fetched when first needed and again after a day. */
function createDiscovery({ issuer, clientId, clientSecret }: Provider, now: () => number) {
  let found: { configuration: Promise<Configuration>; atMs: number } | undefined;
  return (): Promise<Configuration> => {
    if (found && now() - found.atMs < DISCOVER_AGAIN_AFTER_MS) return found.configuration;
    const isPlain = new URL(issuer).protocol === "http:";
    const configuration = discovery(new URL(issuer), clientId, clientSecret, undefined, {
      timeout: ANSWER_WITHIN_SECONDS,
      execute: [enableNonRepudiationChecks, ...(isPlain ? [allowInsecureRequests] : [])],
    }).catch((error: unknown) => {
      found = undefined;
      return inOneWord(error);
    });
    found = { configuration, atMs: now() };
    return configuration;
  };
}

function inOneWord(error: unknown): never {
  const code =
    error instanceof ClientError || error instanceof Error ? (error as { code?: unknown }).code : "";
  throw new ProviderError(typeof code === "string" && code !== "" ? code : "unreachable");
}
