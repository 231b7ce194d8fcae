// Switches the mails with waiting alerts off, for the link in them. Mail clients post to it without a session (RFC 8058), and
// the token allows nothing else.
import { LANGUAGES, localizedPath } from "#core/languages.ts";
import { createRateLimiter } from "#platform/limits/rate-limit.ts";

export type SwitchOff = (token: string) => Promise<boolean>;

export const STOP_MAILS_PATHS = LANGUAGES.map((language) => localizedPath("/stop-mails", language));

/** A mail provider posts for many people from one address. */
const PER_MINUTE = 60;

export function createStopMailsAnswer(stop: SwitchOff, now: () => number) {
  const limit = createRateLimiter({ perWindow: PER_MINUTE, windowMs: 60_000, burst: PER_MINUTE });
  return async (url: string, address: string): Promise<Response> => {
    if (!limit.take(address, now())) {
      return Response.json(
        { code: "over_request_rate_limit", message: "Too many requests" },
        { status: 429 },
      );
    }
    const token = new URL(url).searchParams.get("key") ?? "";
    const isKnown = /^[\w-]{22}$/.test(token) && (await stop(token));
    return isKnown
      ? Response.json({ status: "stopped" })
      : Response.json({ code: "not_found", message: "This link belongs to no account" }, { status: 404 });
  };
}
