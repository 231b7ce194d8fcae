import { createHmac } from "node:crypto";

/** The fields in Telegram's order; objects as JSON with escaped slashes. */
export type InitDataFields = Readonly<Record<string, string | number | object | undefined>>;

/** https://core.telegram.org/bots/webapps#validating-data-received-via-the-mini-app */
export function signInitData(fields: InitDataFields, botToken: string): string {
  const pairs = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]): [string, string] => [name, textOf(value)]);
  const lines = pairs.map(([name, value]) => `${name}=${value}`);
  const key = createHmac("sha256", "WebAppData").update(botToken).digest();
  const hash = createHmac("sha256", key).update(lines.toSorted().join("\n")).digest("hex");
  return [...pairs, ["hash", hash]]
    .map(([name = "", value = ""]) => `${name}=${encodeURIComponent(value)}`)
    .join("&");
}

const textOf = (value: InitDataFields[string]) =>
  typeof value === "object" ? JSON.stringify(value).replaceAll("/", "\\/") : String(value);
