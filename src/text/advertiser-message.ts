/** A ready-made message to an advertiser, from the advert's data and the person's profile. */
import type { Kind, Operation } from "#core/search/search.ts";
import { type HomeFacts, homeLine, placeOf } from "./home-words.ts";
import { formatPrice } from "./labels.ts";
import type { Namespaces, Words } from "./namespaces.ts";
import { lineOf } from "./one-line.ts";

/** What a person wrote about themselves; any part may be missing. */
export interface MessageProfile {
  readonly who: string | null;
  readonly job: string | null;
  readonly movingFrom: string | null;
  readonly about: string | null;
}

export interface AdvertisedHome extends HomeFacts {
  /** The portal's code, as in the listing's id. */
  readonly listingId: string;
  readonly operation: Operation | null;
  readonly priceEur: number | null;
}

const LONGEST_ANSWER = 300;
const LIVED_IN: readonly (Kind | null)[] = ["homes", "new-developments", "rooms"];

export function advertiserMessage(
  { home, profile }: { home: AdvertisedHome; profile: MessageProfile },
  words: Words<"home">,
): string {
  const { t } = words;
  return [
    t("message.greeting"),
    t(`message.about.${subjectOf(home)}`, { advert: advertOf(home, words) }),
    aboutPerson(home, profile, words),
    t("message.question"),
    t("message.thanks"),
  ]
    .filter((paragraph) => paragraph !== "")
    .join("\n\n");
}

function subjectOf({ operation, kind }: AdvertisedHome): keyof Namespaces["home"]["message"]["about"] {
  if (operation === "sale") return "sale";
  if (operation === null || !LIVED_IN.includes(kind)) return "any";
  return kind === "rooms" ? "room" : "rent";
}

/** "piso, Calle de Fuencarral, 1.250 € al mes (ref. 104046409)" */
function advertOf(home: AdvertisedHome, words: Words<"home">): string {
  const { t, language } = words;
  const place = lineOf(home.address, LONGEST_ANSWER) === null ? placeOf(home) : null;
  const price = home.priceEur === null || !(home.priceEur > 0) ? null : formatPrice(home.priceEur, language);
  const asked = price !== null && home.operation === "rent" ? t("message.aMonth", { price }) : price;
  const facts = [withinSentence(homeLine(home, words), words), place, asked]
    .filter((fact) => fact !== null)
    .join(", ");
  const code = /(?:^|:)([\w-]{1,40})$/.exec(home.listingId)?.[1];
  return code === undefined ? facts : `${facts} (${t("message.code", { code })})`;
}

/** The line follows a colon; German nouns keep their capital. */
function withinSentence(line: string, { language }: Words<"home">): string {
  return language === "de" ? line : line.charAt(0).toLowerCase() + line.slice(1);
}

function aboutPerson(home: AdvertisedHome, profile: MessageProfile, { t }: Words<"home">): string {
  const isLivedIn = home.operation === "rent" && LIVED_IN.includes(home.kind) && home.kind !== "rooms";
  const answers: readonly (readonly [label: string | null, answer: string | null])[] = [
    [t(isLivedIn ? "message.whoLives" : "message.aboutMe"), profile.who],
    [t("message.job"), profile.job],
    [t("message.movingFrom"), profile.movingFrom],
    [null, profile.about],
  ];
  return answers
    .flatMap(([label, answer]) => {
      const line = lineOf(answer, LONGEST_ANSWER);
      if (line === null) return [];
      return label === null ? line : t("message.answer", { label, answer: line });
    })
    .join("\n");
}
