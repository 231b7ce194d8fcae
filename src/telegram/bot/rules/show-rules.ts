/** The rules of a search in a chat, and what a change would have done before it is saved. */
import { escapeHtml } from "#core/escape-html.ts";
import { type PastEffect, pastEffect } from "#core/rules/past-homes.ts";
import { subjectKey, subjectsOf, WANTED_SUBJECTS, withRule } from "#core/rules/rule.ts";
import {
  RULE_ACTS,
  RULE_KIND_NAMES,
  type Rule,
  type RuleAct,
  type RuleSubject,
  ruleKindOf,
} from "#core/rules/rule-kinds.ts";
import { type PastOfSearch, readPast } from "#store/rules/search-rules.ts";
import { capitalised, formatNumber } from "#text/labels.ts";
import { ruleReason } from "#text/rule-words.ts";
import { wordsOf } from "#text/translator.ts";
import { readLeftOutCounts } from "../../rows/left-outs.ts";
import {
  type ButtonRows,
  button,
  type Conversation,
  inPairs,
  type Shown,
  withSite,
} from "../conversation/conversation.ts";
import { cut, searchNameInChat } from "../conversation/search-words.ts";
import type { ChatSearch } from "../rows/saved-searches.ts";

const LONGEST_BUTTON = 40;
const MARKS: Readonly<Record<RuleAct, string>> = { alert: "🔔", silent: "🔕", "leave-out": "🚫" };

/** What can be set with one button, with what people want first. */
const OFFERED: readonly RuleSubject[] = [
  ...WANTED_SUBJECTS,
  ...RULE_KIND_NAMES.flatMap((on) => subjectsOf(on, [])).filter(
    (subject) => !WANTED_SUBJECTS.some((wanted) => subjectKey(wanted) === subjectKey(subject)),
  ),
].filter((subject) => ruleKindOf(subject.on).isOffered(subject));

/** The rules of one search. */
export async function rulesCard(conversation: Conversation, search: ChatSearch): Promise<Shown> {
  const { parts, language, plain, t } = conversation;
  const now = new Date(parts.now());
  const past = await readPast(parts.sql, search.searchId, now);
  if (past === undefined) return { html: t("note_search_gone"), rows: [] };
  const { month } = await readLeftOutCounts(parts.sql, search.searchId, now);
  const active = past.rules.filter(({ act }) => act !== "alert");
  const words = ruleWordsOf(conversation);
  const lines = active.map((rule) => {
    const act = words.rules.t(`acts.${rule.act}`);
    const line = words.rules.t("line", { act, reason: ruleReason(rule, words, past.places) });
    return `${MARKS[rule.act]} ${escapeHtml([line, ...effectOfOne(rule, past, words)].join(" · "))}`;
  });
  const html = [
    `<b>${escapeHtml(plain("rules_of", { name: searchNameInChat(search, language) }))}</b>`,
    ...(lines.length === 0 ? [t("rules_none")] : lines),
    ...(past.unreadable === 0 ? [] : [escapeHtml(words.rules.t("unreadable", { count: past.unreadable }))]),
    t("rules_left_out", { number: formatNumber(month, language) }),
    "",
    t("rules_hint"),
  ].join("\n");
  const query = `?search=${search.searchId}#rules`;
  return withSite(conversation, [html], { rows: ruleRows(conversation, search.searchId, past), query });
}

/** How many homes of the last 30 days this rule alone is about. */
function effectOfOne(rule: Rule, { homes, places }: PastOfSearch, { rules }: ReturnType<typeof ruleWordsOf>) {
  if (homes.length === 0) return [];
  const { leftOut, silent } = pastEffect([rule], homes, places);
  const number = (count: number) => formatNumber(count, rules.language);
  return [rules.t("ofHomes", { number: number(leftOut + silent), homes: number(homes.length) })];
}

/** A button for each rule that is set, and one for another. */
function ruleRows(conversation: Conversation, searchId: string, past: PastOfSearch): ButtonRows {
  const { rules } = ruleWordsOf(conversation);
  return [
    ...inPairs(past.rules.map((rule) => subjectButton(conversation, searchId, past, rule))),
    [button(`+ ${rules.t("add")}`, { act: "rules-add", searchId })],
  ];
}

/** What another rule may be about: what people want first, then everything else that one button can set. */
export function addCard(conversation: Conversation, search: ChatSearch, past: PastOfSearch): Shown {
  const { plain, language } = conversation;
  const { searchId } = search;
  const set = new Set(past.rules.map(subjectKey));
  const buttons = OFFERED.filter((subject) => !set.has(subjectKey(subject))).map((subject) =>
    subjectButton(conversation, searchId, past, subject),
  );
  const { rules } = ruleWordsOf(conversation);
  return {
    html: `<b>${escapeHtml(rules.t("which"))}</b> · ${escapeHtml(searchNameInChat(search, language))}`,
    rows: [...inPairs(buttons), [button(`‹ ${plain("rules_title")}`, { act: "rules-search", searchId })]],
  };
}

function subjectButton(
  conversation: Conversation,
  searchId: string,
  past: PastOfSearch,
  subject: RuleSubject | Rule,
) {
  const words = ruleWordsOf(conversation);
  const mark = "act" in subject && subject.act !== "alert" ? `${MARKS[subject.act]} ` : "";
  const text = mark + capitalised(ruleReason(subject, words, past.places));
  return button(cut(text, LONGEST_BUTTON), { act: "rule", searchId, subject, choice: null });
}

/** One rule before it is saved: what each choice would have done to the last 30 days. */
export function choiceCard(
  conversation: Conversation,
  search: ChatSearch,
  { subject, past }: { subject: RuleSubject; past: PastOfSearch },
): Shown {
  const { plain, language } = conversation;
  const words = ruleWordsOf(conversation);
  const { t } = words.rules;
  const number = (count: number) => formatNumber(count, language);
  const effectOf = (act: RuleAct): PastEffect =>
    pastEffect(withRule(past.rules, { ...subject, act } as Rule), past.homes, past.places);
  const effects = (["silent", "leave-out"] as const).map((act) => {
    const { homes, leftOut, silent } = effectOf(act);
    const values = { homes: number(homes), leftOut: number(leftOut), silent: number(silent) };
    return `${MARKS[act]} <b>${escapeHtml(t(`acts.${act}`))}</b>\n${escapeHtml(t("effect", values))}`;
  });
  const saved = past.rules.find((rule) => subjectKey(rule) === subjectKey(subject))?.act ?? "alert";
  const { searchId } = search;
  const choices = RULE_ACTS.map((choice) =>
    button(`${choice === saved ? "✓ " : ""}${MARKS[choice]} ${t(`acts.${choice}`)}`, {
      ...{ act: "rule", searchId, subject, choice },
    }),
  );
  const title = capitalised(ruleReason(subject, words, past.places));
  return {
    html: [
      `<b>${escapeHtml(title)}</b> · ${escapeHtml(searchNameInChat(search, language))}`,
      ...(past.homes.length === 0 ? [escapeHtml(t("effectNone"))] : effects),
    ].join("\n\n"),
    rows: [
      ...choices.map((one) => [one]),
      [button(`‹ ${plain("rules_title")}`, { act: "rules-search", searchId })],
    ],
  };
}

export function ruleWordsOf({ language }: Pick<Conversation, "language">) {
  return { rules: wordsOf("rules", language), home: wordsOf("home", language) };
}
