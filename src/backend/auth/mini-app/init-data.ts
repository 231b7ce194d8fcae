// The signed launch data of a Telegram Mini App: https://core.telegram.org/bots/webapps#validating-data-received-via-the-mini-app
// Anyone who has it can act as the Telegram user for an hour, so it appears in no log, address or report.
import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { readQueryString } from "../../query-string.ts";

/** Telegram's own data has about one kilobyte. */
const MAX_INIT_DATA_BYTES = 8_192;
/** A reload sends the same data again, and an app may be opened a while after its button was shown. */
const VALID_MS = 3_600_000;
const AHEAD_MS = 60_000;
/** Telegram's ids have at most 52 bits. */
const MAX_TELEGRAM_ID = 2 ** 52 - 1;

export type InitData = {
  telegramId: string;
  /** When Telegram signed it, to the second. */
  signedAtMs: number;
  /** The same for each use of the same data, and of no use to anyone who reads it. */
  launch: Buffer;
};

/** "old": signed by Telegram, but not now. Everything else is refused alike. */
export type InitDataRefusal = "invalid" | "old";

export function readInitData(
  raw: string,
  { botToken, nowMs }: { botToken: string; nowMs: number },
): InitData | InitDataRefusal {
  if (Buffer.byteLength(raw) > MAX_INIT_DATA_BYTES) return "invalid";
  const fields = uniqueFields(raw);
  const hash = fields?.get("hash");
  if (!fields || hash === undefined || !/^[0-9a-f]{64}$/.test(hash)) return "invalid";
  if (!timingSafeEqual(Buffer.from(hash, "hex"), signatureOf(fields, botToken))) return "invalid";
  const telegramId = idIn(fields.get("user"));
  const seconds = fields.get("auth_date") ?? "";
  if (telegramId === undefined || !/^\d{1,12}$/.test(seconds)) return "invalid";
  const signedAtMs = Number(seconds) * 1000;
  if (signedAtMs > nowMs + AHEAD_MS || signedAtMs < nowMs - VALID_MS) return "old";
  return { telegramId, signedAtMs, launch: createHash("sha256").update(hash).digest() };
}

/** Undefined if the text is not a query string, or a name is repeated: two readers could take different values. */
function uniqueFields(raw: string): Map<string, string> | undefined {
  const pairs = raw.startsWith("?") ? undefined : readQueryString(raw);
  const fields = new Map(pairs);
  return pairs && fields.size === pairs.length ? fields : undefined;
}

function signatureOf(fields: ReadonlyMap<string, string>, botToken: string): Buffer {
  const lines = [...fields].filter(([name]) => name !== "hash").map(([name, value]) => `${name}=${value}`);
  const key = createHmac("sha256", "WebAppData").update(botToken).digest();
  return createHmac("sha256", key).update(lines.sort().join("\n")).digest();
}

function idIn(user: string | undefined): string | undefined {
  try {
    const { id, is_bot }: { id?: unknown; is_bot?: unknown } = JSON.parse(user ?? "null") ?? {};
    const isPerson =
      Number.isInteger(id) && Number(id) > 0 && Number(id) <= MAX_TELEGRAM_ID && is_bot !== true;
    return isPerson ? String(id) : undefined;
  } catch {
    return undefined;
  }
}
