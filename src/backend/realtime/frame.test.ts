import fc from "fast-check";
import { expect, test } from "vitest";
import { drawn } from "#test/seeded.ts";
import { decodeFrame, encodeFrame } from "./frame.ts";

const frame = { joinRef: "1", ref: "2", topic: "realtime:a", event: "phx_join", payload: { ñ: 1 } };

test("a version 2 frame decodes to what was encoded", () => {
  expect(decodeFrame("2.0.0", encodeFrame("2.0.0", frame))).toEqual(frame);
});

test("version 1 frames from the server have no join ref", () => {
  const { joinRef: _, ...rest } = frame;
  expect(JSON.parse(encodeFrame("1.0.0", frame))).toEqual(rest);
});

test("decoding arbitrary text never throws", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), fc.constantFrom("1.0.0", "2.0.0"), (text, version) => {
      expect(typeof (decodeFrame(version, text)?.topic ?? "none")).toBe("string");
    }),
    drawn(),
  );
});
