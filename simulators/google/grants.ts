import { createHash, randomBytes } from "node:crypto";
import type { AuthorizationRequest } from "./authorization.ts";
import { type GoogleClient, type GoogleFault, ISSUER } from "./google-client.ts";
import type { GooglePerson } from "./people.ts";
import type { Signer } from "./signer.ts";

type Code = {
  request: AuthorizationRequest;
  person: GooglePerson;
  fault: GoogleFault | undefined;
  expiresAt: number;
};

type TokenAnswer = { status: 200 | 400 | 401 | 503; body: Record<string, unknown> };

const CODE_MS = 60_000;
const TOKEN_SECONDS = 3_599;

const no = (error: string, description: string, status: 400 | 401 | 503 = 400): TokenAnswer => ({
  status,
  body: { error, error_description: description },
});

/** Codes and what they are exchanged for. A code is good once, for a minute, for the client it was made for. */
export function createGrants({ client, signer }: { client: GoogleClient; signer: Signer }) {
  const codes = new Map<string, Code>();
  const tokens = new Map<string, { person: GooglePerson; fault: GoogleFault | undefined }>();

  const issueCode = (grant: Omit<Code, "expiresAt">): string => {
    const code = `4/${randomBytes(32).toString("base64url")}`;
    const lifeMs = grant.fault === "expired-code" ? -1 : CODE_MS;
    codes.set(code, { ...grant, expiresAt: Date.now() + lifeMs });
    return code;
  };

  const exchange = async (asked: {
    form: FormData;
    contentType: string | undefined;
  }): Promise<TokenAnswer> => {
    if (!asked.contentType?.startsWith("application/x-www-form-urlencoded")) {
      return no("invalid_request", "The body must be a form.");
    }
    const field = (name: string) => String(asked.form.get(name) ?? "");
    if (field("client_id") !== client.clientId || field("client_secret") !== client.clientSecret) {
      return no("invalid_client", "The OAuth client is not known, or its secret is not right.", 401);
    }
    if (field("grant_type") !== "authorization_code") return no("unsupported_grant_type", "Not offered.");
    const code = codes.get(field("code"));
    // Whatever comes of it, a code that was shown is spent.
    codes.delete(field("code"));
    if (!code || code.expiresAt < Date.now())
      return no("invalid_grant", "The code is unknown, used or expired.");
    return complaintAbout(code, field) ?? { status: 200, body: await tokensFor(code) };
  };

  const tokensFor = async (code: Code): Promise<Record<string, unknown>> => {
    const accessToken = `ya29.${randomBytes(32).toString("base64url")}`;
    tokens.set(accessToken, code);
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      iss: ISSUER,
      azp: client.clientId,
      aud: client.clientId,
      ...openidClaims(code),
      at_hash: createHash("sha256").update(accessToken).digest().subarray(0, 16).toString("base64url"),
      ...(code.request.nonce === undefined ? {} : { nonce: code.request.nonce }),
      iat: now,
      exp: now + TOKEN_SECONDS,
    };
    return {
      access_token: accessToken,
      expires_in: TOKEN_SECONDS,
      scope: code.request.scopes.join(" "),
      token_type: "Bearer",
      id_token: await signer.sign(claims, code.fault === "bad-signature"),
    };
  };

  const userinfo = (authorization: string | undefined) => {
    const grant = tokens.get(/^Bearer (\S+)$/.exec(authorization ?? "")?.[1] ?? "");
    if (!grant) return undefined;
    const { sub, email, email_verified, name } = openidClaims(grant);
    return { id: sub, sub, email, verified_email: email_verified, email_verified, name };
  };

  return { issueCode, exchange, userinfo, keys: signer.keys };
}

function complaintAbout({ request, fault }: Code, field: (name: string) => string): TokenAnswer | undefined {
  if (fault === "token-down") return no("temporarily_unavailable", "Try again later.", 503);
  if (request.redirectUri !== field("redirect_uri")) {
    return no("redirect_uri_mismatch", "The code was given for another address.");
  }
  if (isProven(request.challenge, field("code_verifier"))) return undefined;
  return no("invalid_grant", "The code verifier does not match.");
}

function openidClaims({ person, fault }: Pick<Code, "person" | "fault">) {
  const [givenName = "", ...rest] = person.name.split(" ");
  return {
    // An address can pass to someone else, as when a company's domain is sold: same address, another account.
    sub: fault === "other-account" ? `2${person.sub.slice(1)}` : person.sub,
    email: person.email,
    email_verified: fault === "unverified" ? false : person.isVerified,
    name: person.name,
    given_name: givenName,
    ...(rest.length > 0 ? { family_name: rest.join(" ") } : {}),
  };
}

function isProven(challenge: AuthorizationRequest["challenge"], verifier: string): boolean {
  if (!challenge) return verifier === "";
  if (challenge.method === "plain") return challenge.value === verifier;
  return createHash("sha256").update(verifier).digest("base64url") === challenge.value;
}
