import type { Advert } from "../market/advert.ts";
import { isHouse } from "../market/advert.ts";
import type { Market } from "../market/market.ts";
import type { SearchRequest } from "./read-request.ts";
import { distanceTo, selectAdverts } from "./select-adverts.ts";

const WORDS = {
  es: {
    sale: "Comprar",
    rent: "Alquilar",
    homes: "Viviendas",
    offices: "Oficinas",
    premises: "Locales o naves",
    garages: "Garajes",
    bedrooms: "Habitaciones",
    allPrices: "Todos los precios",
    in: "en",
    titles: {
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
    },
  },
  en: {
    sale: "Buy",
    rent: "Rent",
    homes: "Homes",
    offices: "Offices",
    premises: "Premises or industrial buildings",
    garages: "Garages",
    bedrooms: "Rooms",
    allPrices: "All prices",
    in: "in",
    titles: {
      flat: "Flat",
      penthouse: "Penthouse",
      duplex: "Duplex",
      studio: "Studio flat",
      chalet: "House",
      countryHouse: "Country house",
      room: "Room",
      garage: "Garage",
      office: "Office",
      premise: "Premises",
    },
  },
};

/** The envelope of one page; a page past the end has no elements and the same total. */
export function searchAnswer(market: Market, request: SearchRequest) {
  const found = selectAdverts(market, request);
  const from = (request.numPage - 1) * request.maxItems;
  const page = found.slice(from, from + request.maxItems);
  const words = wordsOf(request.locale);
  const place = request.locationId === null ? undefined : market.geography.findPlace(request.locationId);
  return {
    elementList: page.map((advert) => elementOf(advert, request)),
    total: found.length,
    totalPages: Math.ceil(found.length / request.maxItems),
    actualPage: request.numPage,
    itemsPerPage: request.maxItems,
    numPaginations: 0,
    summary: [
      words[request.operation],
      words[request.propertyType],
      ...(place === undefined ? [] : [place.name]),
      words.allPrices,
    ],
    ...(request.locationId === null ? {} : { filter: { locationName: place?.name ?? request.locationId } }),
    alertName: `${words[request.propertyType]} ${words.in} ${place?.name ?? "…"}`,
    totalAppliedFilters: request.totalAppliedFilters,
    lowerRangePosition: from,
    upperRangePosition: from + page.length,
    paginable: true,
  };
}

export function elementOf(advert: Advert, request: Pick<SearchRequest, "circle" | "locale">) {
  const { spot } = advert;
  const isHome = advert.propertyType === "homes";
  return {
    country: "es",
    propertyCode: advert.code,
    ...(advert.photoCount === 0 ? {} : { thumbnail: photoOf(advert, 1) }),
    ...optional("externalReference", advert.reference),
    numPhotos: advert.photoCount,
    ...optional("floor", advert.floor),
    price: advert.priceEur,
    priceInfo: { price: { amount: advert.priceEur, ...priceDropOf(advert) } },
    propertyType: publicTypeOf(advert),
    operation: advert.operation,
    ...optional("size", advert.sizeM2),
    ...(isHouse(advert) ? {} : optional("exterior", advert.isExterior)),
    ...optional("rooms", advert.rooms),
    ...optional("bathrooms", advert.bathrooms),
    address: addressOf(advert),
    province: spot.province,
    municipality: spot.municipality,
    ...optional("district", spot.district),
    ...optional("neighborhood", spot.neighborhood),
    latitude: advert.shownLatitude,
    longitude: advert.shownLongitude,
    showAddress: advert.isAddressShown,
    url: `https://www.idealista.com/inmueble/${advert.code}/`,
    ...(request.circle === null ? {} : { distance: String(Math.round(distanceTo(advert, request.circle))) }),
    description: `${titleOf(advert, "es")}, ${advert.sizeM2 ?? "?"} m².`,
    hasVideo: advert.hasVideo,
    ...(isHome || advert.propertyType === "offices" || advert.propertyType === "premises"
      ? { status: advert.condition }
      : {}),
    newDevelopment: advert.condition === "newdevelopment",
    ...(advert.condition === "newdevelopment" ? { newDevelopmentFinished: false } : {}),
    ...(isHouse(advert) ? {} : optional("hasLift", advert.hasLift)),
    ...parkingOf(advert),
    priceByArea: Math.round(advert.priceEur / (advert.sizeM2 ?? 11)),
    detailedType: { typology: advert.typology, ...optional("subTypology", advert.subTypology) },
    suggestedTexts: { subtitle: subtitleOf(advert), title: titleOf(advert, request.locale) },
    hasPlan: advert.hasPlan,
    has3DTour: advert.has3DTour,
    has360: advert.has360,
    hasStaging: false,
    topNewDevelopment: false,
    topPlus: false,
    ...(advert.label === null ? {} : { labels: [advert.label] }),
    ...(advert.highlight === null ? {} : { highlight: { groupDescription: advert.highlight } }),
    ...(advert.propertyType === "bedrooms" ? sharingOf(advert) : {}),
  };
}

export function photoOf(advert: Advert, number: number): string {
  return `https://img3.idealista.com/blur/WEB_LISTING/0/id.pro.es.image.master/00/${advert.code}/${number}.jpg`;
}

export function titleOf(advert: Advert, locale: string): string {
  const words = wordsOf(locale);
  const kinds: Readonly<Record<string, string>> = words.titles;
  const kind = kinds[advert.subTypology ?? ""] ?? kinds[advert.typology] ?? advert.typology;
  return advert.street === null ? kind : `${kind} ${words.in} ${addressOf(advert)}`;
}

function wordsOf(locale: string) {
  return locale === "en" ? WORDS.en : WORDS.es;
}

function optional<K extends string, V>(name: K, value: V | null): { [key in K]?: V } {
  return value === null ? {} : ({ [name]: value } as { [key in K]: V });
}

function publicTypeOf(advert: Advert): string {
  const isNamedFlat = advert.typology === "flat" && advert.subTypology !== null;
  return isNamedFlat ? (advert.subTypology ?? advert.typology) : advert.typology;
}

function priceDropOf(advert: Advert) {
  if (advert.formerPriceEur === null) {
    return {};
  }
  const fall = advert.formerPriceEur - advert.priceEur;
  return {
    priceDropInfo: {
      formerPrice: advert.formerPriceEur,
      priceDropValue: fall,
      priceDropPercentage: Math.round((100 * fall) / advert.formerPriceEur),
    },
  };
}

function parkingOf(advert: Advert) {
  return advert.parking === null
    ? {}
    : {
        parkingSpace: {
          hasParkingSpace: true,
          isParkingSpaceIncludedInPrice: advert.parking.isIncluded,
          ...optional("parkingSpacePrice", advert.parking.priceEur),
        },
      };
}

function sharingOf(advert: Advert) {
  return {
    tenantGender: advert.traits.gender,
    tenantNumber: advert.traits.tenants,
    isSmokingAllowed: advert.traits.smokePolicy === "allowed",
  };
}

function addressOf(advert: Advert): string {
  if (advert.street === null) {
    return advert.spot.neighborhood === null
      ? advert.spot.municipality
      : `barrio ${advert.spot.neighborhood}`;
  }
  return advert.isAddressShown ? `${advert.street}, ${advert.streetNumber}` : advert.street;
}

function subtitleOf(advert: Advert): string {
  const { neighborhood, district, municipality } = advert.spot;
  return neighborhood === null && district === null
    ? municipality
    : `${neighborhood ?? district}, ${municipality}`;
}
