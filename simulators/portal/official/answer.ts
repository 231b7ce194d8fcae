import { findPlace } from "#core/places/places.ts";
import { type Advert, isHouse } from "../market/advert.ts";
import type { Market } from "../market/market.ts";
import type { SearchRequest } from "./read-request.ts";
import { distanceTo, selectAdverts } from "./select-adverts.ts";

const OPERATION_WORDS = { sale: "Comprar", rent: "Alquilar" };
const TYPE_WORDS = {
  homes: "Viviendas",
  offices: "Oficinas",
  premises: "Locales o naves",
  garages: "Garajes",
  bedrooms: "Habitaciones",
};
const TITLES: Readonly<Record<string, string>> = {
  flat: "Piso",
  penthouse: "Ático",
  duplex: "Dúplex",
  studio: "Estudio",
  chalet: "Casa o chalet",
  countryHouse: "Casa rural",
  room: "Habitación",
  garage: "Garaje",
  office: "Oficina",
  premise: "Local",
};
const LABELS = { luxuryType: "Lujo", villaType: "Villa", apartamentoType: "Apartamento", loftType: "Loft" };

/** One page of results. A page past the end has no elements and the same total. Texts are Spanish in every locale. */
export function searchAnswer(market: Market, request: SearchRequest) {
  const found = selectAdverts(market, request);
  const from = (request.numPage - 1) * request.maxItems;
  const page = found.slice(from, from + request.maxItems);
  const type = TYPE_WORDS[request.propertyType];
  const { locationId } = request;
  const placeName = locationId === null ? undefined : (findPlace(locationId)?.name ?? locationId);
  return {
    elementList: page.map((advert) => elementOf(advert, request.circle)),
    total: found.length,
    totalPages: Math.ceil(found.length / request.maxItems),
    actualPage: request.numPage,
    itemsPerPage: request.maxItems,
    numPaginations: 0,
    summary: [
      OPERATION_WORDS[request.operation],
      type,
      ...(placeName ? [placeName] : []),
      "Todos los precios",
    ],
    ...(placeName === undefined ? {} : { filter: { locationName: placeName } }),
    alertName: `${type} en ${placeName ?? "…"}`,
    totalAppliedFilters: request.totalAppliedFilters,
    lowerRangePosition: from,
    upperRangePosition: from + page.length,
    paginable: true,
  };
}

export function elementOf(advert: Advert, circle: SearchRequest["circle"]) {
  const { spot } = advert;
  const isNew = advert.condition === "newdevelopment";
  const hasCondition = ["homes", "offices", "premises"].includes(advert.propertyType);
  return {
    country: "es",
    propertyCode: advert.code,
    ...(advert.photoCount === 0 ? {} : { thumbnail: photoOf(advert, 1) }),
    numPhotos: advert.photoCount,
    ...present({ floor: advert.floor }),
    price: advert.priceEur,
    priceInfo: { price: { amount: advert.priceEur, ...priceDropOf(advert) } },
    propertyType: advert.typology === "flat" ? (advert.subTypology ?? "flat") : advert.typology,
    operation: advert.operation,
    ...present({ size: advert.sizeM2, rooms: advert.rooms, bathrooms: advert.bathrooms }),
    ...(isHouse(advert) ? {} : present({ exterior: advert.isExterior, hasLift: advert.hasLift })),
    address: addressOf(advert),
    province: spot.province,
    municipality: spot.municipality,
    ...present({ district: spot.district, neighborhood: spot.neighborhood }),
    latitude: advert.shownLatitude,
    longitude: advert.shownLongitude,
    showAddress: advert.isAddressShown,
    url: `https://www.idealista.com/inmueble/${advert.code}/`,
    ...(circle === null ? {} : { distance: String(Math.round(distanceTo(advert, circle))) }),
    description: advert.description ?? `${titleOf(advert)}, ${advert.sizeM2 ?? "?"} m².`,
    ...(hasCondition ? { status: advert.condition } : {}),
    newDevelopment: isNew,
    ...(isNew ? { newDevelopmentFinished: false } : {}),
    ...(advert.hasParking ? { parkingSpace: parkingOf(advert) } : {}),
    priceByArea: Math.round(advert.priceEur / (advert.sizeM2 ?? 11)),
    detailedType: { typology: advert.typology, ...present({ subTypology: advert.subTypology }) },
    suggestedTexts: { subtitle: subtitleOf(advert), title: titleOf(advert) },
    hasVideo: advert.hasVideo,
    hasPlan: advert.hasPlan,
    has3DTour: advert.has3DTour,
    has360: false,
    hasStaging: false,
    topNewDevelopment: false,
    topPlus: false,
    ...(advert.label === null ? {} : { labels: [{ name: advert.label, text: LABELS[advert.label] }] }),
    ...(advert.highlight === null ? {} : { highlight: { groupDescription: advert.highlight } }),
    ...(advert.propertyType === "bedrooms" ? sharingOf(advert) : {}),
  };
}

export function photoOf(advert: Advert, number: number): string {
  return `https://img3.idealista.com/blur/WEB_LISTING/0/id.pro.es.image.master/00/${advert.code}/${number}.jpg`;
}

export function titleOf(advert: Advert): string {
  const kind = TITLES[advert.subTypology ?? ""] ?? TITLES[advert.typology] ?? advert.typology;
  return advert.street === null ? kind : `${kind} en ${addressOf(advert)}`;
}

/** Without fields that have no value. */
function present(fields: Readonly<Record<string, string | number | boolean | null>>) {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

function priceDropOf({ formerPriceEur, priceEur }: Advert) {
  if (formerPriceEur === null) {
    return {};
  }
  const priceDropValue = formerPriceEur - priceEur;
  const priceDropPercentage = Math.round((100 * priceDropValue) / formerPriceEur);
  return { priceDropInfo: { formerPrice: formerPriceEur, priceDropValue, priceDropPercentage } };
}

function parkingOf({ parkingPriceEur }: Advert) {
  return {
    hasParkingSpace: true,
    isParkingSpaceIncludedInPrice: parkingPriceEur === null,
    ...present({ parkingSpacePrice: parkingPriceEur }),
  };
}

function sharingOf({ gender, tenants, smokePolicy }: Advert) {
  return { tenantGender: gender, tenantNumber: tenants, isSmokingAllowed: smokePolicy === "allowed" };
}

function addressOf({ street, streetNumber, isAddressShown, spot }: Advert): string {
  if (street === null) {
    return spot.neighborhood === null ? spot.municipality : `barrio ${spot.neighborhood}`;
  }
  return isAddressShown ? `${street}, ${streetNumber}` : street;
}

function subtitleOf({ spot }: Advert): string {
  const inner = spot.neighborhood ?? spot.district;
  return inner === null ? spot.municipality : `${inner}, ${spot.municipality}`;
}
