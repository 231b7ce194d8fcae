import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Listing } from "#core/listing/listing.ts";
import { findPlace, placeOfNames } from "#core/places/places.ts";
import { readWireListing } from "./wire-listing.ts";

const FULL = {
  propertyCode: "90000002",
  thumbnail: "https://img3.idealista.com/1.jpg",
  numPhotos: 41,
  floor: "7",
  price: 1_250_000.0,
  priceInfo: {
    price: {
      amount: 1_250_000,
      priceDropInfo: { formerPrice: 1_300_000, priceDropValue: 50_000, priceDropPercentage: 4 },
    },
  },
  propertyType: "penthouse",
  operation: "sale",
  size: 142,
  exterior: true,
  rooms: 3,
  bathrooms: 3,
  address: "Calle de Prueba, 12",
  province: "Madrid",
  municipality: "Madrid",
  district: "Barrio de Salamanca",
  neighborhood: "Castellana",
  latitude: 40.43,
  longitude: -3.68,
  showAddress: true,
  url: "https://www.idealista.com/inmueble/90000002/",
  description: "Luminoso",
  status: "good",
  hasLift: true,
  parkingSpace: { hasParkingSpace: true, isParkingSpaceIncludedInPrice: false, parkingSpacePrice: 40_000 },
  detailedType: { typology: "flat", subTypology: "penthouse" },
  suggestedTexts: { title: "Ático en Calle de Prueba, 12", subtitle: "Castellana, Madrid" },
  labels: [{ name: "luxuryType", text: "Lujo" }],
  hasPlan: true,
  has3DTour: false,
  has360: true,
  hasVideo: false,
  somethingNew: { nobody: "knows" },
};

function requireListing(element: unknown, kind: Listing["kind"] = "homes"): Listing {
  const read = readWireListing(element, kind);
  if (!read.ok) {
    throw new Error(`rejected: ${read.rejection.field} ${read.rejection.problem}`);
  }
  return read.listing;
}

test("every field in use is parsed, and unknown ones are ignored", () => {
  expect(requireListing(FULL)).toEqual({
    propertyCode: "90000002",
    operation: "sale",
    kind: "homes",
    priceEur: 1_250_000,
    areaM2: 142,
    rooms: 3,
    bathrooms: 3,
    floor: "7",
    hasLift: true,
    isExterior: true,
    typology: "flat",
    subTypology: "penthouse",
    condition: "good",
    address: "Calle de Prueba, 12",
    province: "Madrid",
    municipality: "Madrid",
    district: "Barrio de Salamanca",
    neighborhood: "Castellana",
    placeId: null,
    latitude: 40.43,
    longitude: -3.68,
    isAddressShown: true,
    parking: { isIncludedInPrice: false, priceEur: 40_000 },
    labels: ["luxuryType"],
    amenities: {},
    hasPlan: true,
    hasVirtualTour: true,
    photoCount: 41,
    url: "https://www.idealista.com/inmueble/90000002/",
    thumbnailUrl: "https://img3.idealista.com/1.jpg",
    title: "Ático en Calle de Prueba, 12",
    description: "Luminoso",
    sharing: null,
  });
});

test("missing fields are unknown, not no", () => {
  const listing = requireListing({ propertyCode: 7, price: 100, operation: "rent", propertyType: "chalet" });
  expect(listing).toMatchObject({
    propertyCode: "7",
    typology: "chalet",
    rooms: null,
    hasLift: null,
    isExterior: null,
    floor: null,
    condition: null,
    parking: null,
    isAddressShown: false,
    url: "https://www.idealista.com/inmueble/7/",
  });
});

test.each([
  ["price", "495000"],
  ["price", -1],
  ["price", null],
  ["propertyCode", "12a"],
  ["propertyCode", undefined],
  ["operation", "lease"],
  ["rooms", "3"],
  ["size", "84 m²"],
  ["hasLift", "yes"],
  ["latitude", 400],
  ["district", 7],
  ["detailedType", "flat"],
])("%s = %j rejects the listing with that field's name", (field, value) => {
  const read = readWireListing({ ...FULL, [field]: value }, "homes");
  expect(read).toMatchObject({ ok: false, rejection: { field } });
});

test.each([null, 7, "text", [], {}])("%j is rejected without an exception", (element) => {
  expect(readWireListing(element, "homes").ok).toBe(false);
});

test.each([
  ["thumbnail", 5],
  ["description", { html: "" }],
  ["labels", "luxury"],
  ["numPhotos", "many"],
  ["hasPlan", "no"],
  ["suggestedTexts", []],
  ["url", 12],
])("%s = %j drops only that field", (field, value) => {
  expect(requireListing({ ...FULL, [field]: value }).priceEur).toBe(1_250_000);
});

