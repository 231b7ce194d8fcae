/** A ready message to an advertiser: from what the advert says and from what the person says of themselves. */
import type { Language } from "#core/languages.ts";
import type { Kind, Operation } from "#core/search/search.ts";
import { MESSAGE_PHRASES, type MessagePhrases } from "./home-phrases/message-phrases.ts";
import { filled } from "./home-phrases/phrases-of.ts";
import { type HomeFacts, homeLine, placeOf } from "./home-words.ts";
import { formatPrice } from "./labels.ts";
import { lineOf } from "./one-line.ts";

/** What a person says of themselves, as they wrote it; any of it may be missing. */
export interface MessageProfile {
  readonly who: string | null;
  readonly job: string | null;
  readonly movingFrom: string | null;
  readonly about: string | null;
}

export interface AdvertisedHome extends HomeFacts {
  /** The portal's code, as a listing's id has it. */
  readonly listingId: string;
  readonly operation: Operation | null;
  readonly priceEur: number | null;
}

const LONGEST_ANSWER = 300;
/** Kinds that somebody lives in. */
const LIVED_IN: readonly (Kind | null)[] = ["homes", "new-developments", "rooms"];

export function advertiserMessage(
  { home, profile }: { home: AdvertisedHome; profile: MessageProfile },
  language: Language,
): string {
  const phrases = MESSAGE_PHRASES[language];
  return [
    phrases.greeting,
    filled(phrases.about[subjectOf(home)], advertOf(home, phrases, language)),
    aboutPerson(home, profile, phrases),
    phrases.question,
    phrases.thanks,
  ]
    .filter((paragraph) => paragraph !== "")
    .join("\n\n");
}

function subjectOf({ operation, kind }: AdvertisedHome): keyof MessagePhrases["about"] {
  if (operation === "sale") return "sale";
  if (operation === null || !LIVED_IN.includes(kind)) return "any";
  return kind === "rooms" ? "room" : "rent";
}

/** "piso, Calle de Fuencarral, 1.250 € al mes (ref. 104046409)" */
function advertOf(home: AdvertisedHome, phrases: MessagePhrases, language: Language): string {
  const place = lineOf(home.address, LONGEST_ANSWER) === null ? placeOf(home) : null;
  const price = home.priceEur === null || !(home.priceEur > 0) ? null : formatPrice(home.priceEur, language);
  const asked = price !== null && home.operation === "rent" ? filled(phrases.aMonth, price) : price;
  const facts = [withinSentence(homeLine(home, language), language), place, asked]
    .filter((fact) => fact !== null)
    .join(", ");
  const code = /(?:^|:)([\w-]{1,40})$/.exec(home.listingId)?.[1];
  return code === undefined ? facts : `${facts} (${filled(phrases.code, code)})`;
}

/** It goes on after a colon; German nouns keep their capital. */
function withinSentence(line: string, language: Language): string {
  return language === "de" ? line : line.charAt(0).toLowerCase() + line.slice(1);
}

function aboutPerson(home: AdvertisedHome, profile: MessageProfile, phrases: MessagePhrases): string {
  const isLivedIn = home.operation === "rent" && LIVED_IN.includes(home.kind) && home.kind !== "rooms";
  const answers: readonly (readonly [label: string | null, answer: string | null])[] = [
    [isLivedIn ? phrases.whoLives : phrases.aboutMe, profile.who],
    [phrases.job, profile.job],
    [phrases.movingFrom, profile.movingFrom],
    [null, profile.about],
  ];
  return answers
    .flatMap(([label, answer]) => {
      const line = lineOf(answer, LONGEST_ANSWER);
      if (line === null) return [];
      return label === null ? line : `${label}${phrases.colon}${line}`;
    })
    .join("\n");
}
