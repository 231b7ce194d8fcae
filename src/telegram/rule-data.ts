/** What a rule is about, short enough for the callback data of a button: the letter and fields of its kind. */
import { fieldIn, parseRule } from "#core/rules/rule.ts";
import {
  RULE_ACTS,
  RULE_KIND_NAMES,
  type RuleAct,
  type RuleKindName,
  type RuleSubject,
  ruleKindOf,
} from "#core/rules/rule-kinds.ts";

const ACT_LETTERS: Readonly<Record<RuleAct, string>> = { alert: "a", silent: "s", "leave-out": "l" };

export function formatRuleAct(act: RuleAct): string {
  return ACT_LETTERS[act];
}

export function parseRuleAct(letter: string): RuleAct | undefined {
  return RULE_ACTS.find((act) => ACT_LETTERS[act] === letter);
}

/** Some fields, such as words, are not in the button: they are read from the saved rule. */
export function isWholeInButton(on: RuleKindName): boolean {
  const { fields, button } = ruleKindOf(on);
  return button.fields.length === Object.keys(fields).length;
}

export function formatSubject(subject: RuleSubject, packUuid: (uuid: string) => string): string {
  const { fields, button } = ruleKindOf(subject.on);
  const values = button.fields.map((name) => {
    const value = String(fieldIn(subject, name));
    return fields[name]?.is === "place" ? packUuid(value) : value;
  });
  return [button.letter, ...values].join(".");
}

/** Stand for what is not in the button. */
const PLACEHOLDERS = { words: ["-x-"], count: 1, choice: undefined, place: undefined } as const;

/** Undefined for what formatSubject does not write. */
export function parseSubject(
  text: string,
  unpackUuid: (packed: string) => string | undefined,
): RuleSubject | undefined {
  const [letter, ...parts] = text.split(".");
  const on = RULE_KIND_NAMES.find((name) => ruleKindOf(name).button.letter === letter);
  if (on === undefined) return undefined;
  const { fields, button } = ruleKindOf(on);
  if (parts.length !== button.fields.length) return undefined;
  const given = Object.entries(fields).map(([name, { is }]): [string, unknown] => {
    const part = parts[button.fields.indexOf(name)];
    if (part === undefined) return [name, PLACEHOLDERS[is]];
    if (is === "place") return [name, unpackUuid(part)];
    return [name, is === "count" ? (/^[1-9]\d{0,2}$/.test(part) ? Number(part) : 0) : part];
  });
  const rule = parseRule({ on, ...Object.fromEntries(given), act: "alert" });
  if (rule === undefined) return undefined;
  const { act: _, ...subject } = rule;
  return subject;
}
