/** What a rule is about, short enough for the callback data of a button. Words and minutes are not in it: they are saved. */
import { parseRules, RULE_ACTS, type RuleAct, type RuleSubject } from "#core/rules/rule.ts";

const ACT_LETTERS: Readonly<Record<RuleAct, string>> = { alert: "a", silent: "s", "leave-out": "l" };

export function formatRuleAct(act: RuleAct): string {
  return ACT_LETTERS[act];
}

export function parseRuleAct(letter: string): RuleAct | undefined {
  return RULE_ACTS.find((act) => ACT_LETTERS[act] === letter);
}

export function formatSubject(subject: RuleSubject, packUuid: (uuid: string) => string): string {
  switch (subject.on) {
    case "warning":
      return `w.${subject.kind}`;
    case "advertiser":
      return `a.${subject.is}`;
    case "words":
      return `t.${subject.are}`;
    case "zone-price":
      return `p.${subject.is}.${subject.percent}`;
    case "minutes":
      return `m.${subject.by}.${packUuid(subject.placeId)}`;
  }
}

/** With placeholders for words and minutes. Undefined for what formatSubject does not write. */
export function parseSubject(
  text: string,
  unpackUuid: (packed: string) => string | undefined,
): RuleSubject | undefined {
  const [letter, first = "", second = "", ...more] = text.split(".");
  if (more.length > 0) return undefined;
  const fields = {
    w: { on: "warning", kind: first },
    a: { on: "advertiser", is: first },
    t: { on: "words", are: first, words: ["-x-"] },
    p: { on: "zone-price", is: first, percent: /^\d{1,2}$/.test(second) ? Number(second) : 0 },
    m: { on: "minutes", by: first, placeId: unpackUuid(second), over: 1 },
  }[letter ?? ""];
  const [rule] = parseRules([{ ...fields, act: "alert" }]) ?? [];
  if (rule === undefined) return undefined;
  const { act: _, ...subject } = rule;
  return subject;
}
