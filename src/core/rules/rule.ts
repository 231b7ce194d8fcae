/**
 * Rules on top of a search's link. Each names homes by one fact and says what to do with them; the strongest rule that applies
 * to a home decides. The database checks only that they are a list and its size: this is the one parser.
 */
import type { OwnPlace } from "../finds/find.ts";
import { mayBe } from "./rule-fields.ts";
import {
  RULE_ACTS,
  RULE_KIND_NAMES,
  type Rule,
  type RuleKindName,
  type RuleSubject,
  ruleKindOf,
} from "./rule-kinds.ts";

const MOST_RULES = 30;

export interface ReadRules {
  readonly rules: readonly Rule[];
  /** How many of the stored rules cannot be read. They do nothing, and wherever rules are shown their number is. */
  readonly unreadable: number;
}

/** Reads stored rules, each for itself: one that cannot be read does not end the others. */
export function readRules(stored: unknown): ReadRules {
  if (!Array.isArray(stored))
    return { rules: [], unreadable: stored === null || stored === undefined ? 0 : 1 };
  const rules = stored.slice(0, MOST_RULES).flatMap((value) => parseRule(value) ?? []);
  return { rules, unreadable: stored.length - rules.length };
}

/** Undefined unless the value is a rule. Unknown fields are dropped. */
export function parseRule(value: unknown): Rule | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const given = value as Record<string, unknown>;
  const on = RULE_KIND_NAMES.find((name) => name === given.on);
  const act = RULE_ACTS.find((name) => name === given.act);
  if (on === undefined || act === undefined) return undefined;
  const fields = Object.entries(ruleKindOf(on).fields);
  if (!fields.every(([name, field]) => mayBe(field, given[name]))) return undefined;
  return { on, ...Object.fromEntries(fields.map(([name]) => [name, given[name]])), act } as unknown as Rule;
}

/** Two rules with the same subject are one: the later replaces the former. Numbers and words are not part of it. */
export function subjectKey(rule: RuleSubject): string {
  const chosen = Object.entries(ruleKindOf(rule.on).fields).flatMap(([name, field]) =>
    field.is === "choice" || field.is === "place" ? [fieldIn(rule, name)] : [],
  );
  return [rule.on, ...chosen].join(" ");
}

export function fieldIn(rule: RuleSubject, field: string): unknown {
  return (rule as unknown as Record<string, unknown>)[field];
}

/** A subject for each choice and each of the person's places, with the usual numbers and no words. */
export function subjectsOf(on: RuleKindName, places: readonly Pick<OwnPlace, "id">[]): RuleSubject[] {
  let subjects: object[] = [{ on }];
  for (const [name, field] of Object.entries(ruleKindOf(on).fields)) {
    const values =
      field.is === "choice"
        ? field.values
        : field.is === "place"
          ? places.map(({ id }) => id)
          : [field.is === "count" ? field.usual : []];
    subjects = subjects.flatMap((subject) => values.map((value) => ({ ...subject, [name]: value })));
  }
  return subjects as RuleSubject[];
}

/** With this rule in the place of the one with the same subject. */
export function withRule(rules: readonly Rule[], rule: Rule): Rule[] {
  const key = subjectKey(rule);
  const others = rules.filter((one) => subjectKey(one) !== key);
  return others.length < MOST_RULES ? [...others, rule] : others;
}

export function withoutRule(rules: readonly Rule[], subject: RuleSubject): Rule[] {
  const key = subjectKey(subject);
  return rules.filter((one) => subjectKey(one) !== key);
}

/** What people ask for first, in this order. Forms and chats offer these before all others. */
export const WANTED_SUBJECTS: readonly RuleSubject[] = [
  { on: "words", are: "present", words: [] },
  { on: "advertiser", is: "agency" },
  { on: "warning", kind: "seasonal" },
  { on: "warning", kind: "shared-flat" },
  { on: "zone-price", is: "above", percent: 20 },
];
