/** The form of a search's rules: a line for each rule that is set, and the rules that the lines mean. */
import type { OwnPlace } from "#core/finds/find.ts";
import { fieldIn, subjectKey, subjectsOf, WANTED_SUBJECTS } from "#core/rules/rule.ts";
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

export function draftOf(rules: readonly Rule[]): DraftLine[] {
  return rules.map(({ act, ...subject }) => ({
    key: subjectKey(subject),
    subject,
    typed: typedOf(subject),
    act,
  }));
}

/** A rule that is being added leaves homes out, until another act is chosen. */
export function newLine(subject: RuleSubject): DraftLine {
  return { key: subjectKey(subject), subject, typed: typedOf(subject), act: "leave-out" };
}

/** What a rule may still be about: what people want first, and everything else. */
export function subjectsLeft(lines: readonly DraftLine[], places: readonly OwnPlace[]) {
  const taken = new Set(lines.map(({ key }) => key));
  const wanted = WANTED_SUBJECTS.filter((subject) => !taken.has(subjectKey(subject)));
  for (const subject of WANTED_SUBJECTS) taken.add(subjectKey(subject));
  const others = RULE_KIND_NAMES.flatMap((on) => subjectsOf(on, places)).filter(
    (subject) => !taken.has(subjectKey(subject)),
  );
  return { wanted, others };
}

function typedOf(subject: RuleSubject): string {
  const typed = typedFieldOf(subject.on);
  const value = typed && fieldIn(subject, typed.name);
  return Array.isArray(value) ? value.join(", ") : String(value ?? "");
}

/** Why a line cannot be saved: its field is empty or out of range. */
export function faultOf({ subject, typed }: DraftLine): boolean {
  const own = typedFieldOf(subject.on);
  return own !== undefined && typedValue(own.field, typed) === undefined;
}

/** The rules that the lines mean. Saved rules about a place that was deleted are dropped. */
export function rulesOf(lines: readonly DraftLine[], places: readonly OwnPlace[]): Rule[] {
  return lines.flatMap(({ subject, typed, act }): Rule[] => {
    if (subject.on === "minutes" && !places.some(({ id }) => id === subject.placeId)) return [];
    const own = typedFieldOf(subject.on);
    if (own === undefined) return [{ ...subject, act }];
    const value = typedValue(own.field, typed);
    return value === undefined ? [] : [{ ...subject, [own.name]: value, act } as Rule];
  });
}
