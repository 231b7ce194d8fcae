// The law: for each person, homes published that fit = told + left out by rules + summed up + inside a told gap; nothing is told
// twice in one state, and nothing that does not fit.
import { fitsWish, isLeftOut, isOff, offTimesOf, type QuarterPerson, stateAt } from "./people.ts";
import type { Received } from "./received.ts";
import { type HomeEvent, type HomeTruth, readingsBetween, type Truth } from "./truth.ts";

export interface Breach {
  readonly what:
    | "lost"
    | "never read"
    | "cut lost"
    | "told twice"
    | "told without cause"
    | "told but does not fit"
    | "never started"
    | "quota exceeded";
  readonly person: number | null;
  readonly code: string | null;
  readonly at: number;
  readonly details: string;
}

export interface Verdict {
  readonly owed: number;
  readonly told: number;
  readonly leftOut: number;
  readonly summedUp: number;
  readonly inGaps: number;
  /** Over before any check could see them. */
  readonly unseen: number;
  readonly breaches: Breach[];
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** After a shorter pause everything is told; after a longer one there is a summary. */
const LONG_OFF_MS = DAY_MS - 10 * MINUTE_MS;
const GAP_SLACK_MS = 15 * MINUTE_MS;
/** So many readings without a home prove that it is gone. */
const ABSENT_READINGS = 3;

type Told = Extract<Received, { is: "told" }>;

interface Case {
  readonly truth: Truth;
  readonly person: QuarterPerson;
  readonly home: HomeTruth;
  readonly ends: number;
}

type Answer = "told" | "left-out" | "summed-up" | "in-gap" | "unseen" | "unwanted" | "lost" | "never read";

export function judgeQuarter(
  truth: Truth,
  people: Iterable<QuarterPerson>,
  { ends, monthlyRequests }: { readonly ends: number; readonly monthlyRequests: number | null },
): Verdict {
  const counts = { owed: 0, told: 0, leftOut: 0, summedUp: 0, inGaps: 0, unseen: 0 };
  const breaches: Breach[] = [];
  for (const person of people) {
    breaches.push(...judgeStart(person, ends), ...judgeTold(truth, person));
    for (const home of truth.homes.values()) {
      const one = { truth, person, home, ends };
      breaches.push(...judgeCuts(one));
      for (const event of home.events.filter((event) => isOwed(one, event))) {
        const answer = answerOf(one, event);
        if (answer === "unwanted") continue;
        counts.owed += 1;
        if (answer === "told") counts.told += 1;
        else if (answer === "left-out") counts.leftOut += 1;
        else if (answer === "summed-up") counts.summedUp += 1;
        else if (answer === "in-gap") counts.inGaps += 1;
        else if (answer === "unseen") counts.unseen += 1;
        else breaches.push(breachOf(one, answer, event));
      }
    }
  }
  breaches.push(...judgeQuota(truth, monthlyRequests));
  return { ...counts, breaches };
}

function breachOf({ person, home }: Case, what: Breach["what"], event: HomeEvent): Breach {
  const shown = event.shownAt === null ? "in no answer" : `in an answer at ${stamp(event.shownAt)}`;
  const details = `${event.type} at ${event.advert.priceEur}, ${shown}; ${storyOf(person)}`;
  return { what, person: person.number, code: home.code, at: event.at, details };
}

const stamp = (at: number) => (Number.isFinite(at) ? new Date(at).toISOString().slice(5, 16) : "never");

const storyOf = ({ states, received }: QuarterPerson): string =>
  [
    ...states.map(({ at, wish, isPaused, isChatLost }) => {
      const off = `${isPaused ? " paused" : ""}${isChatLost ? " lost" : ""}`;
      return `${stamp(at)} ${wish ? `${wish.place} ${wish.maxPriceEur}` : "left"}${off}`;
    }),
    ...received.flatMap((one) => {
      if (one.is === "summed-up") return [`${stamp(one.at)} got a summary of ${one.count}`];
      return one.is === "gap-told" ? [`${stamp(one.at)} heard of a gap ${stamp(one.from)}–${stamp(one.until)}`] : [];
    }),
  ].join(", ");

const toldOf = ({ received }: QuarterPerson, code: string): Told[] =>
  received.filter((one): one is Told => one.is === "told" && one.code === code);

/** A home that began to fit while somebody wanted it: published, returned, or changed so that it fits now. */
function isOwed({ truth, person, home }: Case, event: HomeEvent): boolean {
  const wish = stateAt(person, event.at)?.wish;
  if (!wish || !event.isOnOffer || !fitsWish(wish, event.advert)) return false;
  const before = home.events[home.events.indexOf(event) - 1];
  if (event.type === "repriced") return before?.isOnOffer === true && !fitsWish(wish, before.advert);
  if (event.type === "published") return true;
  // A return is owed to people who do not know the home, if the readings meanwhile proved that it was gone.
  if (toldOf(person, home.code).some(({ decidedAt }) => decidedAt < event.at)) return false;
  return before !== undefined && readingsBetween(truth, event.advert, before.at, event.at) >= ABSENT_READINGS;
}

function answerOf(one: Case, event: HomeEvent): Answer {
  const { person, home, ends } = one;
  if (isLeftOut(person, event.advert)) return "left-out";
  if (toldOf(person, home.code).some(({ at }) => at >= event.at)) return "told";
  if (person.received.some((received) => isGapOf(received, event))) return "in-gap";
  if (person.received.some((received) => isSummaryOf(one, received, event))) return "summed-up";
  const offAtEnd = offTimesOf(person).at(-1);
  const isOffAtEnd = offAtEnd?.until === Number.POSITIVE_INFINITY;
  if (isOffAtEnd && (event.shownAt ?? ends) >= offAtEnd.from) return "unwanted";
  if (isUnwantedWhenSeen(one, event)) return "unwanted";
  if (event.shownAt !== null) return "lost";
  return home.events.at(-1) === event ? "never read" : "unseen";
}

/** They wanted something else, or had left, before an answer showed the home. */
function isUnwantedWhenSeen({ person, ends }: Case, event: HomeEvent): boolean {
  const until = event.shownAt ?? ends;
  return person.states.some(
    ({ at, wish }) => at > event.at && at <= until && (wish === null || !fitsWish(wish, event.advert)),
  );
}

function isGapOf(received: Received, { at }: HomeEvent): boolean {
  return received.is === "gap-told" && at >= received.from - GAP_SLACK_MS && at <= received.until + GAP_SLACK_MS;
}

/**
 * A summary counts for what came before it if it is the first one, if it followed a pause or a loss of the chat of a day or
 * more, or if the home fits only because the wishes grew.
 */
function isSummaryOf({ person }: Case, received: Received, event: HomeEvent): boolean {
  if (received.is !== "summed-up" || received.decidedAt < event.at) return false;
  const first = person.received.find(({ is }) => is === "summed-up");
  if (received === first) return true;
  const wasOff = offTimesOf(person).some(
    ({ from, until }) =>
      until - from >= LONG_OFF_MS &&
      until <= received.decidedAt &&
      until > event.at &&
      (event.shownAt === null || event.shownAt >= from),
  );
  return wasOff || hasGrownSince(person, received.decidedAt, event);
}

/** The last wish before the summary was made for the home: the wish before it did not fit. */
function hasGrownSince({ states }: QuarterPerson, until: number, { advert, shownAt }: HomeEvent): boolean {
  return states.some(({ at, wish }, n) => {
    const before = states[n - 1]?.wish;
    if (at > until || !wish || !before || !fitsWish(wish, advert) || fitsWish(before, advert)) return false;
    return shownAt === null || shownAt >= at || true;
  });
}

/** A cut of a home that was told is told, unless it was told at that price or lower. */
function judgeCuts(one: Case): Breach[] {
  const { person, home } = one;
  const told = toldOf(person, home.code);
  return home.events.flatMap((event, n) => {
    const before = home.events[n - 1];
    if (event.type !== "repriced" || !before?.isOnOffer || event.shownAt === null) return [];
    const state = stateAt(person, event.shownAt);
    if (!state?.wish || isOff(state) || !fitsWish(state.wish, event.advert)) return [];
    if (isLeftOut(person, event.advert)) return [];
    const earlier = told.filter(({ at }) => at < event.at);
    if (earlier.length === 0 || earlier.some(({ priceEur }) => priceEur <= event.advert.priceEur)) return [];
    if (offTimesOf(person).some(({ from, until }) => until > event.at && until - from >= LONG_OFF_MS)) return [];
    if (told.some(({ at }) => at >= event.at)) return [];
    return [breachOf(one, "cut lost", event)];
  });
}

function judgeStart(person: QuarterPerson, ends: number): Breach[] {
  const [first] = person.states;
  const last = person.states.at(-1);
  if (!first || !last?.wish || isOff(last) || ends - last.at < DAY_MS) return [];
  if (person.received.some(({ is }) => is === "summed-up")) return [];
  return [
    { what: "never started", person: person.number, code: null, at: first.at, details: storyOf(person) },
  ];
}

const FIT_SLACK_MS = HOUR_MS;

function judgeTold(truth: Truth, person: QuarterPerson): Breach[] {
  const breaches: Breach[] = [];
  const add = (what: Breach["what"], { code, at, kind, priceEur }: Told) =>
    breaches.push({
      ...{ what, person: person.number, code, at },
      details: `${kind} at ${priceEur}; told ${toldOf(person, code)
        .map((one) => `${one.kind} ${stamp(one.at)}`)
        .join(", ")}; ${storyOf(person)}`,
    });
  for (const told of person.received.filter((one): one is Told => one.is === "told")) {
    const home = truth.homes.get(told.code);
    if (!home || home.events.length === 0) {
      if (isToldOfOld(person, home, told)) add("told without cause", told);
      continue;
    }
    if (!hasFitted(person, home, told)) add("told but does not fit", told);
    const earlier = toldOf(person, told.code).filter(({ at }) => at < told.at);
    if (earlier.some((one) => isSameState(home, one, told))) add("told twice", told);
    else if (told.kind === "back" && countOf(home, "restored", told.decidedAt) === 0)
      add("told without cause", told);
  }
  return breaches;
}

/** A home of the time before the search that an answer showed before its summary: it was summed up. */
function isToldOfOld({ received }: QuarterPerson, home: HomeTruth | undefined, told: Told): boolean {
  const first = received.find(({ is }) => is === "summed-up");
  return home?.firstShownAt != null && first !== undefined && home.firstShownAt < first.at && told.at > first.at;
}

function hasFitted(person: QuarterPerson, home: HomeTruth, { decidedAt }: Told): boolean {
  const from = decidedAt - FIT_SLACK_MS;
  const lasting = <T extends { at: number }>(all: readonly T[]) =>
    all.filter(({ at }, n) => at <= decidedAt && (all[n + 1]?.at ?? Number.POSITIVE_INFINITY) >= from);
  const wishes = lasting(person.states).flatMap(({ wish }) => (wish ? [wish] : []));
  const versions = lasting(home.events).filter(({ isOnOffer }) => isOnOffer);
  return versions.some(({ advert }) => wishes.some((wish) => fitsWish(wish, advert)));
}

const countOf = ({ events }: HomeTruth, type: HomeEvent["type"], until: number): number =>
  events.filter((event) => event.type === type && event.at <= until).length;

/** The same kind of message without a change of the home in between that justifies it. */
function isSameState(home: HomeTruth, earlier: Told, later: Told): boolean {
  const hasChanged = (type: HomeEvent["type"]) =>
    countOf(home, type, earlier.decidedAt) < countOf(home, type, later.decidedAt);
  if (later.kind === "price-drop")
    return earlier.kind === "price-drop" && !hasChanged("repriced");
  if (later.kind === "back") return !hasChanged("restored");
  // "New" once, whatever was told before, unless it came back.
  return !hasChanged("restored") && !hasChanged("repriced");
}

function judgeQuota({ answered }: Truth, monthlyRequests: number | null): Breach[] {
  return [...answered].flatMap(([month, count]) =>
    monthlyRequests !== null && count > monthlyRequests
      ? [
          {
            what: "quota exceeded" as const,
            ...{ person: null, code: null, at: Date.parse(`${month}-01`) },
            details: `${count} of ${monthlyRequests} requests in ${month}`,
          },
        ]
      : [],
  );
}
