import { useMemo, useState } from "react";
import { type Box, boxOf, middleOf, overlap } from "#core/geo/box.ts";
import { joinedModel, type MapModel, mapModelOf } from "#core/map/map-model.ts";
import { type PlaceGroup, placeGroupsOf, pointOf, type Sheet } from "#core/map/sheets.ts";
import type { Zone } from "#core/zones/city-shapes.ts";
import type { SeenPart } from "#web/components/map/map-control.ts";
import { placeNameOf } from "#web/components/map/place-names.ts";

/** A sheet, and what the map shows of it. */
export interface PlacedSheet extends Sheet {
  readonly model: MapModel;
}

/** A group of the list; undefined if nothing of it has a place on the map. */
export interface PlacedGroup extends PlaceGroup {
  /** Empty if unknown. */
  readonly name: string;
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
  readonly onMove: (seen: SeenPart) => void;
}

/** One map for all sheets, and the list in step with the part of the map that is seen. */
export function useSheets(given: readonly Sheet[], zones: ReadonlyMap<string, readonly Zone[]>): Sheets {
  const [seen, setSeen] = useState<SeenPart | null>(null);
  const sheets = useMemo(
    () =>
      given.map((sheet) => ({
        ...sheet,
        model: mapModelOf({ ...sheet, zones: zones.get(sheet.provinceId ?? "") ?? [] }),
      })),
    [given, zones],
  );
  const model = useMemo(() => joinedModel(sheets.map((sheet) => sheet.model)), [sheets]);
  const groups = useMemo(() => {
    const zonesById = Map.groupBy(model.zones, ({ placeId }) => placeId);
    const points = sheets.flatMap((sheet) => sheet.points);
    return placeGroupsOf(points, model.zones).map((group) => {
      const [zone, ...parts] = zonesById.get(group.placeId ?? "") ?? [];
      const rings = [zone, ...parts].flatMap((part) => part?.ring ?? []);
      return {
        ...group,
        name: zone?.town?.name ?? (group.placeId ? placeNameOf(group.placeId) : ""),
        box: boxOf([...rings, ...group.finds.flatMap((find) => pointOf(find) ?? [])]),
      };
    });
  }, [sheets, model]);
  // The map says what it shows after its first frame. Until then it is about the initial view.
  const seenBox = seen?.box ?? model.first;
  const isInView = ({ box }: PlacedGroup) => box !== undefined && overlap(box, seenBox);
  return {
    model,
    sheets,
    current: nearest(sheets, seen),
    inView: groups.filter(isInView),
    outside: groups.filter((group) => !isInView(group)),
    onMove: setSeen,
  };
}

function nearest(sheets: readonly PlacedSheet[], seen: SeenPart | null): PlacedSheet | undefined {
  if (!seen) return sheets[0];
  const awayOf = ({ model }: PlacedSheet) => {
    const { latitude, longitude } = middleOf(model.first);
    return Math.hypot(latitude - seen.middle.latitude, longitude - seen.middle.longitude);
  };
  return sheets.toSorted((one, other) => awayOf(one) - awayOf(other))[0];
}
