import type { Point } from "#core/geo/polyline.ts";
import type { MapModel } from "#core/map/map-model.ts";
import type { Palette } from "#core/map/palette.ts";

export interface MapContents {
  readonly model: MapModel;
  readonly palette: Palette;
  /** Zones by price: the colour of each, and what is written on it. */
  readonly shades?: ReadonlyMap<string, { readonly color: string; readonly label: string }> | undefined;
  /** The zone that is looked at in the list. */
  readonly chosenId?: string | null | undefined;
  readonly places: readonly { readonly name: string; readonly point: Point }[];
}

/** What the style functions read. */
export interface LayerState extends MapContents {
  readonly hasStreets: boolean;
}
