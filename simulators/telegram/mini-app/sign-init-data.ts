import { createHmac, generateKeyPairSync, sign } from "node:crypto";

/** The fields in Telegram's order; objects as JSON with escaped slashes. */
export type InitDataFields = Readonly<Record<string, string | number | object | undefined>>;

/** In the place of Telegram's own key, with which anybody can check launch data without the bot's token. */
const thirdParties = generateKeyPairSync("ed25519");
export const thirdPartyKey = thirdParties.publicKey;

/** https://core.telegram.org/bots/webapps#validating-data-received-via-the-mini-app */
export function signInitData(fields: InitDataFields, botToken: string): string {
  const pairs = pairsOf(fields);
  const key = createHmac("sha256", "WebAppData").update(botToken).digest();
  const hash = createHmac("sha256", key).update(sortedLines(pairs)).digest("hex");
  return [...pairs, ["hash", hash]]
    .map(([name = "", value = ""]) => `${name}=${encodeURIComponent(value)}`)
    .join("&");
}

/** https://core.telegram.org/bots/webapps#validating-data-for-third-party-use. The bot's own check covers it as any field. */
export function signForThirdParties(fields: InitDataFields, botId: number): string {
  const text = `${botId}:WebAppData\n${sortedLines(pairsOf(fields))}`;
  return sign(null, Buffer.from(text), thirdParties.privateKey).toString("base64url");
}

function pairsOf(fields: InitDataFields): [string, string][] {
  return Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, textOf(value)]);
}

const sortedLines = (pairs: readonly [string, string][]) =>
  pairs
    .map(([name, value]) => `${name}=${value}`)
    .toSorted()
    .join("\n");

const textOf = (value: InitDataFields[string]) =>
  typeof value === "object" ? JSON.stringify(value).replaceAll("/", "\\/") : String(value);
