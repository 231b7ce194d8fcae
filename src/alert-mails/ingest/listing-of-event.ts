import type { Listing } from "#core/listing/listing.ts";
import { placeOfAddress } from "#core/places/place-of-address.ts";
import { ancestorsOf, type Place, type PlaceLevel } from "#core/places/places.ts";
import { parseSearchUrl } from "#core/search/url/parse-search-url.ts";
import type { MailEvent } from "../read/mail-event.ts";

const MAX_TITLE_LENGTH = 200;
const MAX_NAME_LENGTH = 120;

/** Converts a mail's advert to a listing, with the catalogue's names if the address names a known place. */
export function listingOfEvent(event: MailEvent): Listing {
  return {
    propertyCode: event.listingId,
    operation: event.operation,
    kind: event.kind,
    priceEur: event.priceEur,
    areaM2: event.areaM2,
    rooms: event.rooms,
    bathrooms: null,
    floor: event.floor,
    hasLift: event.hasLift,
    isExterior: event.isExterior,
    typology: event.typology ?? "",
    subTypology: event.subTypology,
    condition: null,
    ...namesOf(event),
    placeId: null,
    latitude: null,
    longitude: null,
    isAddressShown: false,
    parking: null,
    labels: [],
    amenities: {},
    hasPlan: false,
    hasVirtualTour: false,
    photoCount: event.photoCount ?? 0,
    url: event.url,
    thumbnailUrl: event.photoUrl,
    title: event.title?.slice(0, MAX_TITLE_LENGTH).toWellFormed() ?? null,
    description: null,
    sharing: null,
  };
}

/** Facts from a feed take precedence over those of the mail, except for the price. */
export function completedBy(listing: Listing, met: Listing): Listing {
  return {
    ...met,
    priceEur: listing.priceEur,
    title: met.title ?? listing.title,
    address: met.address ?? listing.address,
    areaM2: met.areaM2 ?? listing.areaM2,
    rooms: met.rooms ?? listing.rooms,
    floor: met.floor ?? listing.floor,
    hasLift: met.hasLift ?? listing.hasLift,
    isExterior: met.isExterior ?? listing.isExterior,
    neighborhood: met.neighborhood ?? listing.neighborhood,
    district: met.district ?? listing.district,
    municipality: met.municipality ?? listing.municipality,
    thumbnailUrl: met.thumbnailUrl ?? listing.thumbnailUrl,
  };
}

type Names = Pick<Listing, "address" | "province" | "municipality" | "district" | "neighborhood">;

function namesOf({ address, searchUrl }: MailEvent): Names {
  const parts = address.slice(0, 5).map((part) => part.slice(0, MAX_NAME_LENGTH).toWellFormed());
  const searchedId = searchedPlaceOf(searchUrl);
  const place = placeOfAddress(parts, searchedId);
  // The first part is the street, unless it adds to the place what the others do not say.
  const isStreet = place === placeOfAddress(parts.slice(1), searchedId);
  const nameAt = placeNames(place);
  const town = nameAt("municipality") ?? (parts.length > 1 ? (parts.at(-1) ?? null) : null);
  const quarter =
    nameAt("barrio") ?? (parts.length > 2 && !nameAt("district") ? (parts.at(-2) ?? null) : null);
  return {
    address: isStreet ? (parts[0] ?? null) : null,
    province: nameAt("province"),
    municipality: town,
    district: nameAt("district"),
    neighborhood: quarter,
  };
}

function placeNames(place: Place | undefined): (level: PlaceLevel) => string | null {
  const places = place ? [place, ...ancestorsOf(place.id)] : [];
  return (level) => places.find((one) => one.level === level)?.name ?? null;
}

function searchedPlaceOf(searchUrl: string | null): string | null {
  const parsed = searchUrl === null ? null : parseSearchUrl(searchUrl);
  return parsed?.ok && parsed.search.where.type === "place" ? parsed.search.where.placeId : null;
}
