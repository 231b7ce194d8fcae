/** The form of a search's rules: what is typed for each subject, and the rules that it means. */
import type { OwnPlace } from "#core/finds/find.ts";
import {
  RULE_LIMITS,
  type Rule,
  type RuleAct,
  type RuleSubject,
  subjectKey,
  typedWords,
} from "#core/rules/rule.ts";
import { WARNING_KINDS } from "#core/warnings/warning.ts";

/** One line of the form. Words, percent and minutes are as typed. */
export interface DraftLine {
  readonly key: string;
  readonly subject: RuleSubject;
  readonly typed: string;
  readonly act: RuleAct;
}

const USUAL_PERCENT = 20;
const USUAL_MINUTES = 30;

/** A line for everything that a rule can be about, filled in with the saved rules. */
export function draftOf(rules: readonly Rule[], places: readonly OwnPlace[]): DraftLine[] {
  const subjects: RuleSubject[] = [
    ...WARNING_KINDS.map((kind) => ({ on: "warning", kind }) as const),
    ...(["agency", "private"] as const).map((is) => ({ on: "advertiser", is }) as const),
    ...(["present", "absent"] as const).map((are) => ({ on: "words", are, words: [] }) as const),
    ...(["above", "below"] as const).map((is) => ({ on: "zone-price", is, percent: USUAL_PERCENT }) as const),
    ...places.flatMap(({ id }) =>
      (["foot", "bicycle"] as const).map(
        (by) => ({ on: "minutes", placeId: id, by, over: USUAL_MINUTES }) as const,
      ),
    ),
  ];
  return subjects.map((subject) => {
    const key = subjectKey(subject);
    const saved = rules.find((rule) => subjectKey(rule) === key);
    return { key, subject, typed: typedOf(saved ?? subject), act: saved?.act ?? "alert" };
  });
}

function typedOf(subject: RuleSubject): string {
  if (subject.on === "words") return subject.words.join(", ");
  if (subject.on === "zone-price") return String(subject.percent);
  return subject.on === "minutes" ? String(subject.over) : "";
}

/** Why a line cannot be saved: it does something, but its field is empty or out of range. */
export function faultOf({ subject, typed, act }: DraftLine): boolean {
  if (act === "alert") return false;
  if (subject.on === "words") return typedWords(typed).length === 0;
  if (subject.on === "zone-price") return !isCount(typed, RULE_LIMITS.percent);
  return subject.on === "minutes" && !isCount(typed, RULE_LIMITS.minutes);
}

function isCount(typed: string, most: number): boolean {
  return /^\d{1,3}$/.test(typed) && Number(typed) >= 1 && Number(typed) <= most;
}

/**
 * The rules that the lines mean. A line that alerts is no rule, unless words were typed, which are not thrown away. Saved rules
 * about a place that was deleted are dropped.
 */
export function rulesOf(lines: readonly DraftLine[]): Rule[] {
  return lines.flatMap((line): Rule[] => {
    const { subject, typed, act } = line;
    if (faultOf(line)) return [];
    if (subject.on === "words") {
      const words = typedWords(typed);
      return words.length === 0 ? [] : [{ ...subject, words, act }];
    }
    if (act === "alert") return [];
    if (subject.on === "zone-price") return [{ ...subject, percent: Number(typed), act }];
    if (subject.on === "minutes") return [{ ...subject, over: Number(typed), act }];
    return [{ ...subject, act }];
  });
}
