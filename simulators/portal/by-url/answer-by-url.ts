import type { Advert } from "../market/advert.ts";
import type { Market } from "../market/market.ts";
import { ANYWHERE } from "../market/shelves.ts";
import { elementOf, photoOf } from "../official/answer.ts";
import type { Answer } from "../official/tokens.ts";
import { fitsSearch, readSearchUrl, type UrlSearch } from "./read-search-url.ts";

const MAX_RESULTS = 50;

/** GET /property-search-by-url: the search of a pasted URL, elements in the shape of the portal's app. */
export function answerByUrl(market: Market, query: URLSearchParams): Answer {
  const text = query.get("url");
  if (text === null || text === "") {
    return failure(400, "url is required");
  }
  const page = wholeNumber(query.get("page"), 1);
  const size = wholeNumber(query.get("result_count"), 20);
  if (page === undefined || size === undefined || size > MAX_RESULTS) {
    return failure(400, `page and result_count must be whole numbers, result_count at most ${MAX_RESULTS}`);
  }
  const reading = readSearchUrl(text, market.geography);
  if (!reading.isRead && reading.reason === "not-a-search") {
    return failure(400, "url is not a search of the portal");
  }
  const found = reading.isRead ? selectByUrl(market, reading.search) : [];
  const listings = found.slice((page - 1) * size, page * size);
  const language = query.get("language") ?? "es";
  return {
    status: 200,
    body: {
      success: true,
      data: { total: found.length, listings: listings.map((advert) => appElementOf(advert, language)) },
    },
  };
}

function selectByUrl(market: Market, search: UrlSearch): Advert[] {
  const shelf = market.shelf(search.operation, search.propertyType, search.placeId ?? ANYWHERE);
  const found = shelf.filter((advert) => fitsSearch(search, advert, market.now)).reverse();
  return search.isNewestFirst ? found : found.sort((a, b) => relevanceOf(b) - relevanceOf(a));
}

function relevanceOf(advert: Advert): number {
  return (advert.highlight === null ? 0 : 1000) + advert.photoCount;
}

/** What the app's answers add to the official ones: features, the place's id, who advertises. */
function appElementOf(advert: Advert, locale: string) {
  const { traits } = advert;
  return {
    ...elementOf(advert, { circle: null, locale }),
    locationId: advert.spot.id,
    features: {
      hasSwimmingPool: traits.swimmingPool,
      hasTerrace: traits.terrance,
      hasAirConditioning: traits.airConditioning,
      hasBoxRoom: traits.storeRoom,
      hasGarden: traits.garden,
    },
    contactInfo: {
      userType: traits.privateAdvertiser ? "private" : "professional",
      contactMethod: "all",
      commercialName: traits.privateAdvertiser ? "" : `Inmobiliaria ${(advert.dwelling % 40) + 1}`,
    },
    multimedia: {
      images: Array.from({ length: Math.min(advert.photoCount, 3) }, (_, index) => ({
        url: photoOf(advert, index + 1),
      })),
    },
  };
}

function failure(status: number, message: string): Answer {
  return { status, body: { success: false, message } };
}

function wholeNumber(text: string | null, otherwise: number): number | undefined {
  const value = text === null ? otherwise : Number(text);
  return Number.isInteger(value) && value >= 1 ? value : undefined;
}
