import type { ServerResponse } from "node:http";
import type { Outcome } from "./methods/method.ts";
import type { Refusal } from "./refusal.ts";

export interface Answer {
  /** 0 where there is none. */
  readonly status: number;
  readonly body: string;
  readonly description: string;
  readonly retryAfterSeconds?: number;
}

export function okAnswer({ result, description = "" }: Outcome): Answer {
  const body = { ok: true, result, ...(description === "" ? {} : { description }) };
  return { status: 200, body: JSON.stringify(body), description };
}

export function refusalAnswer({ errorCode, message, parameters }: Refusal): Answer {
  const body = { ok: false, error_code: errorCode, description: message, parameters };
  return {
    status: errorCode,
    body: JSON.stringify(body),
    description: message,
    ...(parameters?.retry_after === undefined ? {} : { retryAfterSeconds: parameters.retry_after }),
  };
}

export function sendAnswer(response: ServerResponse, { status, body, retryAfterSeconds }: Answer): void {
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
    ...(retryAfterSeconds === undefined ? {} : { "retry-after": String(retryAfterSeconds) }),
  });
  response.end(body);
}
