import type { Answer } from "../answer.ts";
import type { Advert } from "../market/advert.ts";
import type { Market } from "../market/market.ts";
import { elementOf, photoOf } from "../official/answer.ts";
import { relevanceOf } from "../official/select-adverts.ts";
import { fitsSearch, readSearchUrl } from "./read-search-url.ts";

const MAX_RESULTS = 50;

/** GET /property-search-by-url: searches by a pasted URL, and answers as the API of the portal's app does. */
export function answerByUrl(market: Market, query: ReadonlyMap<string, string>): Answer {
  const page = Number(query.get("page") ?? 1);
  const size = Number(query.get("result_count") ?? 20);
  if (![page, size].every((value) => Number.isInteger(value) && value >= 1) || size > MAX_RESULTS) {
    return failure(`page and result_count must be whole numbers, result_count at most ${MAX_RESULTS}`);
  }
  const url = query.get("url");
  const reading = readSearchUrl(url ?? "");
  if (!reading.isRead && reading.reason === "not-a-search") {
    return failure(url ? "url is not a search of the portal" : "url is required");
  }
  const found = reading.isRead ? selectByUrl(market, reading.search) : [];
  const listings = found.slice((page - 1) * size, page * size).map(appElementOf);
  return { status: 200, body: { success: true, data: { total: found.length, listings } } };
}

function selectByUrl(market: Market, search: Parameters<typeof fitsSearch>[0]): Advert[] {
  const found = market
    .select(search.operation, search.propertyType, search.placeId)
    .filter((advert) => fitsSearch(search, advert, market.now))
    .reverse();
  return search.isNewestFirst ? found : found.sort((a, b) => relevanceOf(b) - relevanceOf(a));
}

/** What the app's API adds to the official one: features, the place's id, the advertiser. */
function appElementOf(advert: Advert) {
  const { privateAdvertiser: isPrivate } = advert;
  const photos = Array.from({ length: Math.min(advert.photoCount, 3) }, (_, index) =>
    photoOf(advert, index + 1),
  );
  return {
    ...elementOf(advert, null),
    locationId: advert.spot.id,
    features: {
      hasSwimmingPool: advert.swimmingPool,
      hasTerrace: advert.terrance,
      hasAirConditioning: advert.airConditioning,
      hasBoxRoom: advert.storeRoom,
      hasGarden: advert.garden,
    },
    contactInfo: {
      userType: isPrivate ? "private" : "professional",
      contactMethod: "all",
      commercialName: isPrivate ? "" : "Inmobiliaria Uno",
    },
    multimedia: { images: photos.map((url) => ({ url })) },
  };
}

function failure(message: string): Answer {
  return { status: 400, body: { success: false, message } };
}
