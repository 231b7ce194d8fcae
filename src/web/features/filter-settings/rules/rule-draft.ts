/** The form of a search's rules: what is typed for each subject, and the rules that it means. */
import type { OwnPlace } from "#core/finds/find.ts";
import { fieldIn, subjectKey, subjectsOf } from "#core/rules/rule.ts";
import { typedValue } from "#core/rules/rule-fields.ts";
import {
  RULE_KIND_NAMES,
  type Rule,
  type RuleAct,
  type RuleSubject,
  typedFieldOf,
} from "#core/rules/rule-kinds.ts";

/** One line of the form. Words and numbers are as typed. */
export interface DraftLine {
  readonly key: string;
  readonly subject: RuleSubject;
  readonly typed: string;
  readonly act: RuleAct;
}

/** A line for everything that a rule can be about, filled in with the saved rules. */
export function draftOf(rules: readonly Rule[], places: readonly OwnPlace[]): DraftLine[] {
  return RULE_KIND_NAMES.flatMap((on) => subjectsOf(on, places)).map((subject) => {
    const key = subjectKey(subject);
    const saved = rules.find((rule) => subjectKey(rule) === key);
    return { key, subject, typed: typedOf(saved ?? subject), act: saved?.act ?? "alert" };
  });
}

function typedOf(subject: RuleSubject): string {
  const typed = typedFieldOf(subject.on);
  const value = typed && fieldIn(subject, typed.name);
  return Array.isArray(value) ? value.join(", ") : String(value ?? "");
}

/** Why a line cannot be saved: it does something, but its field is empty or out of range. */
export function faultOf({ subject, typed, act }: DraftLine): boolean {
  const own = typedFieldOf(subject.on);
  return act !== "alert" && own !== undefined && typedValue(own.field, typed) === undefined;
}

/**
 * The rules that the lines mean. A line that alerts is no rule, unless words were typed, which are not thrown away. Saved rules
 * about a place that was deleted are dropped.
 */
export function rulesOf(lines: readonly DraftLine[]): Rule[] {
  return lines.flatMap(({ subject, typed, act }): Rule[] => {
    const own = typedFieldOf(subject.on);
    if (act === "alert" && own?.field.is !== "words") return [];
    if (own === undefined) return [{ ...subject, act }];
    const value = typedValue(own.field, typed);
    return value === undefined ? [] : [{ ...subject, [own.name]: value, act } as Rule];
  });
}
