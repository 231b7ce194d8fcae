/** What the rules of a search do with a home. Pure: the watcher, alert mails, the sender, the page and the chat all use it. */
import { metresBetween } from "../finds/distance.ts";
import type { OwnPlace, TravelTime } from "../finds/find.ts";
import { fieldIn } from "./rule.ts";
import type { RuleFacts } from "./rule-facts.ts";
import {
  type AskedHome,
  RULE_ACTS,
  type Rule,
  type RuleAct,
  type RuleSubject,
  ruleKindOf,
  typedFieldOf,
} from "./rule-kinds.ts";
import { stemsIn } from "./stems.ts";
import { wordsIn } from "./words-in.ts";

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

/** The rules that can change something, the strongest first. */
export type PreparedRules = readonly PreparedRule[];

interface PreparedRule {
  readonly rule: Rule;
  readonly decision: RuleDecision;
  /** With folded words. */
  readonly asked: RuleSubject;
  readonly applies: (rule: RuleSubject, home: AskedHome) => boolean;
  /** It is asked anew for each search, because people differ in places. */
  readonly isPersonal: boolean;
  /** The home it was last asked about, and whether it applies to it: only for rules whose answer depends on the home alone. */
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
  const { applies, isPersonal = false } = ruleKindOf(rule.on);
  const added: PreparedRule = {
    ...{ rule, decision: { act: rule.act, rule }, asked: foldedRule(rule), applies, isPersonal },
    ...{ askedAbout: 0, doesApply: false },
  };
  if (prepared.size >= MOST_PREPARED) prepared.clear();
  prepared.set(key, added);
  return added;
}

function foldedRule(rule: Rule): RuleSubject {
  const typed = typedFieldOf(rule.on);
  if (typed?.field.is !== "words") return rule;
  return { ...rule, [typed.name]: (fieldIn(rule, typed.name) as readonly string[]).map(wordsIn) };
}

type AskRules = (rules: PreparedRules, waysOf?: () => OwnWays) => RuleDecision;

let lastHome = 0;

/** Asks the rules of many searches about one home. */
export function askAbout(facts: RuleFacts): AskRules {
  lastHome += 1;
  const home = lastHome;
  let ways = noWays;
  const asked: AskedHome = {
    facts,
    hasWord: wordFinder(facts),
    minutesTo: (placeId, by) => minutesTo({ placeId, by }, facts, ways()),
  };
  return (rules, waysOf = noWays) => {
    ways = waysOf;
    for (const one of rules) {
      if (one.isPersonal) {
        if (one.applies(one.asked, asked)) return one.decision;
        continue;
      }
      if (one.askedAbout !== home) {
        one.doesApply = one.applies(one.asked, asked);
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

/**
 * The title is folded, and both are stemmed, when a rule first asks for a word that the description lacks as typed. Each word is
 * looked up once.
 */
function wordFinder({ title, words }: RuleFacts): (word: string) => boolean {
  let ofTitle: string | undefined;
  let stems: string | undefined;
  const known = new Map<string, boolean>();
  const find = (word: string): boolean => {
    if (words?.includes(word)) return true;
    ofTitle ??= wordsIn(title ?? "");
    if (ofTitle.includes(word)) return true;
    // A word never spans the description and the title.
    stems ??= stemsIn(`${words ?? ""}|${ofTitle}`);
    return stems.includes(stemsIn(word));
  };
  return (word) => {
    const found = known.get(word) ?? find(word);
    known.set(word, found);
    return found;
  };
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
  { placeId, by }: { readonly placeId: string; readonly by: "foot" | "bicycle" },
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
