import { expect, test } from "vitest";
import { zonesOf } from "../zones/city-shapes.ts";
import { loadLand } from "../zones/land.ts";
import { loadZones } from "../zones/load-shapes.ts";
import { MADRID } from "../zones/madrid.ts";
import { drawArea } from "./area-drawing.ts";
import { DUSK, NIGHT } from "./palette.ts";

const TRAFALGAR = "0-EU-ES-28-07-001-079-07-003";
const zones = zonesOf(MADRID);
const land = await loadLand();
const size = { width: 800, height: 500 };
const area = { placeId: TRAFALGAR, rings: [] };

/** The drawing of the area itself: everything but the home and the letters. */
const groundOf = (svg = "") => svg.replace(/<(circle|rect x|text)[^>]*>([^<]*<\/text>)?/g, "");

test("MAP-06 the picture of an area on a page and the one of a home in a chat are the same drawing", () => {
  const onPage = drawArea({ area, zones, land, palette: NIGHT, size });
  const home = { latitude: 40.4331, longitude: -3.7011 };
  const inChat = drawArea({
    area,
    zones,
    land,
    palette: NIGHT,
    size,
    home,
    captions: { title: "A & B", source: "<s>" },
  });
  expect(groundOf(inChat)).toBe(groundOf(onPage));
  expect(onPage).not.toContain("<text");
  expect(inChat).toContain("A &amp; B");
  expect(inChat).toContain("&lt;s&gt;");
});

test("MAP-06 an area is in the middle of its picture, in the colours of the theme, and its own zones are lighter", () => {
  const svg = drawArea({ area, zones, land, palette: DUSK, size }) ?? "";
  expect(svg).toContain(`fill="${DUSK.land}"`);
  expect(DUSK.searchedRoofs.some((color) => svg.includes(color))).toBe(true);
  const outline = /<path d="([^"]*)" fill="none"/.exec(svg)?.[1] ?? "";
  const pixels = [...outline.matchAll(/([\d.-]+) ([\d.-]+)/g)].map(
    ([, x, y]) => [Number(x), Number(y)] as const,
  );
  const middleOf = (axis: 0 | 1) => {
    const values = pixels.map((pixel) => pixel[axis]);
    return (Math.min(...values) + Math.max(...values)) / 2;
  };
  expect([middleOf(0), middleOf(1)]).toEqual([expect.closeTo(400, 0), expect.closeTo(250, 0)]);
});

test("MAP-06 a drawn area is drawn anywhere in Spain; a place without zones is not", () => {
  const ring = [
    { latitude: 28.46, longitude: -16.25 },
    { latitude: 28.47, longitude: -16.25 },
    { latitude: 28.47, longitude: -16.24 },
  ];
  expect(
    drawArea({ area: { placeId: null, rings: [ring] }, zones: [], land, palette: NIGHT, size }),
  ).toContain("<svg");
  const soria = { placeId: "0-EU-ES-42", rings: [] };
  expect(drawArea({ area: soria, zones, land, palette: NIGHT, size })).toBeUndefined();
});

test("EASY-05 MAP-06 a town without zones of its own is drawn in its province, with the sea beside it", async () => {
  const malaga = { placeId: "0-EU-ES-29-00-000-067", rings: [] };
  const svg =
    drawArea({ area: malaga, zones: await loadZones("0-EU-ES-29"), land, palette: NIGHT, size }) ?? "";
  expect(svg).toContain(`fill="${NIGHT.sea}"`);
  expect(NIGHT.searchedRoofs.some((color) => svg.includes(color))).toBe(true);
  expect(NIGHT.roofs.some((color) => svg.includes(color))).toBe(true);
});
