/** The callback data of buttons. Telegram allows 64 bytes, and anyone can forge them. */

import { RECEIVES, type Receives } from "#core/alert/chat.ts";
import type { Point } from "#core/geo/polyline.ts";
import { isLanguage, type Language } from "#core/languages.ts";
import type { RuleAct, RuleSubject } from "#core/rules/rule-kinds.ts";
import { formatQuestion, parseQuestion, type QuestionStep } from "./question-data.ts";
import { formatRuleAct, formatSubject, parseRuleAct, parseSubject } from "./rule-data.ts";

export type ButtonPress =
  | { readonly act: ListingAct; readonly propertyCode: string }
  | { readonly act: BareAct }
  | { readonly act: SearchAct; readonly searchId: string }
  /** Shows a rule of a search, or with a choice saves it. */
  | {
      readonly act: "rule";
      readonly searchId: string;
      readonly subject: RuleSubject;
      readonly choice: RuleAct | null;
    }
  | { readonly act: "speak"; readonly language: Language }
  | { readonly act: "receives"; readonly receives: Receives }
  | { readonly act: "question"; readonly step: QuestionStep }
  | { readonly act: PersonAct; readonly userId: string }
  | { readonly act: PlaceAct; readonly point: Point }
  | { readonly act: "move-place"; readonly placeId: string; readonly point: Point }
  /** Answers which account a stored request is for; null means all accounts it can be for. */
  | { readonly act: "whose"; readonly requestId: string; readonly accountId: string | null };

/**
 * "decline" refuses the offered link, "list-searches" goes back to the list of searches, "begin" watches the link in the
 * message above for the owner of a private chat, "questions" asks for a search, "delete-account" confirms /delete.
 */
type BareAct = "mute" | "unmute" | "decline" | "list-searches" | "begin" | "questions" | "delete-account";
/** "delete-search" asks for confirmation, "delete-search-now" confirms. */
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
  | "topic-none"
  | "rules-search"
  | "fold-search"
  | "unfold-search";
/** "message" drafts a message to the advertiser, "photos" sends the remaining photos, "less" offers rules. */
type ListingAct = "hide" | "keep" | "undo" | "message" | "photos" | "less";
/** Saves a shared location as one of the user's places. */
type PlaceAct = "place-work" | "place-home" | "place-other";
/** "yes" and "no": may this user's alerts be sent here? "me" and "not-me": is this already connected user you? */
export type ConsentAct = "yes" | "no" | "me" | "not-me";
/** These act on the link in the message above the button. The link itself is never in the button. */
type LinkAct = "watch" | "unwatch" | "similar";
type PersonAct = ConsentAct | LinkAct;

const LISTING_LETTERS: Readonly<Record<ListingAct, string>> = {
  hide: "h",
  keep: "k",
  undo: "u",
  message: "j",
  photos: "v",
  less: "E",
};
const PLACE_LETTERS: Readonly<Record<PlaceAct, string>> = {
  "place-work": "W",
  "place-home": "H",
  "place-other": "O",
};
const MOVE_PLACE = "R";
const WHOSE = "A";
const RECEIVES_LETTER = "S";
const LANGUAGE_LETTER = "l";
const QUESTION = "Q";
const LONGEST = 64;
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
  "rules-search": "U",
  "fold-search": "F",
  "unfold-search": "G",
};
const RULE = "Y";
const PERSON_LETTERS: Readonly<Record<PersonAct, string>> = {
  yes: "y",
  no: "n",
  me: "t",
  "not-me": "x",
  watch: "a",
  unwatch: "e",
  similar: "L",
};
const BARE_LETTERS: Readonly<Record<BareAct, string>> = {
  mute: "m",
  unmute: "w",
  decline: "d",
  "list-searches": "z",
  begin: "B",
  questions: "N",
  "delete-account": "D",
};

/** A listing's code, prefixed by the portal's name except for idealista.com. With the letter of the act it fits 64 bytes. */
const PROPERTY_CODE = /^(?=.{1,62}$)(?:(?:idealista\.(?:it|pt)|fotocasa|habitaclia|yaencontre):)?[\w-]+$/;
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;
const PACKED_LENGTH = 22;
const PACKED_UUID = /^[\w-]{22}$/;

/** Returns undefined if the id is malformed or too long for a button. */
export function formatCallbackData(press: ButtonPress): string | undefined {
  if ("propertyCode" in press) {
    const { act, propertyCode } = press;
    return PROPERTY_CODE.test(propertyCode) ? `${LISTING_LETTERS[act]}:${propertyCode}` : undefined;
  }
  if ("subject" in press) return withRule(press);
  if ("searchId" in press) return withUuid(SEARCH_LETTERS[press.act], press.searchId);
  if ("userId" in press) return withUuid(PERSON_LETTERS[press.act], press.userId);
  if ("requestId" in press) return withAccount(press);
  if ("placeId" in press) {
    const start = withUuid(MOVE_PLACE, press.placeId);
    return start && `${start}:${formatPoint(press.point)}`;
  }
  if ("point" in press) return `${PLACE_LETTERS[press.act]}:${formatPoint(press.point)}`;
  if ("receives" in press) return `${RECEIVES_LETTER}:${press.receives}`;
  if ("step" in press) return withQuestion(press.step);
  return press.act === "speak" ? `${LANGUAGE_LETTER}:${press.language}` : BARE_LETTERS[press.act];
}

