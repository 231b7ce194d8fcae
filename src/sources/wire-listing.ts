import { z } from "zod";
import type { Listing } from "#core/listing/listing.ts";
import type { Rejection } from "#core/ports/source.ts";
import type { Condition, Feature, Kind } from "#core/search/search.ts";

/**
 * One element of an answer. Fields that decide a search must have the right type, or the element is rejected with the name of
 * the field. Fields that only decorate an alert (texts, pictures, flags) are dropped if invalid.
 */
const text = z.string().transform((value) => value.replaceAll("\0", "").toWellFormed());
const fact = <T extends z.ZodType>(schema: T) => schema.nullish().transform((value) => value ?? null);
const decoration = <T extends z.ZodType>(schema: T) =>
  schema
    .nullish()
    .catch(null)
    .transform((value) => value ?? null);
const flag = z.boolean().nullish().catch(false).transform(Boolean);
const count = z.int().min(0).max(1000);
const amountEur = z.number().min(0).max(1e10);
/** The documentation says integer, the answers contain strings. */
const propertyCode = z
  .union([z.string().regex(/^\d{1,15}$/), z.int().positive()], { error: "not a listing number" })
  .transform(String);

const wireListing = z.object({
  propertyCode,
  operation: z.enum(["sale", "rent"]),
  price: amountEur,
  size: fact(z.number().min(0).max(1e7)),
  rooms: fact(count),
  bathrooms: fact(count),
  floor: fact(z.union([text, z.int().transform(String)])),
  hasLift: fact(z.boolean()),
  exterior: fact(z.boolean()),
  propertyType: text,
  detailedType: fact(z.object({ typology: text, subTypology: fact(text) })),
  status: fact(text),
  newDevelopment: fact(z.boolean()),
  address: decoration(text),
  province: fact(text),
  municipality: fact(text),
  district: fact(text),
  neighborhood: fact(text),
  latitude: fact(z.number().min(-90).max(90)),
  longitude: fact(z.number().min(-180).max(180)),
  showAddress: fact(z.boolean()),
  parkingSpace: fact(
    z.object({
      hasParkingSpace: fact(z.boolean()),
      isParkingSpaceIncludedInPrice: decoration(z.boolean()),
      parkingSpacePrice: decoration(amountEur),
    }),
  ),
  labels: decoration(z.array(z.object({ name: text }))),
  tenantGender: fact(z.enum(["mixed", "male", "female"]).catch("mixed")),
  isSmokingAllowed: fact(z.boolean()),
  hasPlan: flag,
  has3DTour: flag,
  has360: flag,
  numPhotos: decoration(count),
  url: decoration(text),
  thumbnail: decoration(text),
  suggestedTexts: decoration(z.object({ title: decoration(text) })),
  description: decoration(text),
  locationId: decoration(z.string().regex(/^0-EU-[A-Z]{2}(-[0-9A-Z]+)+$/)),
  features: decoration(z.record(z.string(), z.unknown())),
  multimedia: decoration(z.object({ images: decoration(z.array(z.unknown())) })),
  contactInfo: decoration(z.object({ userType: decoration(text) })),
});
type WireListing = z.output<typeof wireListing>;

type ReadListing =
  | { readonly ok: true; readonly listing: Listing }
  | { readonly ok: false; readonly rejection: Rejection };

/** Parses one element of an answer to a query for this kind of property. */
export function readWireListing(element: unknown, kind: Kind): ReadListing {
  const parsed = wireListing.safeParse(element);
  if (parsed.success) {
    return { ok: true, listing: listingOf(parsed.data, kind) };
  }
  const issue = parsed.error.issues[0];
  return {
    ok: false,
    rejection: {
      field: issue?.path.join(".") ?? "",
      problem: issue?.message ?? "unreadable",
    },
  };
}

