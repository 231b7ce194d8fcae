/** What a button under a message says when it is pressed. Telegram takes 64 bytes and lets anyone forge them. */

import type { Point } from "#core/geo/polyline.ts";
import { isLanguage, type Language } from "#core/languages.ts";

export type ButtonPress =
  | { readonly act: ListingAct; readonly propertyCode: string }
  | { readonly act: BareAct }
  | { readonly act: SearchAct; readonly searchId: string }
  | { readonly act: "speak"; readonly language: Language }
  | { readonly act: PersonAct; readonly userId: string }
  | { readonly act: PlaceAct; readonly point: Point }
  | { readonly act: "move-place"; readonly placeId: string; readonly point: Point }
  /** For which account a kept request is; null: for each that can be meant. */
  | { readonly act: "whose"; readonly requestId: string; readonly accountId: string | null };

/** "decline" wants nothing of the link above it, "list-searches" goes back to all searches. */
type BareAct = "mute" | "unmute" | "decline" | "list-searches";
/** "delete-search" asks, "delete-search-now" is the yes to it. */
export type SearchAct =
  | "mute-search"
  | "unmute-search"
  | "open-search"
  | "pause-search"
  | "resume-search"
  | "rename-search"
  | "delete-search"
  | "delete-search-now"
  | "topic-here"
  | "topic-none";
/** "message" writes one to the advertiser, "photos" shows the others. */
type ListingAct = "hide" | "keep" | "undo" | "message" | "photos";
/** A location that was shared becomes a place of the person's own. */
type PlaceAct = "place-work" | "place-home" | "place-other";
/** May this person's alerts come here? And where they come already: is this person you? */
export type ConsentAct = "yes" | "no" | "me" | "not-me";
/** Watches the link above the button for this person, or no longer. The link is never in the button. */
type PersonAct = ConsentAct | "watch" | "unwatch";

const LISTING_LETTERS: Readonly<Record<ListingAct, string>> = {
  hide: "h",
  keep: "k",
  undo: "u",
  message: "j",
  photos: "v",
};
const PLACE_LETTERS: Readonly<Record<PlaceAct, string>> = {
  "place-work": "W",
  "place-home": "H",
  "place-other": "O",
};
const MOVE_PLACE = "R";
const WHOSE = "A";
const SEARCH_LETTERS: Readonly<Record<SearchAct, string>> = {
  "mute-search": "s",
  "unmute-search": "r",
  "open-search": "o",
  "pause-search": "p",
  "resume-search": "g",
  "rename-search": "i",
  "delete-search": "q",
  "delete-search-now": "f",
  "topic-here": "b",
  "topic-none": "c",
};
const PERSON_LETTERS: Readonly<Record<PersonAct, string>> = {
  yes: "y",
  no: "n",
  me: "t",
  "not-me": "x",
  watch: "a",
  unwatch: "e",
};
const BARE_LETTERS: Readonly<Record<BareAct, string>> = {
  mute: "m",
  unmute: "w",
  decline: "d",
  "list-searches": "z",
};

/** A portal's code, behind the portal's name where it is not idealista.com; with the letter of its act 64 bytes at most. */
const PROPERTY_CODE = /^(?=.{1,62}$)(?:(?:idealista\.(?:it|pt)|fotocasa|habitaclia|yaencontre):)?[\w-]+$/;
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;
const PACKED_LENGTH = 22;
const PACKED_UUID = /^[\w-]{22}$/;

/** Undefined where the id does not fit a button, which is then left out. */
export function formatCallbackData(press: ButtonPress): string | undefined {
  if ("propertyCode" in press) {
    const { act, propertyCode } = press;
    return PROPERTY_CODE.test(propertyCode) ? `${LISTING_LETTERS[act]}:${propertyCode}` : undefined;
  }
  if ("searchId" in press) return withUuid(SEARCH_LETTERS[press.act], press.searchId);
  if ("userId" in press) return withUuid(PERSON_LETTERS[press.act], press.userId);
  if ("requestId" in press) {
    const start = withUuid(WHOSE, press.requestId);
    if (press.accountId === null) return start;
    return start && UUID.test(press.accountId) ? `${start}:${packUuid(press.accountId)}` : undefined;
  }
  if ("placeId" in press) {
    const start = withUuid(MOVE_PLACE, press.placeId);
    return start && `${start}:${formatPoint(press.point)}`;
  }
  if ("point" in press) return `${PLACE_LETTERS[press.act]}:${formatPoint(press.point)}`;
  return press.act === "speak" ? `l:${press.language}` : BARE_LETTERS[press.act];
}

