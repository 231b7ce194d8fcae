import { expect, test } from "vitest";
import { cardOf } from "#core/listing/card-of.ts";
import { completeCard, type ShownCard } from "#core/listing/home-card.ts";
import { sampleListing } from "#test/fixtures/listing.ts";
import { factsOf, homeLine, placeOf, pricePerM2Line } from "./home-words.ts";
import { translatorOf } from "./translator.ts";

const words = { language: "en", t: translatorOf("home")("en") } as const;
const HOME = completeCard(cardOf(sampleListing({ amenities: { "private-advertiser": true } })));
/** Mails alone say that a home is auctioned. A subtype says more than the type. */
const SAMPLES: readonly ShownCard[] = [
  { ...HOME, isAuction: true },
  { ...HOME, subTypology: "penthouse" },
];
/** Said by the line of the price, the map, the picture, the warnings or the page of the home; `kind` by the type. */
const ELSEWHERE: readonly (keyof ShownCard)[] = [
  "url",
  "title",
  "operation",
  "kind",
  "priceEur",
  "bathrooms",
  "isExterior",
  "municipality",
  "placeId",
  "latitude",
  "longitude",
  "isAddressShown",
  "pictureUrl",
  "photoCount",
  "warnings",
];

function textsOf(card: ShownCard): string {
  const home = { ...card, comparison: null };
  return [homeLine(home, words), placeOf(home), ...factsOf(home, words), pricePerM2Line(home, words)].join(
    "\n",
  );
}

test("ONE-04 every fact of a home's card is in its words, or named as one that is shown elsewhere", () => {
  const names = Object.keys(completeCard({})) as (keyof ShownCard)[];
  const isUnsaid = (name: keyof ShownCard) =>
    SAMPLES.every((card) => textsOf(completeCard({ ...card, [name]: null })) === textsOf(card));
  expect(names.filter(isUnsaid).sort()).toEqual([...ELSEWHERE].sort());
});
