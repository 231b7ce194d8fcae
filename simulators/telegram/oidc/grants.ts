import { createHash, randomBytes } from "node:crypto";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import type { TelegramClock } from "../clock.ts";
import type { Person } from "../model.ts";
import type { AuthorizationRequest, LoginClient } from "./authorization.ts";
import { nameOf } from "./consent-page.ts";

/** What is different at the next sign-in. It happens once. Telegram's code flow was seen to return no nonce (2026-08-25). */
export const LOGIN_FAULTS = [
  "refused",
  "expired-code",
  "token-down",
  "bad-signature",
  "other-bot",
  "with-nonce",
  "foreign-nonce",
] as const;
export type LoginFault = (typeof LOGIN_FAULTS)[number];

interface Grant {
  readonly request: AuthorizationRequest;
  readonly person: Person;
  /** What the person agreed to. */
  readonly scopes: readonly string[];
  readonly fault: LoginFault | undefined;
}

interface TokenAnswer {
  readonly status: 200 | 400 | 401 | 503;
  readonly body: Record<string, unknown>;
}

const CODE_MS = 60_000;
const TOKEN_SECONDS = 3_600;

interface GrantsOptions {
  readonly client: LoginClient;
  readonly issuer: string;
  readonly clock: TelegramClock;
}

/** Codes and tokens. A code is valid once, for a minute, for the client and the redirect address that requested it. */
export async function createGrants({ client, issuer, clock }: GrantsOptions) {
  const codes = new Map<string, Grant & { expiresAt: number }>();
  let own = await createKey();

  const issueCode = (grant: Grant): string => {
    const code = randomBytes(32).toString("base64url");
    const lasts = grant.fault === "expired-code" ? -1 : CODE_MS;
    codes.set(code, { ...grant, expiresAt: clock.now() + lasts });
    return code;
  };

  const exchange = async (form: URLSearchParams, authorization: string): Promise<TokenAnswer> => {
    const field = (name: string) => form.get(name) ?? "";
    if (!isClient(client, form, authorization)) {
      return refusal("invalid_client", "The bot is not known, or its secret is not right.", 401);
    }
    if (field("grant_type") !== "authorization_code")
      return refusal("unsupported_grant_type", "Not offered.");
    const grant = codes.get(field("code"));
    // A code is used up by the first exchange, even if that fails.
    codes.delete(field("code"));
    if (!grant || grant.expiresAt < clock.now())
      return refusal("invalid_grant", "The code is unknown, used or expired.");
    if (grant.fault === "token-down") return refusal("temporarily_unavailable", "Try again later.", 503);
    if (grant.request.redirectUri !== field("redirect_uri")) {
      return refusal("invalid_grant", "The code was given for another address.");
    }
    if (sha256(field("code_verifier")) !== grant.request.challenge) {
      return refusal("invalid_grant", "The code verifier does not match.");
    }
    return { status: 200, body: await tokensFor(grant) };
  };

  const tokensFor = async ({ request, person, scopes, fault }: Grant) => {
    const { kid, pair } = fault === "bad-signature" ? { ...(await createKey()), kid: own.kid } : own;
    const seconds = Math.floor(clock.now() / 1000);
    const idToken = new SignJWT({
      id: person.id,
      ...(scopes.includes("profile") ? { name: nameOf(person) } : {}),
      ...(fault === "with-nonce" ? { nonce: request.nonce } : {}),
      ...(fault === "foreign-nonce" ? { nonce: `not ${request.nonce}` } : {}),
    })
      .setProtectedHeader({ alg: "RS256", kid, typ: "JWT" })
      .setIssuer(issuer)
      .setSubject(subjectOf(person))
      .setAudience(fault === "other-bot" ? "7999999999" : client.clientId)
      .setIssuedAt(seconds)
      .setExpirationTime(seconds + TOKEN_SECONDS);
    return {
      access_token: randomBytes(32).toString("base64url"),
      token_type: "Bearer",
      expires_in: TOKEN_SECONDS,
      scope: scopes.join(" "),
      id_token: await idToken.sign(pair.privateKey),
    };
  };

  return {
    issueCode,
    exchange,
    keys: () => ({ keys: [own.published] }),
    /** Replaces the signing key, as Telegram may at any time. */
    rotateKeys: async () => {
      own = await createKey();
    },
  };
}

async function createKey() {
  const pair = await generateKeyPair("RS256");
  const kid = crypto.randomUUID();
  return { pair, kid, published: { ...(await exportJWK(pair.publicKey)), kid, use: "sig", alg: "RS256" } };
}

/** The documentation shows HTTP Basic; client_id may be in the form as well. */
function isClient({ clientId, clientSecret }: LoginClient, form: URLSearchParams, given: string): boolean {
  const expected = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString("base64")}`;
  return given === expected && (form.get("client_id") ?? clientId) === clientId;
}

/** Not the Bot API's id, which is the claim `id`. The same for a person each time. */
function subjectOf({ id }: Person): string {
  const hash = createHash("sha256").update(`subject ${id}`).digest();
  return String(hash.readBigUInt64BE(0) | (1n << 63n));
}

function refusal(error: string, error_description: string, status: 400 | 401 | 503 = 400): TokenAnswer {
  return { status, body: { error, error_description } };
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}
