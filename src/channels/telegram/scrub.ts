import { scrubToken } from "#core/scrub-token.ts";

const LONGEST = 300;

/** What an error says, without the bot's token, whatever holds it. */
export function scrubbed(error: unknown, token: string): string {
  const texts: string[] = [];
  let current = error;
  for (let depth = 0; depth < 5 && current !== undefined && current !== null; depth += 1) {
    texts.push(current instanceof Error ? current.message : String(current));
    current = innerOf(current);
  }
  return scrubToken(texts.join(": "), token).slice(0, LONGEST);
}

/** grammY keeps what it caught in `error`, others in `cause`. */
function innerOf(error: unknown): unknown {
  if (typeof error !== "object" || error === null) return undefined;
  if ("error" in error) return error.error;
  return "cause" in error ? error.cause : undefined;
}
