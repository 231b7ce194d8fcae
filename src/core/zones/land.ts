import { type Box, boxOf, isInBox, widened } from "../geo/box.ts";
import { distanceToBorderM, isInRing } from "../geo/drawn-area.ts";
import { decodePolyline, type Point } from "../geo/polyline.ts";
import { areasInNet } from "./area-net.ts";

export interface Province {
  readonly id: string;
  readonly name: string;
  readonly rings: readonly (readonly Point[])[];
  readonly box: Box;
}

/** Coasts and provinces, the ground of every map. */
export interface Land {
  readonly provinces: readonly Province[];
  /** Of the neighbouring countries. */
  readonly abroad: readonly (readonly Point[])[];
}

let loaded: Promise<Land> | undefined;

export function loadLand(): Promise<Land> {
  loaded ??= readLand().catch((error: unknown) => {
    loaded = undefined;
    throw error;
  });
  return loaded;
}

async function readLand(): Promise<Land> {
  const [{ PROVINCES_AREAS }, { COUNTRY_RINGS }] = await Promise.all([
    import("./spain/provinces.ts"),
    import("./spain/countries.ts"),
  ]);
  return {
    provinces: areasInNet(PROVINCES_AREAS).flatMap(({ id, name, rings }) => {
      const box = boxOf(rings.flat());
      return box ? [{ id: `0-EU-ES-${id}`, name, rings, box }] : [];
    }),
    abroad: COUNTRY_RINGS.split(" ").map((ring) => decodePolyline(ring) ?? []),
  };
}

/** The coast is drawn roughly: a home on a pier is still in its province. */
const OFF_COAST_M = 3_000;

/** The id of the province at a point; null at sea and abroad. */
export function provinceAt({ provinces }: Land, point: Point): string | null {
  const near = provinces.filter(({ box }) => isInBox(widened(box, OFF_COAST_M), point));
  const around = near.find(({ rings }) => rings.some((ring) => isInRing(ring, point)));
  if (around) return around.id;
  const [nearest] = near
    .map(({ id, rings }) => ({ id, away: Math.min(...rings.map((ring) => distanceToBorderM(ring, point))) }))
    .toSorted((one, other) => one.away - other.away);
  return nearest && nearest.away <= OFF_COAST_M ? nearest.id : null;
}
