/** What any bot's token looks like, plain or in an address. */
export const BOT_TOKEN = /\d{5,}(?::|%3A)[\w-]{20,}/gi;
export const SCRUBBED = "[bot token]";

/** Tokens travel in the address of every request to Telegram, and so in what is said about it. */
export function scrubToken(text: string, token: string): string {
  return text
    .replaceAll(token, SCRUBBED)
    .replaceAll(encodeURIComponent(token), SCRUBBED)
    .replaceAll(token.split(":")[1] || token, SCRUBBED)
    .replace(BOT_TOKEN, SCRUBBED);
}
