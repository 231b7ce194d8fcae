// What an error of grammY says: Telegram's refusal, or why there was no answer.
import type { GrammyError } from "grammy";
import { scrubToken } from "../../scrub-token.ts";
import type { Refusal } from "./judge-refusal.ts";

export function refusalOf({ error_code, description, parameters }: GrammyError): Refusal {
  return {
    // A malformed response may lack what the types promise.
    errorCode: typeof error_code === "number" ? error_code : undefined,
    description: typeof description === "string" ? description : "",
    retryAfterSeconds: parameters.retry_after,
    migrateToChatId: parameters.migrate_to_chat_id,
  };
}

const LONGEST = 300;

/** The messages of an error and its causes, without the bot's token. */
export function scrubbed(error: unknown, token: string): string {
  const texts: string[] = [];
  let current = error;
  for (let depth = 0; depth < 5 && current !== undefined && current !== null; depth += 1) {
    texts.push(current instanceof Error ? current.message : String(current));
    current = innerOf(current);
  }
  return scrubToken(texts.join(": "), token).slice(0, LONGEST);
}

/** No connection was made, so Telegram has not got the message. */
const NEVER_CONNECTED = /\b(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)\b/;

export function isNeverConnected(error: unknown): boolean {
  let current = error;
  for (let depth = 0; depth < 5 && current !== undefined && current !== null; depth += 1) {
    const code = typeof current === "object" && "code" in current ? String(current.code) : "";
    const words = current instanceof Error ? current.message : "";
    if (NEVER_CONNECTED.test(`${code} ${words}`)) return true;
    current = innerOf(current);
  }
  return false;
}

/** grammY stores the cause in `error`. */
function innerOf(error: unknown): unknown {
  if (typeof error !== "object" || error === null) return undefined;
  if ("error" in error) return error.error;
  return "cause" in error ? error.cause : undefined;
}
