/** Matches any bot token, plain or URL-encoded. */
export const BOT_TOKEN = /\d{5,}(?::|%3A)[\w-]{20,}/gi;
export const SCRUBBED = "[bot token]";

/** Every request to Telegram has the token in its URL, so error messages that quote the URL contain it too. */
export function scrubToken(text: string, token: string): string {
  return text
    .replaceAll(token, SCRUBBED)
    .replaceAll(encodeURIComponent(token), SCRUBBED)
    .replaceAll(token.split(":")[1] || token, SCRUBBED)
    .replace(BOT_TOKEN, SCRUBBED);
}
