import { randomUUID } from "node:crypto";
import type { Clock } from "../market/clock.ts";

const LIFETIME_S = 43_199;

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

export interface Credentials {
  readonly key: string;
  readonly secret: string;
}

/** OAuth2 client credentials as documented; tokens live some twelve hours. */
export class Tokens {
  #credentials: Credentials;
  #clock: Clock;
  #expiries = new Map<string, number>();

  constructor(credentials: Credentials, clock: Clock) {
    this.#credentials = credentials;
    this.#clock = clock;
  }

  get key(): string {
    return this.#credentials.key;
  }

  grant(authorization: string | undefined, form: ReadonlyMap<string, string>): Answer {
    const encoded = /^Basic (.+)$/.exec(authorization ?? "")?.[1];
    if (encoded === undefined) {
      return unauthorized("unauthorized", "Full authentication is required to access this resource");
    }
    if (!this.#isKnown(Buffer.from(encoded, "base64").toString("utf8"))) {
      return unauthorized("unauthorized", "Bad credentials");
    }
    if (!form.has("grant_type")) {
      return badRequest("invalid_request", "Missing grant type");
    }
    if (form.get("grant_type") !== "client_credentials") {
      return badRequest("unsupported_grant_type", `Unsupported grant type: ${form.get("grant_type")}`);
    }
    return this.#issue(form.get("scope") ?? "read");
  }

  isValid(authorization: string | undefined): boolean {
    const token = /^bearer (.+)$/i.exec(authorization ?? "")?.[1];
    const expiresAt = token === undefined ? undefined : this.#expiries.get(token);
    return expiresAt !== undefined && expiresAt > this.#clock.now();
  }

  /** What a search without a valid token gets. */
  refusal(): Answer {
    return unauthorized("invalid_token", "Invalid or expired access token");
  }

  revokeAll(): void {
    this.#expiries.clear();
  }

  #isKnown(pair: string): boolean {
    const { key, secret } = this.#credentials;
    return pair === `${encodeURIComponent(key)}:${encodeURIComponent(secret)}`;
  }

  #issue(scope: string): Answer {
    const jti = randomUUID();
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const token = `${part({ alg: "RS256", typ: "JWT" })}.${part({ scope: [scope], jti })}.${part(jti)}`;
    this.#expiries.set(token, this.#clock.now() + LIFETIME_S * 1000);
    return {
      status: 200,
      body: { access_token: token, token_type: "bearer", expires_in: LIFETIME_S, scope, jti },
    };
  }
}

function unauthorized(error: string, error_description: string): Answer {
  return { status: 401, body: { error, error_description } };
}

function badRequest(error: string, error_description: string): Answer {
  return { status: 400, body: { error, error_description } };
}