function listingOf(wire: WireListing, kind: Kind): Listing {
  return {
    propertyCode: wire.propertyCode,
    operation: wire.operation,
    kind,
    priceEur: wire.price,
    areaM2: wire.size,
    rooms: wire.rooms,
    bathrooms: wire.bathrooms,
    floor: wire.floor,
    hasLift: wire.hasLift,
    isExterior: wire.exterior,
    typology: wire.detailedType?.typology ?? wire.propertyType,
    subTypology: wire.detailedType?.subTypology ?? null,
    condition: conditionOf(wire),
    address: wire.address,
    province: wire.province,
    municipality: wire.municipality,
    district: wire.district,
    neighborhood: wire.neighborhood,
    placeId: wire.locationId,
    latitude: wire.latitude,
    longitude: wire.longitude,
    // If the answer does not say, assume that the coordinates are approximate.
    isAddressShown: wire.showAddress ?? false,
    parking: parkingOf(wire),
    labels: wire.labels?.map((label) => label.name) ?? [],
    amenities: amenitiesOf(wire),
    hasPlan: wire.hasPlan,
    hasVirtualTour: wire.has3DTour || wire.has360,
    photoCount: wire.numPhotos ?? 0,
    ...photosOf(wire),
    url: portalUrl(wire.url) ?? `https://www.idealista.com/inmueble/${wire.propertyCode}/`,
    thumbnailUrl: httpsUrl(wire.thumbnail),
    title: wire.suggestedTexts?.title ?? null,
    description: wire.description,
    sharing: kind === "rooms" ? sharingOf(wire) : null,
  };
}

const CONDITIONS: Readonly<Record<string, Condition>> = {
  good: "good",
  renew: "renew",
  newdevelopment: "new",
};

function conditionOf(wire: WireListing): Condition | null {
  return wire.newDevelopment ? "new" : (CONDITIONS[wire.status ?? ""] ?? null);
}

function parkingOf({ parkingSpace }: WireListing): Listing["parking"] {
  if (!parkingSpace?.hasParkingSpace) return null;
  const priceEur = parkingSpace.parkingSpacePrice;
  return { isIncludedInPrice: parkingSpace.isParkingSpaceIncludedInPrice ?? priceEur === null, priceEur };
}

const AMENITIES: readonly (readonly [wireName: string, feature: Feature])[] = [
  ["hasTerrace", "terrace"],
  ["hasSwimmingPool", "swimming-pool"],
  ["hasAirConditioning", "air-conditioning"],
  ["hasBoxRoom", "storage-room"],
  ["hasGarden", "garden"],
];

function amenitiesOf(wire: WireListing): Listing["amenities"] {
  const amenities: Partial<Record<Feature, boolean>> = {};
  for (const [wireName, feature] of AMENITIES) {
    const value = wire.features?.[wireName];
    if (typeof value === "boolean") {
      amenities[feature] = value;
    }
  }
  const userType = wire.contactInfo?.userType;
  if (userType === "private" || userType === "professional") {
    amenities["private-advertiser"] = userType === "private";
  }
  return amenities;
}

const PHOTOS_AT_MOST = 60;
const LONGEST_PHOTO_URL = 1_000;

function photosOf({ multimedia }: WireListing): Pick<Listing, "photoUrls"> {
  const urls = (multimedia?.images ?? []).slice(0, 2 * PHOTOS_AT_MOST).flatMap((image) => {
    const url = typeof image === "object" && image !== null && "url" in image ? image.url : null;
    const read = typeof url === "string" && url.length <= LONGEST_PHOTO_URL ? httpsUrl(url) : null;
    return read ?? [];
  });
  return urls.length === 0 ? {} : { photoUrls: [...new Set(urls)].slice(0, PHOTOS_AT_MOST) };
}

function sharingOf(wire: WireListing): Listing["sharing"] {
  return {
    tenantGender: wire.tenantGender,
    isSmokingAllowed: wire.isSmokingAllowed,
  };
}

/** Links must lead to the portal, whatever the answer contains. */
function portalUrl(value: string | null): string | null {
  const url = httpsUrl(value);
  return url !== null && /^(www\.)?idealista\.(com|it|pt)$/.test(new URL(url).host) ? url : null;
}

function httpsUrl(value: string | null): string | null {
  const url = value === null ? null : URL.parse(value);
  return url?.protocol === "https:" && url.username === "" ? url.href : null;
}
