import { useMemo, useState } from "react";
import { type Box, boxOf, isInBox, overlap } from "#core/geo/box.ts";
import { type MapModel, mapModelOf, SPAIN_BOX } from "#core/map/map-model.ts";
import { type PlaceGroup, placeGroupsOf } from "#core/map/place-groups.ts";
import { pointOf, type Sheet } from "#core/map/sheets.ts";
import type { Zone } from "#core/zones/city-shapes.ts";
import type { SeenPart } from "#web/components/map/map-control.ts";

/** A sheet, and the part of the map that shows it. */
export interface PlacedSheet extends Sheet {
  readonly first: Box;
}

/** A group of the list; undefined if nothing of it has a place on the map. */
export interface PlacedGroup extends PlaceGroup {
  readonly box: Box | undefined;
}

interface Sheets {
  /** All sheets on one map. */
  readonly model: MapModel;
  readonly sheets: readonly PlacedSheet[];
  /** The sheet that the map shows. */
  readonly current: PlacedSheet | undefined;
  readonly inView: readonly PlacedGroup[];
  readonly outside: readonly PlacedGroup[];
  readonly allZones: readonly Zone[];
  readonly onMove: (seen: SeenPart) => void;
}

/** One map for all sheets, and the list in step with the part of the map that is seen. */
export function useSheets(given: readonly Sheet[], zones: ReadonlyMap<string, readonly Zone[]>): Sheets {
  const allZones = useMemo(() => [...zones.values()].flat(), [zones]);
  const models = useMemo(
    () => given.map((sheet) => mapModelOf({ ...sheet, zones: zones.get(sheet.provinceId ?? "") ?? [] })),
    [given, zones],
  );
  const sheets = useMemo(
    () => given.map((sheet, index) => ({ ...sheet, first: models[index]?.first ?? SPAIN_BOX })),
    [given, models],
  );
  const [seen, setSeen] = useState<SeenPart | null>(null);
  const points = useMemo(() => sheets.flatMap((sheet) => sheet.points), [sheets]);
  const model = useMemo(() => {
    const [first, ...others] = models;
    if (first && others.length === 0) return first;
    const all = mapModelOf({ points, areas: sheets.flatMap(({ areas }) => areas), zones: allZones });
    return { ...all, first: first?.first ?? all.first };
  }, [points, sheets, models, allZones]);
  const groups = useMemo(() => {
    const rings = new Map(allZones.map(({ placeId, ring }) => [placeId, ring]));
    return placeGroupsOf(points, allZones).map((group) => ({
      ...group,
      box: boxOf([
        ...(rings.get(group.placeId ?? "") ?? []),
        ...group.finds.flatMap((find) => pointOf(find) ?? []),
      ]),
    }));
  }, [points, allZones]);
  const isInView = ({ box }: PlacedGroup) => box !== undefined && (!seen || overlap(box, seen.box));
  return {
    model,
    sheets,
    current: sheets.find(({ first }) => seen && isInBox(first, seen.middle)) ?? nearest(sheets, seen),
    inView: groups.filter(isInView),
    outside: groups.filter((group) => !isInView(group)),
    allZones,
    onMove: setSeen,
  };
}

function nearest(sheets: readonly PlacedSheet[], seen: SeenPart | null): PlacedSheet | undefined {
  if (!seen) return sheets[0];
  const awayOf = ({ first }: PlacedSheet) =>
    Math.hypot(
      (first.south + first.north) / 2 - seen.middle.latitude,
      (first.west + first.east) / 2 - seen.middle.longitude,
    );
  return sheets.toSorted((one, other) => awayOf(one) - awayOf(other))[0];
}
