// Phoenix frames, the envelope of the Realtime protocol: objects in version 1.0.0, arrays in 2.0.0.
export type FrameVersion = "1.0.0" | "2.0.0";

export type Frame = {
  joinRef: string | null;
  ref: string | null;
  topic: string;
  event: string;
  payload: unknown;
};

/** The clients of version 2.0.0 send broadcasts as binary frames. */
export const decodeMessage = (version: FrameVersion, message: Buffer, isBinary: boolean) =>
  isBinary ? decodeBroadcast(message) : decodeFrame(version, String(message));

const isShort = (value: unknown) => typeof value === "string" && value.length <= 255;

/** Returns undefined if the text is not a valid frame. */
export function decodeFrame(version: FrameVersion, text: string): Frame | undefined {
  const value = parseFrameJson(text);
  const fields =
    version === "1.0.0" && isRecord(value)
      ? [value.join_ref, value.ref, value.topic, value.event, value.payload]
      : value;
  if (!Array.isArray(fields) || fields.length !== 5) return undefined;
  const [joinRef, ref, topic, event, payload]: unknown[] = fields;
  if (![joinRef ?? "", ref ?? "", topic, event].every(isShort)) return undefined;
  return { joinRef: joinRef ?? null, ref: ref ?? null, topic, event, payload } as Frame;
}

const USER_BROADCAST_PUSH = 3;
const HEADER_BYTES = 7;

/** The binary frame in which realtime-js sends a broadcast, without its content; undefined for another. */
function decodeBroadcast(bytes: Buffer): Frame | undefined {
  const [kind, joinRefBytes = 0, refBytes = 0, topicBytes = 0] = bytes;
  const [joinRefEnd, refEnd] = [HEADER_BYTES + joinRefBytes, HEADER_BYTES + joinRefBytes + refBytes];
  if (kind !== USER_BROADCAST_PUSH || bytes.length < refEnd + topicBytes) return undefined;
  const joinRef = bytes.toString("utf8", HEADER_BYTES, joinRefEnd) || null;
  const ref = bytes.toString("utf8", joinRefEnd, refEnd) || null;
  const topic = bytes.toString("utf8", refEnd, refEnd + topicBytes);
  return { joinRef, ref, topic, event: "broadcast", payload: {} };
}

export function encodeFrame(version: FrameVersion, { joinRef, ref, topic, event, payload }: Frame): string {
  const fields = version === "1.0.0" ? { ref, topic, event, payload } : [joinRef, ref, topic, event, payload];
  return JSON.stringify(fields);
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns undefined if the text is not JSON. */
export function parseFrameJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
