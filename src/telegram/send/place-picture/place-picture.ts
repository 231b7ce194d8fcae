import type { AlertListing, AlertNews } from "#core/alert/alert.ts";
import type { Point } from "#core/geo/polyline.ts";
import { drawArea } from "#core/map/area-drawing.ts";
import { NIGHT } from "#core/map/palette.ts";
import { provinceIdOf } from "#core/map/sheets.ts";
import { findPlace, placeOfNames } from "#core/places/places.ts";
import { ZONES_ATTRIBUTION, type Zone } from "#core/zones/city-shapes.ts";
import { type Land, loadLand, provinceAt } from "#core/zones/land.ts";
import { loadZones } from "#core/zones/load-shapes.ts";
import { TOWNS_ATTRIBUTION, townOfPlace } from "#core/zones/towns.ts";
import { zoneAt } from "#core/zones/zone-at.ts";
import { rasterize } from "./rasterize.ts";

/** A listing is sent to several chats. About 60 kB each. */
const MOST_PICTURES = 64;
/** More digits make no visible difference. */
const POINT_DIGITS = 4;
/** While this many are being drawn, other alerts are sent as text. */
const MOST_AT_ONCE = 4;
const SIZE = { width: 800, height: 500 };

/** What an alert may contain about the place of a home. */
interface ListingPlace extends Pick<AlertListing, "neighborhood" | "district" | "municipality"> {
  readonly placeId?: string | null;
  readonly latitude?: number | null;
  readonly longitude?: number | null;
}

interface DrawnPlace {
  readonly zone: Zone;
  readonly zones: readonly Zone[];
  readonly land: Land;
  /** Undefined if only the zone is known. */
  readonly point: Point | undefined;
}

export type PictureOf = (news: AlertNews) => Promise<Uint8Array | null>;

/** Draws a map of a home's place, for alerts without a photo. Returns null if the place is unknown or too many are being drawn. */
export function createPlacePictures(): PictureOf {
  const pictures = new Map<string, Promise<Uint8Array>>();
  let drawingCount = 0;
  const draw = async (place: DrawnPlace): Promise<Uint8Array> => {
    drawingCount += 1;
    try {
      return await rasterize(svgOf(place));
    } finally {
      drawingCount -= 1;
    }
  };
  return async (news) => {
    const listing = listingOf(news);
    const place = listing && (await placeOf(listing));
    if (!place) return null;
    const key = keyOf(place);
    const known = pictures.get(key);
    if (known !== undefined) return known;
    if (drawingCount >= MOST_AT_ONCE) return null;
    const picture = draw(place);
    keep(pictures, key, picture);
    picture.catch(() => pictures.delete(key));
    return picture;
  };
}

function svgOf({ zone, zones, land, point }: DrawnPlace): string {
  const sources = [...(zone.town ? [] : [ZONES_ATTRIBUTION]), TOWNS_ATTRIBUTION];
  const svg = drawArea({
    area: { placeId: zone.placeId, rings: [] },
    zones,
    land,
    palette: NIGHT,
    size: SIZE,
    home: point ?? "somewhere",
    captions: { title: zone.town?.name ?? findPlace(zone.placeId)?.name ?? "", source: sources.join(" · ") },
  });
  if (svg === undefined) throw new Error("A zone has a border");
  return svg;
}

/** Drops the oldest. */
function keep(pictures: Map<string, Promise<Uint8Array>>, key: string, picture: Promise<Uint8Array>): void {
  pictures.set(key, picture);
  const [oldest] = pictures.keys();
  if (pictures.size > MOST_PICTURES && oldest !== undefined) pictures.delete(oldest);
}

function keyOf({ zone, point }: DrawnPlace): string {
  const { latitude, longitude } = point ?? {};
  return [zone.placeId, latitude?.toFixed(POINT_DIGITS), longitude?.toFixed(POINT_DIGITS)].join(" ");
}

function listingOf(news: AlertNews): ListingPlace | undefined {
  return "listing" in news.payload && news.kind !== "gone" ? news.payload.listing : undefined;
}

async function placeOf(listing: ListingPlace): Promise<DrawnPlace | undefined> {
  const said = pointOf(listing);
  const named = listing.placeId ?? placeOfNames({ ...listing, province: listing.municipality })?.id;
  const land = await loadLand();
  const provinceId = named ? provinceIdOf(named) : said && provinceAt(land, said);
  const zones = await loadZones(provinceId ?? "");
  const around = said && zoneAt(zones, said);
  const zone = around ?? (named ? zoneNamed(zones, named) : undefined);
  // Ignore a point outside the province: it is wrong.
  return zone && { zone, zones, land, point: around && said };
}

function zoneNamed(zones: readonly Zone[], placeId: string): Zone | undefined {
  const townId = townOfPlace(placeId);
  return zones.find((zone) => zone.placeId === placeId) ?? zones.find((zone) => zone.placeId === townId);
}

function pointOf({ latitude = null, longitude = null }: ListingPlace): Point | undefined {
  return latitude === null || longitude === null ? undefined : { latitude, longitude };
}
