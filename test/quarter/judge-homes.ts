// What each home that fits owes to a person, and what became of it.
import { type Breach, type Case, DAY_MS, HOUR_MS, longOffTimesOf, stamp, storyOf, toldOf } from "./breach.ts";
import { fitsWish, isLeftOut, isOff, offTimesOf, type QuarterPerson, stateAt } from "./people.ts";
import type { Received } from "./received.ts";
import { absencesBetween, type HomeEvent, readingsBetween, type Truth } from "./truth.ts";

/** Of a free key. */
const LONGEST_INTERVAL_MS = 7 * DAY_MS;
const GAP_SLACK_MS = HOUR_MS / 4;
/** So many checks without a home prove that it is gone, wherever they begin and end. */
const ABSENT_READINGS = 4;

export type Answer =
  | "told"
  | "left out"
  | "summed up"
  | "in a gap"
  /** It was over before any check could see it, or before the person could be told. */
  | "unseen"
  /** The person wanted something else, or nothing, when it could be told. */
  | "unwanted"
  /** An answer of the portal showed it, and the person was not told. */
  | "lost"
  /** It stayed on offer, and no check read as far. */
  | "never read"
  /** It stayed on offer further down in the list, where only a full scan sees that it fits now. */
  | "not scanned";

/** A home that began to fit while somebody wanted it: published, returned, or changed so that it fits now. */
export function isOwed({ truth, person, home }: Case, event: HomeEvent): boolean {
  const wish = stateAt(person, event.at)?.wish;
  if (!wish || !event.isOnOffer || !fitsWish(wish, event.advert)) return false;
  const before = home.events[home.events.indexOf(event) - 1];
  if (event.type === "repriced") return before?.isOnOffer === true && !fitsWish(wish, before.advert);
  if (event.type === "published") return true;
  // A return is new, or back to people who know the home, if the readings meanwhile proved that it was gone.
  return (
    before !== undefined && absencesBetween(truth, before.advert, before.at, event.at) >= ABSENT_READINGS
  );
}

export function answerOf(one: Case, event: HomeEvent): Answer {
  const { person, home } = one;
  if (isLeftOut(person, event.advert)) return "left out";
  if (toldOf(person, home.code).some(({ at }) => at >= event.at)) return "told";
  if (person.received.some((received) => isGapOf(received, event))) return "in a gap";
  if (person.received.some((received) => isSummaryOf(one, received, event))) return "summed up";
  if (isUnwantedWhenSeen(one, event)) return "unwanted";
  if (event.shownAt !== null) return isOverBeforeTold(one, event, event.shownAt) ? "unseen" : "lost";
  if (home.events.at(-1) !== event) return "unseen";
  return event.type === "repriced" ? "not scanned" : "never read";
}

export function homeBreachOf({ person, home }: Case, what: Breach["what"], event: HomeEvent): Breach {
  const shown = event.shownAt === null ? "in no answer" : `in an answer at ${stamp(event.shownAt)}`;
  const details = `${event.type} at ${event.advert.priceEur}, ${shown}; ${storyOf(person)}`;
  return { what, person: person.number, code: home.code, at: event.at, details };
}

/** Before an answer showed the home they wanted something else or had left, or they were off and stayed so. */
function isUnwantedWhenSeen({ person, ends }: Case, event: HomeEvent): boolean {
  const seenAt = event.shownAt ?? ends;
  const last = offTimesOf(person).at(-1);
  if (last?.until === Number.POSITIVE_INFINITY && seenAt >= last.from) return true;
  return person.states.some(
    ({ at, wish }) => at > event.at && at <= seenAt && (wish === null || !fitsWish(wish, event.advert)),
  );
}

/** It left, or fits no longer, before the person's pause or the loss of their chat ended. */
function isOverBeforeTold({ person, home }: Case, event: HomeEvent, shownAt: number): boolean {
  const off = offTimesOf(person).find(({ from, until }) => from <= shownAt && shownAt < until);
  const wish = off && stateAt(person, off.until)?.wish;
  if (!off || !wish) return false;
  return home.events.some(
    ({ at, isOnOffer, advert }) =>
      at > event.at && at <= off.until && (!isOnOffer || !fitsWish(wish, advert)),
  );
}

function isGapOf(received: Received, { at }: HomeEvent): boolean {
  return (
    received.is === "gap-told" && at >= received.from - GAP_SLACK_MS && at <= received.until + GAP_SLACK_MS
  );
}

