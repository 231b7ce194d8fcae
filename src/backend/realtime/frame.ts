// Phoenix frames, the envelope of the Realtime protocol. Version 1.0.0 writes them as objects, 2.0.0 as arrays
// `[join_ref, ref, topic, event, payload]`; a broadcast pushed over 2.0.0 comes as a binary frame.

export type FrameVersion = "1.0.0" | "2.0.0";

export type Frame = {
  joinRef: string | null;
  ref: string | null;
  topic: string;
  event: string;
  payload: unknown;
};

type DecodedFrame = { ok: true; frame: Frame } | { ok: false; reason: string };

export function frameVersionOf(vsn: string | null): FrameVersion | undefined {
  if (vsn === null || vsn === "1.0.0") return "1.0.0";
  return vsn === "2.0.0" ? "2.0.0" : undefined;
}

export function decodeFrame(version: FrameVersion, text: string): DecodedFrame {
  const value = parseJson(text);
  if (version === "1.0.0") {
    if (!isRecord(value)) return malformed;
    return frameOf([value.join_ref, value.ref, value.topic, value.event, value.payload]);
  }
  if (!Array.isArray(value) || value.length !== 5) return malformed;
  return frameOf(value);
}

const broadcastPush = 3;
const broadcastHeaderBytes = 7;

/** Reads only the address of a binary broadcast: enough to answer it. */
export function decodeBinaryFrame(version: FrameVersion, bytes: Buffer): DecodedFrame {
  if (version === "1.0.0" || bytes.length < broadcastHeaderBytes || bytes[0] !== broadcastPush)
    return malformed;
  const [joinRefBytes = 0, refBytes = 0, topicBytes = 0] = bytes.subarray(1, 4);
  const addressEnd = broadcastHeaderBytes + joinRefBytes + refBytes + topicBytes;
  if (bytes.length < addressEnd) return malformed;
  const refAt = broadcastHeaderBytes + joinRefBytes;
  const joinRef = bytes.toString("utf8", broadcastHeaderBytes, refAt);
  const ref = bytes.toString("utf8", refAt, refAt + refBytes);
  const topic = bytes.toString("utf8", refAt + refBytes, addressEnd);
  return {
    ok: true,
    frame: { joinRef: joinRef || null, ref: ref || null, topic, event: "broadcast", payload: {} },
  };
}

export function encodeFrame(version: FrameVersion, frame: Frame): string {
  const { joinRef, ref, topic, event, payload } = frame;
  return version === "1.0.0"
    ? JSON.stringify({ ref, topic, event, payload })
    : JSON.stringify([joinRef, ref, topic, event, payload]);
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const malformed: DecodedFrame = { ok: false, reason: "malformed frame" };
const longestAddress = 255;

function frameOf([joinRef, ref, topic, event, payload]: unknown[]): DecodedFrame {
  if (!isRef(joinRef) || !isRef(ref) || !isAddress(topic) || !isAddress(event)) return malformed;
  return { ok: true, frame: { joinRef: joinRef ?? null, ref: ref ?? null, topic, event, payload } };
}

function isRef(value: unknown): value is string | null | undefined {
  return (
    value === null || value === undefined || (typeof value === "string" && value.length <= longestAddress)
  );
}

function isAddress(value: unknown): value is string {
  return typeof value === "string" && value.length > 0 && value.length <= longestAddress;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
