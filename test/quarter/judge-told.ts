// Whether each message about a home was right: it fits, it is not told twice in one state, and something has happened to it.
import { type Breach, HOUR_MS, stamp, storyOf, type Told, toldOf } from "./breach.ts";
import { fitsWish, type QuarterPerson } from "./people.ts";
import type { HomeEvent, HomeTruth, Truth } from "./truth.ts";

/** A check reads for a while, and what it found is written afterwards. */
const FIT_SLACK_MS = HOUR_MS;

export function judgeTold(truth: Truth, person: QuarterPerson): Breach[] {
  return person.received.flatMap((told) => {
    if (told.is !== "told" || !told.searchIds.includes(person.searchId)) return [];
    const what = faultOf(person, truth.homes.get(told.code), told);
    if (!what) return [];
    const all = toldOf(person, told.code).map((one) => `${one.kind} ${stamp(one.at)}`);
    const details = `${told.kind} at ${told.priceEur}; told ${all.join(", ")}; ${storyOf(person)}`;
    return [{ what, person: person.number, code: told.code, at: told.at, details }];
  });
}

function faultOf(person: QuarterPerson, home: HomeTruth | undefined, told: Told): Breach["what"] | undefined {
  // Of before the simulation: nothing but its place in the list ever changes.
  if (!home || home.events.length === 0)
    return isToldOfOld(person, home, told) ? "told without cause" : undefined;
  if (!hasFitted(person, home, told)) return "told but does not fit";
  const earlier = toldOf(person, told.code).filter(({ at }) => at < told.at);
  if (earlier.some((one) => isSameState(home, one, told))) return "told twice";
  const isBackWithoutReturn = told.kind === "back" && countOf(home, "restored", told.decidedAt) === 0;
  return isBackWithoutReturn ? "told without cause" : undefined;
}

/** An answer showed it before the first summary, which counted it. */
function isToldOfOld({ received }: QuarterPerson, home: HomeTruth | undefined, told: Told): boolean {
  const first = received.find(({ is }) => is === "summed-up");
  return (
    home?.firstShownAt != null && first !== undefined && home.firstShownAt < first.at && told.at > first.at
  );
}

function hasFitted(person: QuarterPerson, home: HomeTruth, { decidedAt }: Told): boolean {
  const from = decidedAt - FIT_SLACK_MS;
  const lasting = <T extends { readonly at: number }>(all: readonly T[]) =>
    all.filter(({ at }, n) => at <= decidedAt && (all[n + 1]?.at ?? Number.POSITIVE_INFINITY) >= from);
  const wishes = lasting(person.states).flatMap(({ wish }) => (wish ? [wish] : []));
  // What the portal's answers have shown last: nobody knows better until the next check.
  const shown = home.events.filter(({ shownAt }) => shownAt !== null && shownAt <= decidedAt).slice(-1);
  const versions = [...lasting(home.events), ...shown].filter(({ isOnOffer }) => isOnOffer);
  return versions.some(({ advert }) => wishes.some((wish) => fitsWish(wish, advert)));
}

const countOf = ({ events }: HomeTruth, type: HomeEvent["type"], until: number): number =>
  events.filter((event) => event.type === type && event.at <= until).length;

/** No change of the home in between justifies the later message. */
function isSameState(home: HomeTruth, earlier: Told, later: Told): boolean {
  const hasChanged = (type: HomeEvent["type"]) =>
    countOf(home, type, earlier.decidedAt) < countOf(home, type, later.decidedAt);
  if (later.kind === "price-drop") return earlier.kind === "price-drop" && !hasChanged("repriced");
  return !hasChanged("restored") && (later.kind === "back" || !hasChanged("repriced"));
}
