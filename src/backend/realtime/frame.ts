// Phoenix frames, the envelope of the Realtime protocol: objects in version 1.0.0, arrays in 2.0.0.
export type FrameVersion = "1.0.0" | "2.0.0";

export type Frame = {
  joinRef: string | null;
  ref: string | null;
  topic: string;
  event: string;
  payload: unknown;
};

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
