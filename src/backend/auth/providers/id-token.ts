// Verifies ID tokens. openid-client does not do it, because it refuses an `aud` or a `sub` that is a number, which was seen
// from Telegram, and accepts tokens that are issued in the future.
import { createRemoteJWKSet, jwtVerify } from "jose";
import type { ServerMetadata } from "openid-client";
import { ProviderError } from "./provider-error.ts";
import type { Claims, Provider } from "./providers.ts";

const CLOCK_TOLERANCE_SECONDS = 30;
const OLDEST_SECONDS = 24 * 3_600;
const REQUIRED_CLAIMS = ["iss", "sub", "aud", "exp", "iat"];

// With HS256 anyone who knows the client secret could sign; `none` is not signed at all.
const BY_PUBLIC_KEY = /^(?:(?:RS|PS|ES)(?:256|384|512)|EdDSA|Ed25519)$/;

export function createIdTokenCheck(
  server: ServerMetadata,
  keysUrl: URL,
  { clientId, mustReturnNonce }: Pick<Provider, "clientId" | "mustReturnNonce">,
) {
  // Without a cooldown: a token with an unknown key id means that the keys were rotated, and comes from the provider itself.
  const keys = createRemoteJWKSet(keysUrl, { cooldownDuration: 0 });
  const listed = server.id_token_signing_alg_values_supported ?? ["RS256"];
  const algorithms = listed.filter((name) => BY_PUBLIC_KEY.test(name));
  return async (idToken: string, nonce: string): Promise<Claims> => {
    const { payload } = await jwtVerify(idToken, keys, {
      algorithms,
      issuer: server.issuer,
      requiredClaims: mustReturnNonce ? [...REQUIRED_CLAIMS, "nonce"] : REQUIRED_CLAIMS,
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      maxTokenAge: OLDEST_SECONDS,
    });
    if ("nonce" in payload && payload.nonce !== nonce) throw new ProviderError("another nonce");
    if (!isFor(clientId, payload.aud)) throw new ProviderError("another audience");
    return payload;
  };
}

/** The client must be the only audience, spelled as text or as a number. */
function isFor(clientId: string, audience: unknown): boolean {
  const [only, ...others] = Array.isArray(audience) ? audience : [audience];
  return others.length === 0 && ["string", "number"].includes(typeof only) && String(only) === clientId;
}
