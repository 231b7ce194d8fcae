/**
 * The kinds of rules, a row for each. The parser, the check, the preview, the form, /rules, "Fewer like this" and the buttons read
 * this table; its texts are rules.json (`agency`, `reasons.agency`) and `groups`. CONTRIBUTING.md has the recipe for a new kind.
 */
import { WARNING_KINDS } from "../warnings/warning.ts";
import type { RuleFacts } from "./rule-facts.ts";
import { choice, type FieldValue, type RuleField } from "./rule-fields.ts";
import { isWhole } from "./words-in.ts";

type Fields = Readonly<Record<string, RuleField>>;
type ValuesOf<Of extends Fields> = { readonly [Name in keyof Of]: FieldValue<Of[Name]> };

/** What a rule may ask about a home. Words are given as wordsIn() writes them. */
export interface AskedHome {
  readonly facts: RuleFacts;
  readonly hasWord: (word: string) => boolean;
  /** At least that many; null if the place or the home's position is unknown. */
  readonly minutesTo: (placeId: string, by: "foot" | "bicycle") => number | null;
}

interface KindOf<Of extends Fields, Key extends string> {
  readonly fields: Of;
  /** What the callback data of a button contains: a letter and these fields. The others are read from the saved rule. */
  readonly button: { readonly letter: string; readonly fields: readonly (keyof Of & string)[] };
  /** The key of its texts. */
  readonly wordsKey: (rule: ValuesOf<Of>) => Key;
  /** /rules has a button for it even if no rule is saved. */
  readonly isOffered: (rule: ValuesOf<Of>) => boolean;
  /** "Fewer like this": the rules that would have left out this home. */
  readonly fitting: (facts: RuleFacts) => readonly ValuesOf<Of>[];
  /** A rule that lacks its fact does not apply. */
  readonly applies: (rule: ValuesOf<Of>, home: AskedHome) => boolean;
  /** The answer depends on the person whose rule it is, not on the home alone. */
  readonly isPersonal?: boolean;
}

const kind = <const Of extends Fields, const Key extends string>(row: KindOf<Of, Key>): KindOf<Of, Key> =>
  row;

const PERCENT_STEP = 5;
const MOST_PERCENT = 90;

/** In the order of the form. */
const RULE_KINDS = {
  warning: kind({
    fields: { kind: choice(...WARNING_KINDS) },
    button: { letter: "w", fields: ["kind"] },
    // The names of warnings are in home.json.
    wordsKey: () => "warning",
    isOffered: () => true,
    fitting: ({ warnings }) => warnings.map((one) => ({ kind: one })),
    applies: (rule, { facts }) => facts.warnings.includes(rule.kind),
  }),
  advertiser: kind({
    fields: { is: choice("agency", "private") },
    button: { letter: "a", fields: ["is"] },
    wordsKey: (rule) => rule.is,
    isOffered: () => true,
    fitting: ({ isPrivate }) => (isPrivate === null ? [] : [{ is: isPrivate ? "private" : "agency" }]),
    applies: (rule, { facts }) => facts.isPrivate === (rule.is === "private"),
  }),
  /** Title and description contain one of the words, or none of them. A word may be several: "planta baja". */
  words: kind({
    fields: { are: choice("present", "absent"), words: { is: "words" } },
    button: { letter: "t", fields: ["are"] },
    wordsKey: (rule) => rule.are,
    isOffered: () => false,
    fitting: () => [],
    applies: (rule, { facts, hasWord }) =>
      rule.words.some(hasWord) ? rule.are === "present" : rule.are === "absent" && isWhole(facts.words),
  }),
  /** The price per m² is that many percent or more above or below the median of the zone. */
  "zone-price": kind({
    fields: {
      is: choice("above", "below"),
      percent: { is: "count", most: MOST_PERCENT, usual: 20, unit: "percent" },
    },
    button: { letter: "p", fields: ["is", "percent"] },
    wordsKey: (rule) => rule.is,
    isOffered: (rule) => rule.is === "above",
    fitting: ({ percentOfZone }) => {
      const percent = Math.floor((percentOfZone ?? 0) / PERCENT_STEP) * PERCENT_STEP;
      return percent < PERCENT_STEP ? [] : [{ is: "above", percent: Math.min(MOST_PERCENT, percent) }];
    },
    applies: (rule, { facts: { percentOfZone } }) =>
      percentOfZone !== null &&
      (rule.is === "above" ? percentOfZone >= rule.percent : percentOfZone <= -rule.percent),
  }),
  /** More than that many minutes to one of the person's places. */
  minutes: kind({
    fields: {
      placeId: { is: "place" },
      by: choice("foot", "bicycle"),
      over: { is: "count", most: 240, usual: 30, unit: "minutes" },
    },
    button: { letter: "m", fields: ["by", "placeId"] },
    wordsKey: (rule) => rule.by,
    isOffered: () => false,
    fitting: () => [],
    applies: (rule, { minutesTo }) => (minutesTo(rule.placeId, rule.by) ?? 0) > rule.over,
    isPersonal: true,
  }),
} as const;

type Kinds = typeof RULE_KINDS;
export type RuleKindName = keyof Kinds;
export const RULE_KIND_NAMES = Object.keys(RULE_KINDS) as readonly RuleKindName[];

/** The keys of texts, except that of warnings. */
export type RuleWordsKey = Exclude<ReturnType<Kinds[RuleKindName]["wordsKey"]>, "warning">;

export type RuleSubject = {
  [On in RuleKindName]: { readonly on: On } & ValuesOf<Kinds[On]["fields"]>;
}[RuleKindName];

/** From the weakest to the strongest. */
export const RULE_ACTS = ["alert", "silent", "leave-out"] as const;
export type RuleAct = (typeof RULE_ACTS)[number];

export type Rule = RuleSubject & { readonly act: RuleAct };

/** The row of a rule, for code that treats all kinds alike: its functions are given rules of this kind only. */
export interface RuleKind {
  readonly fields: Fields;
  readonly button: { readonly letter: string; readonly fields: readonly string[] };
  readonly wordsKey: (rule: RuleSubject) => RuleWordsKey | "warning";
  readonly isOffered: (rule: RuleSubject) => boolean;
  readonly fitting: (facts: RuleFacts) => readonly object[];
  readonly applies: (rule: RuleSubject, home: AskedHome) => boolean;
  readonly isPersonal?: boolean;
}

export function ruleKindOf(on: RuleKindName): RuleKind {
  return RULE_KINDS[on] as unknown as RuleKind;
}

/** The field that is typed, with its name; undefined for a kind of which everything is chosen. */
export function typedFieldOf(on: RuleKindName): { name: string; field: RuleField } | undefined {
  for (const [name, field] of Object.entries(ruleKindOf(on).fields)) {
    if (field.is === "words" || field.is === "count") return { name, field };
  }
  return undefined;
}
