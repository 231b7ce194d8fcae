/** What the rules of a search do with a home. Pure: the watcher, alert mails, the sender, the page and the chat all use it. */
import type { AlertListing } from "../alert/alert.ts";
import { metresBetween } from "../finds/distance.ts";
import type { OwnPlace, TravelTime } from "../finds/find.ts";
import type { WarningKind } from "../warnings/warning.ts";
import { RULE_ACTS, type Rule, type RuleAct } from "./rule.ts";
import { wordsIn } from "./words-in.ts";

/** The facts of a home that rules ask for. Null means unknown. */
export interface RuleFacts {
  readonly warnings: readonly WarningKind[];
  readonly isPrivate: boolean | null;
  readonly title: string | null;
  /** Those of the description, as wordsIn() writes them; null if there was none. */
  readonly words: string | null;
  readonly percentOfZone: number | null;
  readonly latitude: number | null;
  readonly longitude: number | null;
  /** False: the portal moved the point. */
  readonly isAddressShown: boolean;
}

/** The person's saved places, and the travel times from this home as far as known. */
export interface OwnWays {
  readonly places: readonly Pick<OwnPlace, "id" | "latitude" | "longitude">[];
  readonly travelTimes: readonly TravelTime[];
}

const NO_WAYS: OwnWays = { places: [], travelTimes: [] };

export interface RuleDecision {
  readonly act: RuleAct;
  /** The rule that decided; null if none applied. */
  readonly rule: Rule | null;
}

const PLAIN: RuleDecision = { act: "alert", rule: null };

/** The rules that can change something, the strongest first, with folded words. */
export type PreparedRules = readonly PreparedRule[];

interface PreparedRule {
  readonly rule: Rule;
  readonly decision: RuleDecision;
  readonly words: readonly string[];
  /** The home it was last asked about, and whether it applies to it. */
  askedAbout: number;
  doesApply: boolean;
}

/**
 * Equal rules of different searches are one object, which is asked about a home once: with a hundred thousand searches most of the
 * time would go into fetching rules from memory (bench/match/filter-index.ts).
 */
const prepared = new Map<string, PreparedRule>();
const MOST_PREPARED = 20_000;
const NO_RULES: PreparedRules = [];

export function prepareRules(rules: readonly Rule[]): PreparedRules {
  const active = rules.filter(({ act }) => act !== "alert");
  if (active.length === 0) return NO_RULES;
  return active
    .toSorted((one, other) => RULE_ACTS.indexOf(other.act) - RULE_ACTS.indexOf(one.act))
    .map(preparedRule);
}

function preparedRule(rule: Rule): PreparedRule {
  const key = JSON.stringify(rule);
  const known = prepared.get(key);
  if (known !== undefined) return known;
  const words = rule.on === "words" ? rule.words.map(wordsIn) : [];
  const added = { rule, decision: { act: rule.act, rule }, words, askedAbout: 0, doesApply: false };
  if (prepared.size >= MOST_PREPARED) prepared.clear();
  prepared.set(key, added);
  return added;
}

type AskRules = (rules: PreparedRules, waysOf?: () => OwnWays) => RuleDecision;

let lastHome = 0;

/** Asks the rules of many searches about one home. */
export function askAbout(facts: RuleFacts): AskRules {
  lastHome += 1;
  const home = lastHome;
  const hasWord = wordFinder(facts);
  return (rules, waysOf = noWays) => {
    for (const one of rules) {
      if (one.askedAbout !== home) {
        one.doesApply = applies(one, facts, { hasWord, waysOf });
        one.askedAbout = home;
      }
      if (one.doesApply) return one.decision;
    }
    return PLAIN;
  };
}

const noWays = () => NO_WAYS;

export function decideHome(rules: PreparedRules, facts: RuleFacts, waysOf?: () => OwnWays): RuleDecision {
  return askAbout(facts)(rules, waysOf);
}

/** The title is folded when a rule first asks for a word that the description lacks. Each word is looked up once. */
function wordFinder({ title, words }: RuleFacts): (word: string) => boolean {
  let ofTitle: string | undefined;
  const known = new Map<string, boolean>();
  const find = (word: string): boolean => {
    if (words?.includes(word)) return true;
    ofTitle ??= wordsIn(title ?? "");
    return ofTitle.includes(word);
  };
  return (word) => {
    const found = known.get(word) ?? find(word);
    known.set(word, found);
    return found;
  };
}

interface Lookups {
  readonly hasWord: (word: string) => boolean;
  readonly waysOf: () => OwnWays;
}

function applies({ rule, words }: PreparedRule, facts: RuleFacts, { hasWord, waysOf }: Lookups): boolean {
  switch (rule.on) {
    case "warning":
      return facts.warnings.includes(rule.kind);
    case "advertiser":
      return facts.isPrivate === (rule.is === "private");
    case "words":
      if (words.some(hasWord)) return rule.are === "present";
      return rule.are === "absent" && facts.words !== null;
    case "zone-price": {
      const percent = facts.percentOfZone;
      if (percent === null) return false;
      return rule.is === "above" ? percent >= rule.percent : percent <= -rule.percent;
    }
    case "minutes": {
      const minutes = minutesTo(rule, facts, waysOf());
      return minutes !== null && minutes > rule.over;
    }
  }
}

/** Nobody is faster on average, so a straight line at this pace takes no longer than the way itself. */
const METRES_PER_MINUTE = { foot: 90, bicycle: 330 } as const;
/** How far the portal moves the point of a home whose address it does not show. */
const MOVED_AT_MOST_METRES = 230;

/**
 * As the routing server says, or at least as long as the straight line takes; null if the place or the home's position is
 * unknown.
 */
function minutesTo(
  { placeId, by }: Extract<Rule, { on: "minutes" }>,
  { latitude, longitude, isAddressShown }: RuleFacts,
  { places, travelTimes }: OwnWays,
): number | null {
  const place = places.find(({ id }) => id === placeId);
  if (place === undefined) return null;
  const known = travelTimes.find((time) => time.placeId === placeId);
  const routed = by === "foot" ? known?.footMinutes : known?.bicycleMinutes;
  if (routed !== undefined && routed !== null) return routed;
  if (latitude === null || longitude === null) return null;
  const metres = metresBetween({ latitude, longitude }, place) - (isAddressShown ? 0 : MOVED_AT_MOST_METRES);
  return Math.floor(Math.max(0, metres) / METRES_PER_MINUTE[by]);
}

/** `words`: those of the description, as wordsIn() writes them. */
export function ruleFactsOf(listing: AlertListing, words: string | null): RuleFacts {
  return {
    warnings: (listing.warnings ?? []).map(({ kind }) => kind),
    isPrivate: listing.isPrivate ?? null,
    title: listing.title,
    words,
    percentOfZone: listing.comparison?.percent ?? null,
    latitude: listing.latitude ?? null,
    longitude: listing.longitude ?? null,
    isAddressShown: listing.isAddressShown ?? false,
  };
}
