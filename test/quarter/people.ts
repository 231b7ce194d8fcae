// The people of a simulated quarter: what each wanted and when they could be told, and what their chats received.
import { fitsSearch, readSearchUrl } from "#simulators/portal/by-url/read-search-url.ts";
import type { Advert } from "#simulators/portal/market/advert.ts";
import { placesAround } from "#simulators/portal/market/places.ts";
import type { Wish } from "./acts.ts";
import type { Received } from "./received.ts";

/** What holds from `at` on. */
export interface PersonState {
  readonly at: number;
  /** Null after they left. */
  readonly wish: Wish | null;
  readonly isPaused: boolean;
  readonly isChatLost: boolean;
}

export interface QuarterPerson {
  readonly number: number;
  readonly userId: string;
  readonly searchId: string;
  readonly chatId: number;
  readonly hasRule: boolean;
  /** Oldest first; the first is when they came. */
  readonly states: PersonState[];
  readonly received: Received[];
  /** How often they were told that their search is checked, by time. */
  readonly intervals: { at: number; seconds: number }[];
}

const SITE = "https://www.idealista.com";
const WORDS = { sale: "venta-viviendas", rent: "alquiler-viviendas" };
/** The rule leaves out homes with this word. */
export const RULED_OUT = "inquilino";

export const urlOf = ({ place, operation, maxPriceEur, isEnglish }: Wish): string =>
  `${SITE}${isEnglish ? "/en" : ""}/${WORDS[operation]}/${place}/con-precio-hasta_${maxPriceEur}/`;

export const placeUrlOf = ({ place, operation }: Pick<Wish, "place" | "operation">): string =>
  `${SITE}/${WORDS[operation]}/${place}/`;

const searches = new Map<string, Extract<ReturnType<typeof readSearchUrl>, { isRead: true }>["search"]>();

export function searchOf(url: string) {
  const known = searches.get(url);
  if (known) return known;
  const reading = readSearchUrl(url);
  if (!reading.isRead) throw new Error(`${url}: ${reading.reason}`);
  searches.set(url, reading.search);
  return reading.search;
}

/** By the portal's own reading of the link. */
export function fitsWish(wish: Wish, advert: Advert): boolean {
  const search = searchOf(urlOf(wish));
  return (
    advert.operation === search.operation &&
    advert.propertyType === search.propertyType &&
    placesAround(advert.spot.id).includes(search.placeId) &&
    fitsSearch(search, advert, 0)
  );
}

export const isLeftOut = ({ hasRule }: QuarterPerson, advert: Advert): boolean =>
  hasRule && advert.description?.includes(RULED_OUT) === true;

export const stateAt = ({ states }: QuarterPerson, moment: number): PersonState | undefined =>
  states.findLast(({ at }) => at <= moment);

export const isOff = ({ isPaused, isChatLost }: PersonState): boolean => isPaused || isChatLost;

/** The times in which the person was paused or could not be told, oldest first; the last may not have ended. */
export function offTimesOf({ states }: QuarterPerson): { from: number; until: number }[] {
  const times: { from: number; until: number }[] = [];
  let from: number | undefined;
  for (const state of states) {
    if (isOff(state)) from ??= state.at;
    else if (from !== undefined) {
      times.push({ from, until: state.at });
      from = undefined;
    }
  }
  if (from !== undefined) times.push({ from, until: Number.POSITIVE_INFINITY });
  return times;
}
