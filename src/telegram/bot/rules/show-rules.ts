/** The rules of a search in a chat, and what a change would have done before it is saved. */
import { escapeHtml } from "#core/escape-html.ts";
import { type PastEffect, pastEffect } from "#core/rules/past-homes.ts";
import { subjectKey, subjectsOf, withRule } from "#core/rules/rule.ts";
import {
  RULE_ACTS,
  RULE_KIND_NAMES,
  type Rule,
  type RuleAct,
  type RuleSubject,
  ruleKindOf,
} from "#core/rules/rule-kinds.ts";
import { readLeftOutCounts } from "#store/rules/left-outs.ts";
import { type PastOfSearch, readPast } from "#store/rules/search-rules.ts";
import { capitalised, formatNumber } from "#text/labels.ts";
import { ruleReason } from "#text/rule-words.ts";
import { wordsOf } from "#text/translator.ts";
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

/** What can be switched with one button. Other rules have a button if they exist. */
const USUAL: readonly RuleSubject[] = RULE_KIND_NAMES.flatMap((on) => subjectsOf(on, [])).filter((subject) =>
  ruleKindOf(subject.on).isOffered(subject),
);

/** The rules of one search. */
export async function rulesCard(conversation: Conversation, search: ChatSearch): Promise<Shown> {
  const { parts, language, plain, t } = conversation;
  const now = new Date(parts.now());
  const past = await readPast(parts.sql, search.searchId, now);
  if (past === undefined) return { html: t("note_search_gone"), rows: [] };
  const { month } = await readLeftOutCounts(parts.sql, search.searchId, now);
  const active = past.rules.filter(({ act }) => act !== "alert");
  const words = ruleWordsOf(conversation);
  const lines = active.map(
    (rule) =>
      `${MARKS[rule.act]} ${escapeHtml(words.rules.t("line", { act: words.rules.t(`acts.${rule.act}`), reason: ruleReason(rule, words, past.places) }))}`,
  );
  const html = [
    `<b>${escapeHtml(plain("rules_of", { name: searchNameInChat(search, language) }))}</b>`,
    ...(lines.length === 0 ? [t("rules_none")] : lines),
    ...(past.unreadable === 0 ? [] : [escapeHtml(words.rules.t("unreadable", { count: past.unreadable }))]),
    t("rules_left_out", { number: formatNumber(month, language) }),
    "",
    t("rules_hint"),
  ].join("\n");
  const query = `?search=${search.searchId}#rules`;
  return withSite(conversation, [html], { rows: subjectRows(conversation, search.searchId, past), query });
}

function subjectRows(conversation: Conversation, searchId: string, past: PastOfSearch): ButtonRows {
  const words = ruleWordsOf(conversation);
  const usual = new Set(USUAL.map(subjectKey));
  const own = past.rules.filter((rule) => !usual.has(subjectKey(rule)));
  const buttons = [...USUAL, ...own].map((subject) => {
    const saved = past.rules.find((rule) => subjectKey(rule) === subjectKey(subject));
    const mark = saved && saved.act !== "alert" ? `${MARKS[saved.act]} ` : "";
    const text = mark + capitalised(ruleReason(saved ?? subject, words, past.places));
    return button(cut(text, LONGEST_BUTTON), {
      act: "rule",
      searchId,
      subject: saved ?? subject,
      choice: null,
    });
  });
  return inPairs(buttons);
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
