import { createHash, randomBytes } from "node:crypto";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import type { AuthorizationRequest } from "./authorization.ts";
import type { GoogleClient, GoogleFault, GooglePerson } from "./google-client.ts";

type Grant = { request: AuthorizationRequest; person: GooglePerson; fault: GoogleFault | undefined };
type TokenAnswer = { status: 200 | 400 | 401 | 503; body: Record<string, unknown> };

const CODE_MS = 60_000;
const TOKEN_SECONDS = 3_599;

/** Authorization codes and tokens. A code is valid once, for a minute, for the client that requested it. */
export async function createGrants(client: GoogleClient, issuer: string) {
  const codes = new Map<string, Grant & { expiresAt: number }>();
  const granted = new Map<string, Grant>();
  // A new signing key for each start.
  const own = await generateKeyPair("RS256");
  const kid = crypto.randomUUID();
  const published = { ...(await exportJWK(own.publicKey)), kid, use: "sig", alg: "RS256" };

  const issueCode = (grant: Grant): string => {
    const code = `4/${randomBytes(32).toString("base64url")}`;
    codes.set(code, { ...grant, expiresAt: Date.now() + (grant.fault === "expired-code" ? -1 : CODE_MS) });
    return code;
  };

  const exchange = async (form: URLSearchParams): Promise<TokenAnswer> => {
    const field = (name: string) => form.get(name) ?? "";
    if (field("client_id") !== client.clientId || field("client_secret") !== client.clientSecret) {
      return no("invalid_client", "The OAuth client is not known, or its secret is not right.", 401);
    }
    if (field("grant_type") !== "authorization_code") return no("unsupported_grant_type", "Not offered.");
    const code = codes.get(field("code"));
    // A code is used up by the first exchange, even if that fails.
    codes.delete(field("code"));
    if (!code || code.expiresAt < Date.now())
      return no("invalid_grant", "The code is unknown, used or expired.");
    if (code.fault === "token-down") return no("temporarily_unavailable", "Try again later.", 503);
    if (code.request.redirectUri !== field("redirect_uri")) {
      return no("redirect_uri_mismatch", "The code was given for another address.");
    }
    if (proofOf(field("code_verifier")) !== code.request.challenge) {
      return no("invalid_grant", "The code verifier does not match.");
    }
    return { status: 200, body: await tokensFor(code) };
  };

  const tokensFor = async (grant: Grant): Promise<Record<string, unknown>> => {
    // One that is not published.
    const { privateKey } = grant.fault === "bad-signature" ? await generateKeyPair("RS256") : own;
    const accessToken = `ya29.${randomBytes(32).toString("base64url")}`;
    granted.set(accessToken, grant);
    const { email, email_verified, ...others } = claimsOf(grant);
    // The standard lets a provider name the address at userinfo alone.
    const hasEmail = grant.fault !== "no-email" && grant.fault !== "email-at-userinfo";
    const idToken = new SignJWT({
      azp: client.clientId,
      ...others,
      ...(hasEmail ? { email, email_verified } : {}),
      at_hash: sha256(accessToken).subarray(0, 16).toString("base64url"),
      ...(grant.request.nonce === undefined ? {} : { nonce: grant.request.nonce }),
    })
      .setProtectedHeader({ alg: "RS256", kid, typ: "JWT" })
      .setIssuer(issuer)
      .setAudience(client.clientId)
      .setIssuedAt()
      .setExpirationTime(`${TOKEN_SECONDS} s`);
    return {
      access_token: accessToken,
      expires_in: TOKEN_SECONDS,
      scope: grant.request.scopes.join(" "),
      token_type: "Bearer",
      id_token: await idToken.sign(privateKey),
    };
  };

  /** The claims of the scopes, for an access token that was issued here. */
  const userinfo = (authorization: string): object | undefined => {
    const grant = granted.get(authorization.replace(/^Bearer /i, ""));
    if (!grant) return undefined;
    const { sub, email, email_verified, name } = claimsOf(grant);
    return grant.fault === "no-email" ? { sub, name } : { sub, name, email, email_verified };
  };

  return { issueCode, exchange, userinfo, keys: { keys: [published] } };
}

function claimsOf({ person, fault }: Grant) {
  const [givenName = "", ...rest] = person.name.split(" ");
  return {
    // An address can pass to another person, for example when a domain is sold: same address, another account.
    sub: fault === "other-account" ? `2${person.sub.slice(1)}` : person.sub,
    email: person.email,
    email_verified: fault === "unverified" ? false : person.isVerified,
    name: person.name,
    given_name: givenName,
    ...(rest.length > 0 ? { family_name: rest.join(" ") } : {}),
  };
}

function proofOf(verifier: string): string | undefined {
  return verifier === "" ? undefined : sha256(verifier).toString("base64url");
}

function no(error: string, error_description: string, status: 400 | 401 | 503 = 400): TokenAnswer {
  return { status, body: { error, error_description } };
}

function sha256(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
