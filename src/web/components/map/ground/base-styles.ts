import type { FeatureLike } from "ol/Feature.js";
import type MultiPolygon from "ol/geom/MultiPolygon.js";
import PointGeometry from "ol/geom/Point.js";
import Fill from "ol/style/Fill.js";
import Stroke from "ol/style/Stroke.js";
import Style, { type StyleFunction, type StyleLike } from "ol/style/Style.js";
import Text from "ol/style/Text.js";
import type { Palette } from "#core/map/palette.ts";
import { FONT } from "../zone-styles.ts";

/** The borders of two sources are up to a kilometre apart: the neighbours' land reaches under ours. */
const UNDER_THE_BORDER_M = 1_600;
/** A shallow along the coast, in pixels. */
const SHALLOWS = [26, 14, 6];

export function abroadStyle({ abroad, shallow }: Palette): StyleFunction {
  const fill = new Fill({ color: abroad });
  const coast = SHALLOWS.map((width) => new Style({ stroke: roundStroke(shallow, width), zIndex: 0 }));
  return (_feature, resolution) => [
    ...coast,
    new Style({ fill, stroke: roundStroke(abroad, (2 * UNDER_THE_BORDER_M) / resolution), zIndex: 1 }),
  ];
}

export function provinceStyle({ land, provinceBorder, shallow }: Palette): StyleLike {
  return [
    ...SHALLOWS.map((width) => new Style({ stroke: roundStroke(shallow, width), zIndex: 0 })),
    new Style({
      fill: new Fill({ color: land }),
      stroke: new Stroke({ color: provinceBorder, width: 1.2 }),
      zIndex: 1,
    }),
  ];
}

export function townStyle({ townBorder }: Palette): StyleLike {
  return new Style({ stroke: new Stroke({ color: townBorder, width: 0.8 }) });
}

export function provinceNameStyle(palette: Palette): StyleFunction {
  return nameStyle(palette, { font: `600 12px ${FONT}`, isWider: true });
}

export function townNameStyle(palette: Palette): StyleFunction {
  return nameStyle(palette, { font: `500 11.5px ${FONT}`, isWider: false });
}

/** In the largest part only, and for municipalities only if the name fits. */
function nameStyle(
  { baseLabel, labelEdge }: Palette,
  { font, isWider }: { font: string; isWider: boolean },
): StyleFunction {
  const fill = new Fill({ color: baseLabel });
  const stroke = new Stroke({ color: labelEdge, width: 2.5 });
  return (feature) => {
    const text: string = feature.get("name");
    if (text === "") return undefined;
    const label = new Text({ text, font, fill, stroke, padding: [3, 5, 3, 5], overflow: isWider });
    return isWider ? new Style({ geometry: middleOf, text: label }) : new Style({ text: label });
  };
}

function middleOf(feature: FeatureLike): PointGeometry | undefined {
  const [largest] = (feature.getGeometry() as MultiPolygon).getPolygons();
  return largest && new PointGeometry(largest.getInteriorPoint().getCoordinates().slice(0, 2));
}

function roundStroke(color: string, width: number): Stroke {
  return new Stroke({ color, width, lineJoin: "round", lineCap: "round" });
}
