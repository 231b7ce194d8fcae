// Reads the body of a request, bounded in bytes, and parses it as JSON that PostgreSQL can store. One pass over the bytes
// counts depth and elements and checks texts and numbers before anything is parsed.

/** The largest honest body, the rules of a search, has 16 kB. */
export const MAX_BODY_BYTES = 64 * 1024;

/** Of lists and objects: a thousand rows of twenty columns. */
const MAX_ELEMENTS = 20_000;

/**
 * The bytes that a request announces; of a body in chunks the most that are read. Does not touch the body: Node throws
 * an untouched one away, but of a touched one it stops reading, and then its connection cannot be used again.
 */
export function announcedBytes({ headers }: Request): number {
  if (headers.has("transfer-encoding")) return MAX_BODY_BYTES;
  const length = Number(headers.get("content-length") ?? 0);
  return Number.isSafeInteger(length) ? length : MAX_BODY_BYTES;
}

/** A body counts as one more request for every 4 kB, as a frame does in realtime. */
const BYTES_COUNTED_AS_REQUEST = 4_096;

/** For how many requests the body counts, before it is read. */
export const chargeOf = (request: Request): number =>
  Math.floor(Math.min(announcedBytes(request), MAX_BODY_BYTES) / BYTES_COUNTED_AS_REQUEST);

/** A body that is announced to be too large is not read at all. */
export async function readBytes(
  request: Request,
  most = MAX_BODY_BYTES,
): Promise<Uint8Array<ArrayBuffer> | "too large" | "cut off"> {
  const length = request.headers.get("content-length");
  if (length !== null && Number(length) > most) return "too large";
  const reader = request.body?.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
      size += part.value.byteLength;
      if (size > most) return "too large";
      chunks.push(part.value);
    }
  } catch {
    // The client hung up or was too slow.
    return "cut off";
  }
  return new Uint8Array(Buffer.concat(chunks));
}

export class JsonFault extends Error {
  override name = "JsonFault";
  readonly fault: "syntax" | "depth" | "elements" | "text" | "number";

  constructor(fault: JsonFault["fault"]) {
    super(`The body is refused for its ${fault}`);
    this.fault = fault;
  }
}

export function parseJson(bytes: Uint8Array, { maxDepth }: { maxDepth: number }): unknown {
  requireBounded(bytes, maxDepth);
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new JsonFault("syntax");
  }
}

const codeOf = (character: string) => character.charCodeAt(0);
const QUOTE = codeOf('"');
const BACKSLASH = codeOf("\\");
const U = codeOf("u");
const COMMA = codeOf(",");
const NUMBER_STARTS = new Set([..."-0123456789"].map(codeOf));
const NUMBER_BYTES = new Set([..."+-.0123456789eE"].map(codeOf));
const LEVELS = new Map([
  [codeOf("["), 1],
  [codeOf("{"), 1],
  [codeOf("]"), -1],
  [codeOf("}"), -1],
]);

/** JSON.parse takes a quarter of a second for a megabyte of brackets. Malformed JSON may pass: it finds that itself. */
function requireBounded(bytes: Uint8Array, maxDepth: number): void {
  const count = createElementCount(maxDepth);
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === QUOTE) at = endOfText(bytes, at + 1);
    else if (NUMBER_STARTS.has(byte)) at = endOfNumber(bytes, at) - 1;
    else count(byte);
  }
}

function createElementCount(maxDepth: number): (byte: number) => void {
  let depth = 0;
  let elements = 0;
  return (byte) => {
    const level = LEVELS.get(byte) ?? 0;
    depth += level;
    if (level > 0 || byte === COMMA) elements += 1;
    if (depth > maxDepth) throw new JsonFault("depth");
    if (elements > MAX_ELEMENTS) throw new JsonFault("elements");
  };
}

/** The position of the closing quote. PostgreSQL stores neither a null character nor half of a surrogate pair. */
function endOfText(bytes: Uint8Array, begin: number): number {
  let at = begin;
  for (; at < bytes.length && bytes[at] !== QUOTE; at += 1) {
    if (bytes[at] !== BACKSLASH) continue;
    const unit = unitAt(bytes, at);
    const isPair = isHigh(unit) && isLow(unitAt(bytes, at + 6));
    if (unit === 0 || (!isPair && (isHigh(unit) || isLow(unit)))) throw new JsonFault("text");
    // The escaped character may be a quote.
    at += isPair ? 11 : 1;
  }
  return at;
}

/** The number in an escape such as `\u00e9`; undefined for another. */
function unitAt(bytes: Uint8Array, at: number): number | undefined {
  if (bytes[at] !== BACKSLASH || bytes[at + 1] !== U) return undefined;
  return Number.parseInt(String.fromCharCode(...bytes.subarray(at + 2, at + 6)), 16);
}

const isHigh = (unit = 0) => unit >= 0xd800 && unit < 0xdc00;
const isLow = (unit = 0) => unit >= 0xdc00 && unit < 0xe000;

// A number in fewer characters without an exponent is exact.
const SURELY_EXACT = 15;

/** Parsing a larger number as JSON would silently change it or make it null. */
function endOfNumber(bytes: Uint8Array, begin: number): number {
  let at = begin;
  while (NUMBER_BYTES.has(bytes[at] ?? 0)) at += 1;
  const text = String.fromCharCode(...bytes.subarray(begin, Math.min(at, begin + 400)));
  if (text.length <= SURELY_EXACT && !/e/i.test(text)) return at;
  const value = Number(text);
  const isExact = Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
  if (at - begin > 400 || !isExact) throw new JsonFault("number");
  return at;
}