test("links always lead to the portal", () => {
  for (const url of [
    "https://evil.example/inmueble/1/",
    "https://www.idealista.com.evil.example/",
    "javascript:alert(1)",
    "http://www.idealista.com/inmueble/90000002/",
    "https://www.idealista.com@evil.example/",
  ]) {
    expect(requireListing({ ...FULL, url }).url).toBe("https://www.idealista.com/inmueble/90000002/");
  }
});

test("characters that the database cannot store are removed from texts", () => {
  const listing = requireListing({ ...FULL, description: "a\0b\ud800c", district: "Cent\0ro" });
  expect(listing).toMatchObject({ description: "ab\ufffdc", district: "Centro" });
});

test("features, place and advertiser of a richer source are parsed", () => {
  const listing = requireListing({
    ...FULL,
    locationId: "0-EU-ES-28-07-001-079-04-006",
    features: { hasTerrace: true, hasSwimmingPool: false, hasAirConditioning: true, hasBoxRoom: "yes" },
    contactInfo: { userType: "private" },
  });
  expect(listing.placeId).toBe("0-EU-ES-28-07-001-079-04-006");
  expect(listing.amenities).toEqual({
    terrace: true,
    "swimming-pool": false,
    "air-conditioning": true,
    "private-advertiser": true,
  });
});

test("a new development has the condition new, whatever its status", () => {
  expect(requireListing({ ...FULL, status: "newdevelopment" }).condition).toBe("new");
  expect(requireListing({ ...FULL, newDevelopment: true }).condition).toBe("new");
  expect(requireListing({ ...FULL, status: "ruin" }).condition).toBeNull();
});

const REAL_ELEMENTS = new URL("../../../shared/data/api-madrid-sale-2024.jsonl", import.meta.url);

describe.skipIf(!existsSync(REAL_ELEMENTS))("435 real elements of 2024 (skipped without the file)", () => {
  const elements = existsSync(REAL_ELEMENTS)
    ? readFileSync(REAL_ELEMENTS, "utf8")
        .trim()
        .split("\n")
        .map((line): Record<string, unknown> => JSON.parse(line))
    : [];

  test("all are parsed", () => {
    expect(elements.length).toBe(435);
    expect(elements.filter((element) => !readWireListing(element, "homes").ok)).toEqual([]);
  });

  test("no field in use is lost", () => {
    for (const element of elements) {
      const listing = requireListing(element);
      const detailed = element.detailedType as { typology: string; subTypology?: string };
      expect(listing).toMatchObject({
        propertyCode: element.propertyCode,
        operation: element.operation,
        priceEur: element.price,
        areaM2: element.size,
        rooms: element.rooms,
        bathrooms: element.bathrooms,
        floor: element.floor ?? null,
        hasLift: element.hasLift ?? null,
        isExterior: element.exterior ?? null,
        typology: detailed.typology,
        subTypology: detailed.subTypology ?? null,
        condition: element.status === "newdevelopment" ? "new" : element.status,
        address: element.address,
        province: element.province,
        municipality: element.municipality,
        district: element.district,
        neighborhood: element.neighborhood,
        latitude: element.latitude,
        longitude: element.longitude,
        isAddressShown: element.showAddress,
        hasPlan: element.hasPlan,
        hasVirtualTour: element.has3DTour || element.has360,
        photoCount: element.numPhotos,
        url: element.url,
      });
      expect(listing.labels.length).toBe((element.labels as unknown[] | undefined)?.length ?? 0);
      expect(listing.parking === null).toBe(element.parkingSpace === undefined);
      expect(listing.title).toBe((element.suggestedTexts as { title: string }).title);
    }
  });

  test("each resolves to its district and barrio", () => {
    const unresolved = elements
      .map((element) => requireListing(element))
      .filter((listing) => placeOfNames(listing)?.level !== "barrio");
    expect(unresolved.map(({ district, neighborhood }) => `${district} / ${neighborhood}`)).toEqual([]);
    const [first] = elements.map((element) => requireListing(element));
    const place = first && placeOfNames(first);
    expect(place?.name).toBe(first?.neighborhood);
    expect(findPlace(place?.parentId ?? "")?.name).toBe(first?.district);
  });
});

test("FIND-01 photos need an https address, are unique and at most sixty; an invalid one is left out", () => {
  const read = (images: unknown) => {
    const result = readWireListing({ ...FULL, multimedia: { images } }, "homes");
    return result.ok ? result.listing.photoUrls : "rejected";
  };
  const url = (n: number) => `https://img3.idealista.com/${n}.jpg`;
  const odd = [null, 7, {}, { url: 5 }, { url: "http://img3.idealista.com/a.jpg" }, { url: "javascript:1" }];
  const long = { url: `https://img3.idealista.com/${"a".repeat(1_000)}` };
  expect(read([{ url: url(1) }, ...odd, long, { url: url(2) }, { url: url(1) }])).toEqual([url(1), url(2)]);
  expect(read(Array.from({ length: 500 }, (_, n) => ({ url: url(n) })))).toHaveLength(60);
  for (const none of [undefined, null, [], "x", odd]) expect(read(none)).toBeUndefined();
});
