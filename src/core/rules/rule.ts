/**
 * Rules on top of a search's link. Each names homes by one fact and says what to do with them; the strongest rule that applies
 * to a home decides. A rule that lacks its fact does not apply.
 */
import { WARNING_KINDS, type WarningKind } from "../warnings/warning.ts";
import { wordsIn } from "./words-in.ts";

/** From the weakest to the strongest. */
export const RULE_ACTS = ["alert", "silent", "leave-out"] as const;
export type RuleAct = (typeof RULE_ACTS)[number];

export type RuleSubject =
  | { readonly on: "warning"; readonly kind: WarningKind }
  | { readonly on: "advertiser"; readonly is: "private" | "agency" }
  /** Title and description contain one of the words, or none of them. A word may be several: "planta baja". */
  | { readonly on: "words"; readonly are: "present" | "absent"; readonly words: readonly string[] }
  /** The price per m² is that many percent or more above or below the median of the zone. */
  | { readonly on: "zone-price"; readonly is: "above" | "below"; readonly percent: number }
  /** More than that many minutes to one of the person's places. */
  | {
      readonly on: "minutes";
      readonly placeId: string;
      readonly by: "foot" | "bicycle";
      readonly over: number;
    };

export type Rule = RuleSubject & { readonly act: RuleAct };

export const RULE_LIMITS = { rules: 30, words: 20, wordLength: 40, percent: 90, minutes: 240 } as const;

/** Undefined unless the value is a list of rules within the limits. `rules_are_valid` in the database refuses the same. */
export function parseRules(value: unknown): Rule[] | undefined {
  if (!Array.isArray(value) || value.length > RULE_LIMITS.rules) return undefined;
  const rules = value.map(parseRule);
  return rules.every((rule) => rule !== undefined) ? rules : undefined;
}

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

function parseRule(value: unknown): Rule | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const fields = value as Record<string, unknown>;
  const { act } = fields;
  const subject = parseSubject(fields);
  return subject && isOneOf(RULE_ACTS, act) ? { ...subject, act } : undefined;
}

function parseSubject({ on, kind, is, ...more }: Record<string, unknown>): RuleSubject | undefined {
  switch (on) {
    case "warning":
      return isOneOf(WARNING_KINDS, kind) ? { on, kind } : undefined;
    case "advertiser":
      return isOneOf(["private", "agency"], is) ? { on, is } : undefined;
    case "words": {
      const { are, words } = more;
      return isOneOf(["present", "absent"], are) && areWords(words) ? { on, are, words } : undefined;
    }
    case "zone-price": {
      const { percent } = more;
      const isValid = isCount(percent, RULE_LIMITS.percent);
      return isOneOf(["above", "below"], is) && isValid ? { on, is, percent } : undefined;
    }
    case "minutes":
      return parseMinutes(more);
    default:
      return undefined;
  }
}

function parseMinutes({ placeId, by, over }: Record<string, unknown>): RuleSubject | undefined {
  if (typeof placeId !== "string" || !UUID.test(placeId)) return undefined;
  if (!isOneOf(["foot", "bicycle"], by) || !isCount(over, RULE_LIMITS.minutes)) return undefined;
  return { on: "minutes", placeId, by, over };
}

function isOneOf<const Value extends string>(values: readonly Value[], value: unknown): value is Value {
  return (values as readonly unknown[]).includes(value);
}

function isCount(value: unknown, most: number): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 1 && Number(value) <= most;
}

function areWords(value: unknown): value is string[] {
  return (
    Array.isArray(value) &&
    value.length >= 1 &&
    value.length <= RULE_LIMITS.words &&
    value.every((word) => typeof word === "string" && word.length <= RULE_LIMITS.wordLength && isWord(word))
  );
}

/** Something of it is left after folding. */
function isWord(word: string): boolean {
  return wordsIn(word).trim() !== "";
}

/** Typed words: separated by commas or line breaks, each once, as many and as long as a rule may have. */
export function typedWords(text: string): string[] {
  const byFolded = new Map<string, string>();
  for (const part of text.split(/[,;\n]/)) {
    const word = part.replace(/\s+/g, " ").trim().slice(0, RULE_LIMITS.wordLength).trim();
    const folded = wordsIn(word);
    if (folded.trim() !== "" && !byFolded.has(folded)) byFolded.set(folded, word);
  }
  return [...byFolded.values()].slice(0, RULE_LIMITS.words);
}

/** Two rules with the same subject are one: the later replaces the former. Numbers and words are not part of it. */
export function subjectKey(rule: RuleSubject): string {
  switch (rule.on) {
    case "warning":
      return `warning ${rule.kind}`;
    case "advertiser":
      return `advertiser ${rule.is}`;
    case "words":
      return `words ${rule.are}`;
    case "zone-price":
      return `zone-price ${rule.is}`;
    case "minutes":
      return `minutes ${rule.placeId} ${rule.by}`;
  }
}

/** With this rule in the place of the one with the same subject. */
export function withRule(rules: readonly Rule[], rule: Rule): Rule[] {
  const key = subjectKey(rule);
  const others = rules.filter((one) => subjectKey(one) !== key);
  return others.length < RULE_LIMITS.rules ? [...others, rule] : others;
}

export function withoutRule(rules: readonly Rule[], subject: RuleSubject): Rule[] {
  const key = subjectKey(subject);
  return rules.filter((one) => subjectKey(one) !== key);
}
