import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeFrame, encodeFrame } from "./frame.ts";

const frame = { joinRef: "1", ref: "2", topic: "realtime:a", event: "phx_join", payload: { ñ: 1 } };

test("a frame survives the way there and back in version 2", () => {
  expect(decodeFrame("2.0.0", encodeFrame("2.0.0", frame))).toEqual(frame);
});

test("version 1 carries no join ref from the server", () => {
  const { joinRef: _, ...rest } = frame;
  expect(JSON.parse(encodeFrame("1.0.0", frame))).toEqual(rest);
});

test("whatever text arrives, decoding answers and never throws", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), fc.constantFrom("1.0.0", "2.0.0"), (text, version) => {
      expect(typeof (decodeFrame(version, text)?.topic ?? "none")).toBe("string");
    }),
  );
});
