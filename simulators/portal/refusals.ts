import type { Answer } from "./official/tokens.ts";

export type LimitShape = "gateway-500" | "status-429";

export interface Refusal extends Answer {
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * How each API says no. The official gateway was recorded answering limits with status 500 and a `fault`;
 * newer gateways of that make answer 429, so both shapes can be chosen.
 */
export function tooFast(api: "official" | "by-url", shape: LimitShape): Refusal {
  if (api === "by-url") {
    const message = "You have exceeded the rate limit per second for your plan, BASIC, by the API provider";
    return { status: 429, body: { message } };
  }
  const fault = gatewayFault("Spike arrest violation. Allowed rate : 1ps", "SpikeArrestViolation");
  return shape === "gateway-500"
    ? { status: 500, body: fault }
    : { status: 429, body: fault, headers: { "retry-after": "1" } };
}

export function quotaSpent(
  api: "official" | "by-url",
  { shape, key, msToReset }: { shape: LimitShape; key: string; msToReset: number },
): Refusal {
  const seconds = String(Math.ceil(msToReset / 1000));
  if (api === "by-url") {
    return {
      status: 429,
      body: { message: "You have exceeded the MONTHLY quota for Requests on your current plan, BASIC." },
      headers: { "x-ratelimit-requests-remaining": "0", "x-ratelimit-requests-reset": seconds },
    };
  }
  const fault = gatewayFault(
    `Rate limit quota violation. Quota limit  exceeded. Identifier : ${key}`,
    "QuotaViolation",
  );
  return { status: shape === "gateway-500" ? 500 : 429, body: fault };
}

export function officialError(status: number, message: string): Refusal {
  return { status, body: { message, httpStatus: status } };
}

function gatewayFault(faultstring: string, code: string) {
  return { fault: { faultstring, detail: { errorcode: `policies.ratelimit.${code}` } } };
}
