/** What a rule is about, short enough for the callback data of a button: the letter and fields of its kind. */
import { fieldIn, parseRule } from "#core/rules/rule.ts";
import {
  RULE_KIND_NAMES,
  type RuleAct,
  type RuleKindName,
  type RuleSubject,
  ruleKindOf,
} from "#core/rules/rule-kinds.ts";
import { lettered, optional, row, uuid } from "./kit.ts";

/** Some fields, such as words, are not in the button: they are read from the saved rule. */
export function isWholeInButton(on: RuleKindName): boolean {
  const { fields, button } = ruleKindOf(on);
  return button.fields.length === Object.keys(fields).length;
}

function writeSubject(subject: RuleSubject): string | undefined {
  const { fields, button } = ruleKindOf(subject.on);
  const values = button.fields.map((name) => {
    const value = String(fieldIn(subject, name));
    return fields[name]?.is === "place" ? uuid.write(value) : value;
  });
  return values.includes(undefined) ? undefined : [button.letter, ...values].join(".");
}

/** Stand for what is not in the button. */
const PLACEHOLDERS = { words: ["-x-"], count: 1, choice: undefined, place: undefined } as const;

function readSubject(text: string): RuleSubject | undefined {
  const [letter, ...parts] = text.split(".");
  const on = RULE_KIND_NAMES.find((name) => ruleKindOf(name).button.letter === letter);
  if (on === undefined) return undefined;
  const { fields, button } = ruleKindOf(on);
  if (parts.length !== button.fields.length) return undefined;
  const given = Object.entries(fields).map(([name, { is }]): [string, unknown] => {
    const part = parts[button.fields.indexOf(name)];
    if (part === undefined) return [name, PLACEHOLDERS[is]];
    if (is === "place") return [name, uuid.read(part)];
    return [name, is === "count" ? (/^[1-9]\d{0,2}$/.test(part) ? Number(part) : 0) : part];
  });
  const rule = parseRule({ on, ...Object.fromEntries(given), act: "alert" });
  if (rule === undefined) return undefined;
  const { act: _, ...subject } = rule;
  return subject;
}

const fields = { searchId: uuid };

export const RULE_BUTTONS = {
  /** Shows a rule of a search, or with a choice saves it. */
  rule: row("Y", {
    ...fields,
    subject: { write: writeSubject, read: readSubject },
    choice: optional(
      lettered({ alert: "a", silent: "s", "leave-out": "l" } satisfies Record<RuleAct, string>),
    ),
  }),
  "rules-search": row("U", fields),
  /** What another rule may be about. */
  "rules-add": row("I", fields),
  "fold-search": row("F", fields),
  "unfold-search": row("G", fields),
};
