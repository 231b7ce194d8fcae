import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeBinaryFrame, decodeFrame, encodeFrame, frameVersionOf } from "./frame.ts";

const frame = { joinRef: "1", ref: "2", topic: "realtime:a", event: "phx_join", payload: { ñ: 1 } };

test("a frame survives the way there and back in version 2", () => {
  expect(decodeFrame("2.0.0", encodeFrame("2.0.0", frame))).toEqual({ ok: true, frame });
});

test("version 1 carries no join ref from the server", () => {
  expect(JSON.parse(encodeFrame("1.0.0", frame))).toEqual({
    ref: "2",
    topic: "realtime:a",
    event: "phx_join",
    payload: { ñ: 1 },
  });
});

test("no version means 1, as for Phoenix, and others are unknown", () => {
  expect([null, "1.0.0", "2.0.0", "3.0.0", ""].map(frameVersionOf)).toEqual([
    "1.0.0",
    "1.0.0",
    "2.0.0",
    undefined,
    undefined,
  ]);
});

test("a binary broadcast is read as far as its address", () => {
  const bytes = Buffer.concat([Buffer.from([3, 1, 2, 11, 1, 0, 1]), Buffer.from("742realtime:éx{}")]);
  expect(decodeBinaryFrame("2.0.0", bytes)).toEqual({
    ok: true,
    frame: { joinRef: "7", ref: "42", topic: "realtime:é", event: "broadcast", payload: {} },
  });
  expect(decodeBinaryFrame("1.0.0", bytes)).toMatchObject({ ok: false });
});

test("whatever bytes arrive, decoding answers and never throws", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), fc.constantFrom("1.0.0", "2.0.0"), (text, version) => {
      const decoded = decodeFrame(version, text);
      expect(decoded.ok ? typeof decoded.frame.topic : decoded.reason).toMatch(/^(string|malformed frame)$/);
    }),
  );
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 600 }), (bytes) => {
      expect(decodeBinaryFrame("2.0.0", Buffer.from(bytes)).ok).toBeTypeOf("boolean");
    }),
  );
});
