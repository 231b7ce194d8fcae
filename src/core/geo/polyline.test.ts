import fc from "fast-check";
import { expect, test } from "vitest";
import { drawn } from "#test/seeded.ts";
import { parseShape } from "./drawn-shape.ts";
import { decodePolyline, encodePolyline } from "./polyline.ts";

// The worked example from the description of the algorithm.
const EXAMPLE = "_p~iF~ps|U_ulLnnqC_mqNvxq`@";
const POINTS = [
  { latitude: 38.5, longitude: -120.2 },
  { latitude: 40.7, longitude: -120.95 },
  { latitude: 43.252, longitude: -126.453 },
];

test("the published example decodes and encodes", () => {
  expect(decodePolyline(EXAMPLE)).toEqual(POINTS);
  expect(encodePolyline(POINTS)).toBe(EXAMPLE);
});

test.each(["_p~iF~ps|", "_p~iF", "a b", "~~~~~~~~~~~~?", "é"])("%j is not a polyline", (text) => {
  expect(decodePolyline(text)).toBeUndefined();
});

test("points survive encoding to five decimals", () => {
  const degree = (most: number) =>
    fc.integer({ min: -most * 1e5, max: most * 1e5 }).map((value) => value / 1e5);
  fc.assert(
    fc.property(fc.array(fc.record({ latitude: degree(90), longitude: degree(180) })), (points) => {
      expect(decodePolyline(encodePolyline(points))).toEqual(
        points.map((point) => ({ latitude: point.latitude + 0, longitude: point.longitude + 0 })),
      );
    }),
    drawn(),
  );
});

const SQUARE = [
  [40.4, -3.7],
  [40.41, -3.7],
  [40.41, -3.69],
] as const;
const open = encodePolyline(SQUARE.map(([latitude, longitude]) => ({ latitude, longitude })));

test("an open ring is closed, and closing it twice changes nothing", () => {
  const rings = parseShape(`((${open}))`) ?? [];
  expect(decodePolyline(rings[0] ?? "")).toHaveLength(4);
  expect(parseShape(`((${rings[0]}))`)).toEqual(rings);
});

test.each([
  "",
  "()",
  "(())",
  open,
  `((${open})`,
  `(${open}))`,
  `((${open})x)`,
  `(${open}(${open}))`,
  "((??))",
  `((${EXAMPLE}))`,
])("%j is not a drawing over Spain", (shape) => {
  expect(parseShape(shape)).toBeUndefined();
});

test("a ring drawn twice counts once", () => {
  expect(parseShape(`((${open})(${open}))`)).toHaveLength(1);
});
