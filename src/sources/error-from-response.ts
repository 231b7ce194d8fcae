import { nextMonthOf } from "#core/ports/request-budget.ts";
import { SourceError, type SourceErrorReason } from "#core/ports/source.ts";
import type { HttpAnswer } from "./http-exchange.ts";

const HOUR_MS = 3_600_000;
/** No document says when a provider's month begins. Retrying after some hours costs one refused request at most. */
const QUOTA_RETRY_MS = 6 * HOUR_MS;

/** The meaning of a status other than 200. The provider's message is kept only if it cannot contain a key. */
export function errorFromResponse(source: string, answer: HttpAnswer, now: number): SourceError {
  const message = messageOf(answer.text);
  const reason = reasonOf(answer, message);
  const retryAfterMs = retryAfter(reason, answer.headers, now);
  // Messages about limits contain the key, so only messages about the request are kept.
  const isSafe = reason === "refused-request" || reason === "not-found";
  const detail = isSafe && message !== "" ? `${answer.status}: ${printable(message)}` : String(answer.status);
  return new SourceError(source, reason, {
    detail,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}

function reasonOf({ status, text }: HttpAnswer, message: string): SourceErrorReason {
  const limit = limitOf(status, text, message);
  if (limit !== undefined) return limit;
  if (status >= 500) return "server-trouble";
  if (status < 400 || !isJson(text)) {
    // A redirect or a captcha page says nothing about our request or key.
    return status === 401 ? "refused-credentials" : "not-understood";
  }
  switch (status) {
    case 401:
    case 403:
      return "refused-credentials";
    case 404:
      return "not-found";
    default:
      return "refused-request";
  }
}

/** Gateways report limits with 429. This portal's also does with 500 and a `fault`. */
function limitOf(status: number, text: string, message: string): SourceErrorReason | undefined {
  if (/policies\.ratelimit\.QuotaViolation/.test(text)) return "quota-spent";
  if (/policies\.ratelimit\.SpikeArrestViolation/.test(text)) return "rate-limited";
  if (status !== 429) return undefined;
  return /quota/i.test(message) ? "quota-spent" : "rate-limited";
}

function retryAfter(reason: SourceErrorReason, headers: Headers, now: number): number | undefined {
  if (reason === "rate-limited") return retryAfterHeader(headers, now);
  if (reason === "quota-spent") {
    const reset = secondsOf(headers.get("x-ratelimit-requests-reset"));
    return reset ?? Math.min(QUOTA_RETRY_MS, nextMonthOf(now) - now);
  }
  return reason === "server-trouble" ? retryAfterHeader(headers, now) : undefined;
}

function retryAfterHeader(headers: Headers, now: number): number | undefined {
  const text = headers.get("retry-after");
  const date = Date.parse(text ?? "");
  return secondsOf(text) ?? (Number.isNaN(date) ? undefined : Math.max(0, date - now));
}

function secondsOf(text: string | null): number | undefined {
  return text !== null && /^\d{1,8}$/.test(text.trim()) ? Number(text) * 1000 : undefined;
}

function messageOf(text: string): string {
  try {
    const body: unknown = JSON.parse(text);
    const message = typeof body === "object" && body !== null && "message" in body ? body.message : "";
    return typeof message === "string" ? message : "";
  } catch {
    return "";
  }
}

function isJson(text: string): boolean {
  return /^\s*[[{]/.test(text);
}

function printable(message: string): string {
  return message.replace(/[^\P{C}]/gu, " ").slice(0, 200);
}
