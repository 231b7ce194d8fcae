import { z } from "zod";
import type { SourceDeps } from "../ask-within-budget.ts";
import { exchange } from "../http-exchange.ts";
import { readEnvelope } from "../read-page-answer.ts";

interface TokenOptions extends Pick<SourceDeps, "now" | "http"> {
  readonly source: string;
  readonly baseUrl: string;
  readonly key: string;
  readonly secret: string;
}

export interface AccessTokens {
  /** The current token, or a new one. Concurrent callers share one request. */
  get(): Promise<string>;
  discard(token: string): void;
}

const tokenAnswer = z.object({ access_token: z.string().min(1), expires_in: z.number().positive() });
/** Renewed early, so that a token does not expire while a request is under way. */
const RENEW_BEFORE_MS = 60_000;

export function createAccessTokens(options: TokenOptions): AccessTokens {
  let held: { token: string; renewAt: number } | undefined;
  let pending: Promise<string> | undefined;

  const renew = async (): Promise<string> => {
    const answer = await requestToken(options);
    held = {
      token: answer.access_token,
      renewAt: options.now() + answer.expires_in * 1000 - RENEW_BEFORE_MS,
    };
    return held.token;
  };

  return {
    get: async () => {
      if (held !== undefined && options.now() < held.renewAt) return held.token;
      pending ??= renew().finally(() => {
        pending = undefined;
      });
      return pending;
    },
    discard: (token) => {
      if (held?.token === token) {
        held = undefined;
      }
    },
  };
}

async function requestToken({ source, baseUrl, key, secret, now, http }: TokenOptions) {
  const pair = `${encodeURIComponent(key)}:${encodeURIComponent(secret)}`;
  const answer = await exchange(
    source,
    {
      url: `${baseUrl}/oauth/token`,
      method: "POST",
      headers: {
        authorization: `Basic ${Buffer.from(pair).toString("base64")}`,
        "content-type": "application/x-www-form-urlencoded;charset=UTF-8",
      },
      body: "grant_type=client_credentials&scope=read",
    },
    http,
  );
  return readEnvelope(source, answer, tokenAnswer, now());
}
