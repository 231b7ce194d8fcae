import { withoutRule, withRule } from "#core/rules/rule.ts";
import { typedWords } from "#core/rules/rule-fields.ts";
import type { Rule } from "#core/rules/rule-kinds.ts";
import { wordsIn } from "#core/rules/words-in.ts";
import { readPast } from "#store/rules/search-rules.ts";
import { replyUnconnected } from "../conversation/can-start.ts";
import { button, type Conversation } from "../conversation/conversation.ts";
import { cut, searchNameInChat } from "../conversation/search-words.ts";
import { confirmedPeople } from "../rows/chat-people.ts";
import { type ChatSearch, changeSearchRules, searchesOf } from "../rows/saved-searches.ts";
import { choiceCard, rulesCard } from "./show-rules.ts";

const LONGEST_BUTTON = 36;
const PRESENT = { on: "words", are: "present" } as const;

/** /rules: the rules of a search. With words: changes them. */
export async function rules(conversation: Conversation, typed = ""): Promise<void> {
  const { parts, chat, t, plain, language } = conversation;
  if ((await confirmedPeople(parts.sql, chat.id)).length === 0) return replyUnconnected(conversation);
  const all = await searchesOf(parts.sql, chat);
  const [only] = all;
  if (only === undefined) return conversation.reply(t("status_no_filter"));
  if (typed.trim() !== "") return typeWords(conversation, all, typed.trim());
  if (all.length === 1) {
    const { html, rows } = await rulesCard(conversation, only);
    return conversation.reply(html, rows);
  }
  const rows = all.map((search) => [
    button(cut(searchNameInChat(search, language, "short"), LONGEST_BUTTON), {
      act: "rules-search",
      searchId: search.searchId,
    }),
  ]);
  await conversation.reply(`<b>${plain("rules_title")}</b>\n${t("rules_which")}`, rows);
}

/**
 * /rules planta baja, -garaje: adds words to the rule about homes that mention one of them, or removes those with a minus. New
 * words do nothing until a choice below them is pressed, which shows what each would have done.
 */
async function typeWords(
  conversation: Conversation,
  all: readonly ChatSearch[],
  typed: string,
): Promise<void> {
  const { parts, chat, t } = conversation;
  const [, number, rest = ""] = /^(\d{1,3})[.:)]*\s+([\s\S]+)$/.exec(typed) ?? [];
  const meant = all.length === 1 ? all[0] : all.find((search) => String(search.number) === number);
  if (meant === undefined) return conversation.reply(t("rules_words_usage"));
  const text = all.length === 1 ? typed : rest;
  const { searchId } = meant;
  const isSaved = await changeSearchRules(parts.sql, { chat, searchId }, (rules) => changeWords(rules, text));
  const past = isSaved ? await readPast(parts.sql, searchId, new Date(parts.now())) : undefined;
  if (past === undefined) return conversation.reply(t("note_search_gone"));
  const rule = wordsRuleOf(past.rules);
  const { html, rows } = rule
    ? choiceCard(conversation, meant, { subject: { ...PRESENT, words: rule.words }, past })
    : await rulesCard(conversation, meant);
  await conversation.reply(html, rows);
}

function changeWords(rules: readonly Rule[], typed: string): Rule[] {
  const parts = typed.split(/[,;\n]/).map((part) => part.trim());
  const isRemoval = (part: string) => /^[-–−]/.test(part);
  const removed = new Set(parts.filter(isRemoval).map(wordsIn));
  const saved = wordsRuleOf(rules);
  const kept = (saved?.words ?? []).filter((word) => !removed.has(wordsIn(word)));
  const added = parts.filter((part) => !isRemoval(part));
  const words = typedWords([...kept, ...added].join(","));
  if (words.length === 0) return withoutRule(rules, { ...PRESENT, words });
  return withRule(rules, { ...PRESENT, words, act: saved?.act ?? "alert" });
}

function wordsRuleOf(rules: readonly Rule[]) {
  for (const rule of rules) if (rule.on === "words" && rule.are === "present") return rule;
  return undefined;
}
