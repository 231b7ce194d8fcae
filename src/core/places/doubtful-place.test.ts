import { expect, test } from "vitest";
import { doubtfulPlaceOf } from "./doubtful-place.ts";
import { allPlaces } from "./places.ts";

test("MANY-06 no place of the catalogue is doubtful", () => {
  for (const { path } of allPlaces()) expect([path, doubtfulPlaceOf(path)]).toEqual([path, undefined]);
});

test.each([
  [
    ["madrid", "chambery"],
    ["madrid", "chamberi"],
  ],
  [
    ["madrid", "chmaberi"],
    ["madrid", "chamberi"],
  ],
  [["alcovendas-madrid"], ["alcobendas-madrid"]],
  [["esteponna-malaga"], ["estepona-malaga"]],
  [["javea-xabia-alicante"], ["javeaxabia-alicante"]],
  [["palma-de-mallorca"], ["palma-de-mallorca-balears-illes"]],
  [["madrid"], ["madrid-madrid"]],
  [["narnia-madrid"], null],
  [["narnia"], null],
  [["narnia", "centro"], null],
  [["madrid", "narnia"], null],
  [["cabra-madrid"], null],
])("MANY-06 %j is unknown; the nearest known place is %j", (path, nearestPath) => {
  expect(doubtfulPlaceOf(path)).toEqual({ nearestPath });
});

test.each([
  [["galdakao-vizcaya"]],
  [["las-palmas-de-gran-canaria-las-palmas"]],
  [["lleida", "mariola"]],
  [["lleida", "segria", "area-de-rosello"]],
  [["javeaxabia", "adsubia"]],
  [["madrid", "villa-de-vallecas", "valdecarros"]],
  [["a-coruna-a-coruna"]],
])("MANY-06 %j is not doubtful", (path) => {
  expect(doubtfulPlaceOf(path)).toBeUndefined();
});