/**
 * A summary counts for what came before it if it is the first one, if it followed a pause or a loss of the chat of a day or
 * more, or if the home fits only because the wishes grew. Nobody knows whether a home came just before or after the end of a
 * pause if no check was in between.
 */
function isSummaryOf(one: Case, received: Received, event: HomeEvent): boolean {
  const { truth, person } = one;
  if (received.is !== "summed-up" || received.decidedAt < event.at) return false;
  if (received === person.received.find(({ is }) => is === "summed-up")) return true;
  const wasOff = longOffTimesOf(person).some(
    ({ from, until }) =>
      until <= received.decidedAt &&
      (event.shownAt === null || event.shownAt >= from) &&
      readingsBetween(truth, event.advert, until, event.at) === 0,
  );
  return wasOff || hasGrownBefore(one, received.decidedAt, event);
}

/** Of that wish or of one after it: no other summary came in between. */
const isNextSummary = ({ received }: QuarterPerson, decidedAt: number, from: number): boolean =>
  received.every((one) => one.is !== "summed-up" || one.decidedAt < from || one.decidedAt >= decidedAt);

/**
 * The wish grew before the summary, and no reading in between shows that the home came later. If no answer had shown a change of
 * the home by the time of the summary, the home as it was before counts: nobody knew better.
 */
function hasGrownBefore({ truth, person, home }: Case, decidedAt: number, event: HomeEvent): boolean {
  return person.states.some((state, n) => {
    const before = person.states[n - 1]?.wish;
    const { wish } = state;
    if (state.at > decidedAt || !before || !wish || !isNextSummary(person, decidedAt, state.at)) return false;
    const shown = home.events.findLast(({ shownAt }) => shownAt !== null && shownAt <= state.at);
    const isChangeUnknown =
      event.at <= state.at && (event.shownAt ?? Number.POSITIVE_INFINITY) > Math.max(state.at, decidedAt);
    const known = isChangeUnknown && shown?.isOnOffer ? [event, shown] : [event];
    if (!known.some(({ advert }) => !fitsWish(before, advert) && fitsWish(wish, advert))) return false;
    return readingsBetween(truth, event.advert, state.at, event.at) === 0;
  });
}

/** Homes on offer that fit only because the wish grew are summed up, or told. */
export function judgeGrowth(truth: Truth, person: QuarterPerson, ends: number): Breach[] {
  return person.states.flatMap((state, n) => {
    const before = person.states[n - 1]?.wish;
    const next = person.states[n + 1]?.at ?? ends;
    if (!before || !state.wish || isOff(state) || next - state.at < LONGEST_INTERVAL_MS) return [];
    const { wish, at } = state;
    const grown = [...truth.homes.values()].find(({ code, events }) => {
      const event = events.findLast((one) => one.at <= at);
      if (!event?.isOnOffer || event.shownAt === null || event.shownAt > at) return false;
      if (fitsWish(before, event.advert) || !fitsWish(wish, event.advert)) return false;
      return !isLeftOut(person, event.advert) && toldOf(person, code).length === 0;
    });
    const isSaid = person.received.some((one) => one.is === "summed-up" && one.decidedAt >= at);
    if (!grown || isSaid) return [];
    const details = `an edit at ${stamp(at)}; ${storyOf(person)}`;
    return [{ what: "not summed up" as const, person: person.number, code: grown.code, at, details }];
  });
}

/** A cut of a home that was told is told, unless it was told at that price or lower. */
export function judgeCuts(one: Case): Breach[] {
  const { person, home } = one;
  const told = toldOf(person, home.code);
  return home.events.flatMap((event, n) => {
    if (event.type !== "repriced" || !home.events[n - 1]?.isOnOffer || event.shownAt === null) return [];
    const state = stateAt(person, event.shownAt);
    if (!state?.wish || isOff(state) || !fitsWish(state.wish, event.advert)) return [];
    if (isLeftOut(person, event.advert) || told.some(({ at }) => at >= event.at)) return [];
    const isCut = told.length > 0 && told.every(({ priceEur }) => priceEur > event.advert.priceEur);
    const wasOff = longOffTimesOf(person).some(({ until }) => until > event.at);
    return isCut && !wasOff ? [homeBreachOf(one, "cut lost", event)] : [];
  });
}
