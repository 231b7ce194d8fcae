import type { AlertListing, AlertNews } from "#core/alert/alert.ts";
import type { Point } from "#core/geo/polyline.ts";
import { drawGround, drawPlace, type Ground } from "#core/map/place-drawing.ts";
import { placeOfNames, provinceOf } from "#core/places/places.ts";
import { type Zone, zonesOf } from "#core/zones/city-shapes.ts";
import { loadShapes, provinceNear } from "#core/zones/load-shapes.ts";
import { zoneAt } from "#core/zones/zone-at.ts";
import { encodePng } from "./png.ts";

/** A listing is sent to several chats. About 60 kB each. */
const MOST_PICTURES = 64;
/** The backgrounds of zones, 1.2 MB each. */
const MOST_GROUNDS = 16;
/** More digits make no visible difference. */
const POINT_DIGITS = 4;
/** While this many are being drawn, other alerts are sent as text. */
const MOST_AT_ONCE = 4;

/** What an alert may contain about the place of a home. */
interface ListingPlace extends Pick<AlertListing, "neighborhood" | "district" | "municipality"> {
  readonly placeId?: string | null;
  readonly latitude?: number | null;
  readonly longitude?: number | null;
}

interface DrawnPlace {
  readonly zone: Zone;
  readonly zones: readonly Zone[];
  /** Undefined if only the zone is known. */
  readonly point: Point | undefined;
}

export type PictureOf = (news: AlertNews) => Promise<Uint8Array | null>;

/** Draws a map of a home's place, for alerts without a photo. Returns null if the place is unknown or too many are being drawn. */
export function createPlacePictures(): PictureOf {
  const pictures = new Map<string, Promise<Uint8Array>>();
  const grounds = new Map<string, Ground>();
  let drawingCount = 0;
  const draw = async ({ zone, zones, point }: DrawnPlace): Promise<Uint8Array> => {
    drawingCount += 1;
    try {
      const ground = grounds.get(zone.placeId) ?? drawGround(zone, zones);
      keep(grounds, { key: zone.placeId, value: ground, most: MOST_GROUNDS });
      return await encodePng(drawPlace(ground, point));
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
    keep(pictures, { key, value: picture, most: MOST_PICTURES });
    picture.catch(() => pictures.delete(key));
    return picture;
  };
}

/** Keeps the most recently used. */
function keep<Value>(
  kept: Map<string, Value>,
  { key, value, most }: { key: string; value: Value; most: number },
): void {
  kept.delete(key);
  kept.set(key, value);
  const [oldest] = kept.keys();
  if (kept.size > most && oldest !== undefined) kept.delete(oldest);
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
  const provinceId = named ? provinceOf(named)?.id : said && provinceNear(said);
  const shapes = await loadShapes(provinceId ?? "");
  if (!shapes) return undefined;
  const zones = zonesOf(shapes);
  const around = said && zoneAt(zones, said);
  const zone = around ?? zones.find(({ placeId }) => placeId === named);
  // Ignore a point outside the city's zones: it is wrong or not in the city.
  return zone && { zone, zones, point: around && said };
}

function pointOf({ latitude = null, longitude = null }: ListingPlace): Point | undefined {
  return latitude === null || longitude === null ? undefined : { latitude, longitude };
}
