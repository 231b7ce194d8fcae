import { randomUUID } from "node:crypto";
import { type Answer, unauthorized } from "./answer.ts";
import type { Api, FaultName } from "./faults.ts";
import type { Clock } from "./market/clock.ts";

export interface Credentials {
  readonly key: string;
  readonly secret: string;
}

interface LimitSettings {
  /** 0 switches the rate limit off. */
  requestsPerSecond: number;
  /** null switches the quota off. */
  monthlyRequests: number | null;
}

interface LedgerEntry {
  readonly api: Api;
  readonly parameters: Readonly<Record<string, string>>;
  readonly status: number | "none";
  readonly faults: readonly FaultName[];
}

const TOKEN_LIFETIME_S = 43_199;
const LEDGER_LIMIT = 10_000;

/** OAuth2 client credentials as documented. Tokens are valid for about twelve hours. */
export class Tokens {
  #credentials: Credentials;
  #clock: Clock;
  #expiries = new Map<string, number>();

  constructor(credentials: Credentials, clock: Clock) {
    this.#credentials = credentials;
    this.#clock = clock;
  }

  grant(authorization: string | undefined, form: ReadonlyMap<string, string>): Answer {
    const encoded = /^Basic (.+)$/.exec(authorization ?? "")?.[1];
    if (encoded === undefined) {
      return refusal(401, "unauthorized", "Full authentication is required to access this resource");
    }
    const { key, secret } = this.#credentials;
    const pair = `${encodeURIComponent(key)}:${encodeURIComponent(secret)}`;
    if (Buffer.from(encoded, "base64").toString("utf8") !== pair) {
      return unauthorized("token");
    }
    const type = form.get("grant_type");
    if (type === undefined) {
      return refusal(400, "invalid_request", "Missing grant type");
    }
    return type === "client_credentials"
      ? this.#issue(form.get("scope") ?? "read")
      : refusal(400, "unsupported_grant_type", `Unsupported grant type: ${type}`);
  }

  isValid(authorization: string | undefined): boolean {
    const token = /^bearer (.+)$/i.exec(authorization ?? "")?.[1] ?? "";
    return (this.#expiries.get(token) ?? 0) > this.#clock.now();
  }

  revokeAll(): void {
    this.#expiries.clear();
  }

  #issue(scope: string): Answer {
    const jti = randomUUID();
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const token = `${part({ alg: "RS256", typ: "JWT" })}.${part({ scope: [scope], jti })}.${part(jti)}`;
    this.#expiries.set(token, this.#clock.now() + TOKEN_LIFETIME_S * 1000);
    const body = { access_token: token, token_type: "bearer", expires_in: TOKEN_LIFETIME_S, scope, jti };
    return { status: 200, body };
  }
}

/** A gateway's two limits for one customer: spike arrest and the monthly quota. */
export class Limits {
  readonly settings: LimitSettings;
  #clock: Clock;
  #lastAt = Number.NEGATIVE_INFINITY;
  #month = "";
  #used = 0;

  constructor(clock: Clock, settings: LimitSettings) {
    this.#clock = clock;
    this.settings = { ...settings };
  }

  get usedThisMonth(): number {
    const month = new Date(this.#clock.now()).toISOString().slice(0, 7);
    if (month !== this.#month) {
      this.#month = month;
      this.#used = 0;
    }
    return this.#used;
  }

  get msToNextMonth(): number {
    const now = new Date(this.#clock.now());
    return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1) - now.getTime();
  }

  admit(): "admitted" | "too-fast" | "quota-spent" {
    const now = this.#clock.now();
    const { requestsPerSecond, monthlyRequests } = this.settings;
    if (monthlyRequests !== null && this.usedThisMonth >= monthlyRequests) {
      return "quota-spent";
    }
    if (requestsPerSecond > 0 && now - this.#lastAt < 1000 / requestsPerSecond) {
      return "too-fast";
    }
    this.#lastAt = now;
    this.#used = this.usedThisMonth + 1;
    return "admitted";
  }
}

/** Records the requests, without keys and tokens. */
export class Ledger {
  #entries: LedgerEntry[] = [];
  #counts = new Map<Api, number>();

  write(entry: LedgerEntry): void {
    this.#entries.push(entry);
    if (this.#entries.length > LEDGER_LIMIT) {
      this.#entries.splice(0, LEDGER_LIMIT / 10);
    }
    this.#counts.set(entry.api, this.count(entry.api) + 1);
  }

  count(api: Api): number {
    return this.#counts.get(api) ?? 0;
  }

  /** Newest last. */
  latest(limit: number): LedgerEntry[] {
    return this.#entries.slice(-limit);
  }

  clear(): void {
    this.#entries = [];
    this.#counts.clear();
  }
}

function refusal(status: number, error: string, error_description: string): Answer {
  return { status, body: { error, error_description } };
}