function withRule({ searchId, subject, choice }: Extract<ButtonPress, { act: "rule" }>): string | undefined {
  const parts = [
    withUuid(RULE, searchId),
    formatSubject(subject, packUuid),
    ...(choice === null ? [] : [formatRuleAct(choice)]),
  ];
  const text = parts.join(":");
  return parts[0] !== undefined && text.length <= LONGEST ? text : undefined;
}

function withQuestion(step: QuestionStep): string | undefined {
  const question = formatQuestion(step);
  return question !== undefined && question.length <= LONGEST - 2 ? `${QUESTION}:${question}` : undefined;
}

function withAccount({ requestId, accountId }: Extract<ButtonPress, { act: "whose" }>): string | undefined {
  const start = withUuid(WHOSE, requestId);
  if (accountId === null) return start;
  return start && UUID.test(accountId) ? `${start}:${packUuid(accountId)}` : undefined;
}

function withUuid(letter: string, uuid: string): string | undefined {
  return UUID.test(uuid) ? `${letter}:${packUuid(uuid)}` : undefined;
}

/** Returns undefined for data that none of our buttons has. Does not check what the user may do. */
export function parseCallbackData(text: string): ButtonPress | undefined {
  const bareAct = actOf(BARE_LETTERS, text);
  if (bareAct !== undefined) return { act: bareAct };
  const [letter, rest] = [text.slice(0, 1), text.slice(2)];
  if (text.charAt(1) !== ":") return undefined;
  if (letter === LANGUAGE_LETTER || letter === RECEIVES_LETTER) return choiceOf(letter, rest);
  const listingAct = actOf(LISTING_LETTERS, letter);
  if (listingAct !== undefined) {
    return PROPERTY_CODE.test(rest) ? { act: listingAct, propertyCode: rest } : undefined;
  }
  const placeAct = actOf(PLACE_LETTERS, letter);
  if (placeAct !== undefined || letter === MOVE_PLACE) return placePressOf(placeAct, rest);
  const read = { [WHOSE]: accountPressOf, [QUESTION]: questionPressOf, [RULE]: rulePressOf }[letter];
  if (read !== undefined) return read(rest);
  const id = unpackUuid(rest);
  if (id === undefined) return undefined;
  const searchAct = actOf(SEARCH_LETTERS, letter);
  if (searchAct !== undefined) return { act: searchAct, searchId: id };
  const personAct = actOf(PERSON_LETTERS, letter);
  return personAct === undefined ? undefined : { act: personAct, userId: id };
}

/** One of a few words. */
function choiceOf(letter: string, word: string): ButtonPress | undefined {
  if (letter === LANGUAGE_LETTER) return isLanguage(word) ? { act: "speak", language: word } : undefined;
  const receives = RECEIVES.find((known) => known === word);
  return receives && { act: "receives", receives };
}

function placePressOf(act: PlaceAct | undefined, rest: string): ButtonPress | undefined {
  const point = parsePoint(act === undefined ? rest.slice(PACKED_LENGTH + 1) : rest);
  if (point === undefined) return undefined;
  if (act !== undefined) return { act, point };
  const placeId = rest.charAt(PACKED_LENGTH) === ":" ? unpackUuid(rest.slice(0, PACKED_LENGTH)) : undefined;
  return placeId === undefined ? undefined : { act: "move-place", placeId, point };
}

function accountPressOf(rest: string): ButtonPress | undefined {
  const [request = "", account, ...more] = rest.split(":");
  const requestId = unpackUuid(request);
  const accountId = account === undefined ? null : unpackUuid(account);
  if (requestId === undefined || accountId === undefined || more.length > 0) return undefined;
  return { act: "whose", requestId, accountId };
}

function rulePressOf(rest: string): ButtonPress | undefined {
  const [packed = "", key = "", letter, ...more] = rest.split(":");
  const searchId = unpackUuid(packed);
  const subject = parseSubject(key, unpackUuid);
  const choice = letter === undefined ? null : parseRuleAct(letter);
  if (searchId === undefined || subject === undefined || choice === undefined || more.length > 0)
    return undefined;
  return { act: "rule", searchId, subject, choice };
}

function questionPressOf(rest: string): ButtonPress | undefined {
  const step = rest.length < LONGEST ? parseQuestion(rest) : undefined;
  return step && { act: "question", step };
}

/** Five decimals are about a metre. */
export function formatPoint({ latitude, longitude }: Point): string {
  return [latitude, longitude].map((degrees) => (Math.round(degrees * 1e5) / 1e5 + 0).toFixed(5)).join(",");
}

/** Returns undefined for any other spelling and for coordinates out of range. */
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

/** 22 characters instead of 36. */
function packUuid(uuid: string): string {
  return Buffer.from(uuid.replaceAll("-", ""), "hex").toString("base64url");
}

function unpackUuid(packed: string): string | undefined {
  if (!PACKED_UUID.test(packed)) return undefined;
  const bytes = Buffer.from(packed, "base64url");
  // The last character has four unused bits. Accept only the spelling that packUuid writes.
  if (bytes.toString("base64url") !== packed) return undefined;
  const hex = bytes.toString("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