function withUuid(letter: string, uuid: string): string | undefined {
  return UUID.test(uuid) ? `${letter}:${packUuid(uuid)}` : undefined;
}

/** Undefined for whatever no button of ours says. Whether the presser may do it is not asked here. */
export function parseCallbackData(text: string): ButtonPress | undefined {
  const bareAct = actOf(BARE_LETTERS, text);
  if (bareAct !== undefined) return { act: bareAct };
  const [letter, rest] = [text.slice(0, 1), text.slice(2)];
  if (text.charAt(1) !== ":") return undefined;
  if (letter === "l") return isLanguage(rest) ? { act: "speak", language: rest } : undefined;
  const listingAct = actOf(LISTING_LETTERS, letter);
  if (listingAct !== undefined) {
    return PROPERTY_CODE.test(rest) ? { act: listingAct, propertyCode: rest } : undefined;
  }
  const placeAct = actOf(PLACE_LETTERS, letter);
  if (placeAct !== undefined || letter === MOVE_PLACE) return placePressOf(placeAct, rest);
  if (letter === WHOSE) return whosePressOf(rest);
  const id = unpackUuid(rest);
  if (id === undefined) return undefined;
  const searchAct = actOf(SEARCH_LETTERS, letter);
  if (searchAct !== undefined) return { act: searchAct, searchId: id };
  const personAct = actOf(PERSON_LETTERS, letter);
  return personAct === undefined ? undefined : { act: personAct, userId: id };
}

function placePressOf(act: PlaceAct | undefined, rest: string): ButtonPress | undefined {
  const point = parsePoint(act === undefined ? rest.slice(PACKED_LENGTH + 1) : rest);
  if (point === undefined) return undefined;
  if (act !== undefined) return { act, point };
  const placeId = rest.charAt(PACKED_LENGTH) === ":" ? unpackUuid(rest.slice(0, PACKED_LENGTH)) : undefined;
  return placeId === undefined ? undefined : { act: "move-place", placeId, point };
}

function whosePressOf(rest: string): ButtonPress | undefined {
  const [request = "", account, ...more] = rest.split(":");
  const requestId = unpackUuid(request);
  const accountId = account === undefined ? null : unpackUuid(account);
  if (requestId === undefined || accountId === undefined || more.length > 0) return undefined;
  return { act: "whose", requestId, accountId };
}

/** To about a metre. */
export function formatPoint({ latitude, longitude }: Point): string {
  return [latitude, longitude].map((degrees) => (Math.round(degrees * 1e5) / 1e5 + 0).toFixed(5)).join(",");
}

/** Undefined for any other spelling, and for what is nowhere on earth. */
export function parsePoint(text: string): Point | undefined {
  const [, latitude, longitude] = /^(-?\d{1,2}\.\d{5}),(-?\d{1,3}\.\d{5})$/.exec(text) ?? [];
  const point = { latitude: Number(latitude), longitude: Number(longitude) };
  return isOnEarth(point) && formatPoint(point) === text ? point : undefined;
}

export function isOnEarth({ latitude, longitude }: Point): boolean {
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
}

function actOf<Act extends string>(letters: Readonly<Record<Act, string>>, letter: string): Act | undefined {
  return (Object.keys(letters) as Act[]).find((act) => letters[act] === letter);
}

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** 128 bits in 22 digits of six bits, the last four being zero: base64url without its padding. */
function packUuid(uuid: string): string {
  const bits = BigInt(`0x${uuid.replaceAll("-", "")}`) << 4n;
  return Array.from({ length: 22 }, (_, place) =>
    DIGITS.charAt(Number((bits >> BigInt(6 * (21 - place))) & 63n)),
  ).join("");
}

function unpackUuid(packed: string): string | undefined {
  if (!PACKED_UUID.test(packed)) return undefined;
  const bits = [...packed].reduce((sum, digit) => (sum << 6n) | BigInt(DIGITS.indexOf(digit)), 0n);
  // Another spelling of the same id is no button of ours.
  if ((bits & 15n) !== 0n) return undefined;
  const hex = (bits >> 4n).toString(16).padStart(32, "0");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
