/** The answer to a request, before it is serialised. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * The official gateway was seen to answer limits with status 500 and a `fault`. Newer gateways of the same vendor answer
 * 429, so both can be chosen.
 */
export type LimitShape = "gateway-500" | "status-429";

type Speaker = "official" | "by-url";

export function officialError(status: number, message: string): Answer {
  return { status, body: { message, httpStatus: status } };
}

export function tooFast(speaker: Speaker, shape: LimitShape): Answer {
  if (speaker === "by-url") {
    const message = "You have exceeded the rate limit per second for your plan, BASIC, by the API provider";
    return { status: 429, body: { message } };
  }
  const body = gatewayFault("Spike arrest violation. Allowed rate : 1ps", "SpikeArrestViolation");
  return shape === "gateway-500"
    ? { status: 500, body }
    : { status: 429, body, headers: { "retry-after": "1" } };
}

export function quotaSpent(speaker: Speaker, shape: LimitShape, msToReset: number): Answer {
  if (speaker === "by-url") {
    const reset = String(Math.ceil(msToReset / 1000));
    return {
      status: 429,
      body: { message: "You have exceeded the MONTHLY quota for Requests on your current plan, BASIC." },
      headers: { "x-ratelimit-requests-remaining": "0", "x-ratelimit-requests-reset": reset },
    };
  }
  const text = "Rate limit quota violation. Quota limit  exceeded. Identifier : simulated";
  return { status: shape === "gateway-500" ? 500 : 429, body: gatewayFault(text, "QuotaViolation") };
}

export function unauthorized(api: "token" | "search" | "by-url"): Answer {
  const bodies = {
    token: { error: "unauthorized", error_description: "Bad credentials" },
    search: { error: "invalid_token", error_description: "Invalid or expired access token" },
    "by-url": { message: "Invalid API key." },
  };
  return { status: 401, body: bodies[api] };
}

function gatewayFault(faultstring: string, code: string) {
  return { fault: { faultstring, detail: { errorcode: `policies.ratelimit.${code}` } } };
}
