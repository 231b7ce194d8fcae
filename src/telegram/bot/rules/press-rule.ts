import type { Context } from "grammy";
import { subjectKey, withoutRule, withRule } from "#core/rules/rule.ts";
import { type Rule, type RuleSubject, typedFieldOf } from "#core/rules/rule-kinds.ts";
import { readPast } from "#store/rules/search-rules.ts";
import { isWholeInButton } from "../../buttons/rule-buttons.ts";
import type { ButtonPress } from "../../callback-data.ts";
import { button, type Conversation, type Shown } from "../conversation/conversation.ts";
import { showText } from "../conversation/edit-message.ts";
import { searchNameInChat } from "../conversation/search-words.ts";
import { changeSearchRules, searchesOf, setSearchFolded } from "../rows/saved-searches.ts";
import { addCard, choiceCard, rulesCard, ruleWordsOf } from "./show-rules.ts";

type RulePress = Extract<ButtonPress, { act: "rule" }>;

/** Without a choice: shows what each would do. With one: saves it. */
export async function pressRule(
  conversation: Conversation,
  ctx: Context,
  { searchId, subject: asked, choice }: RulePress,
): Promise<string> {
  const { parts, chat, plain } = conversation;
  const search = (await searchesOf(parts.sql, chat)).find((one) => one.searchId === searchId);
  const past = search && (await readPast(parts.sql, searchId, new Date(parts.now())));
  if (search === undefined || past === undefined) return plain("note_search_gone");
  const subject = savedSubject(asked, past.rules);
  if (subject === undefined) return plain("note_dead_button");
  if (choice === null) {
    await show(conversation, ctx, choiceCard(conversation, search, { subject, past }));
    return "";
  }
  const rule = { ...subject, act: choice } as Rule;
  const isSaved = await changeSearchRules(parts.sql, { chat, searchId }, (rules) =>
    choice === "alert" && typedFieldOf(subject.on)?.field.is !== "words"
      ? withoutRule(rules, subject)
      : withRule(rules, rule),
  );
  if (!isSaved) return plain("note_search_gone");
  await show(conversation, ctx, await rulesCard(conversation, search));
  return plain("note_rule_saved");
}

/** What is not in the button is read from the saved rule, without which it cannot be changed here. */
function savedSubject(asked: RuleSubject, rules: readonly Rule[]): RuleSubject | undefined {
  if (isWholeInButton(asked.on)) return asked;
  const saved = rules.find((rule) => subjectKey(rule) === subjectKey(asked));
  if (saved === undefined) return undefined;
  const { act: _, ...subject } = saved;
  return subject;
}

export async function pressRules(
  conversation: Conversation,
  ctx: Context,
  searchId: string,
): Promise<string> {
  const { parts, chat, plain } = conversation;
  const search = (await searchesOf(parts.sql, chat)).find((one) => one.searchId === searchId);
  if (search === undefined) return plain("note_search_gone");
  await show(conversation, ctx, await rulesCard(conversation, search));
  return "";
}

/** Shows what another rule may be about. */
export async function pressAdd(conversation: Conversation, ctx: Context, searchId: string): Promise<string> {
  const { parts, chat, plain } = conversation;
  const search = (await searchesOf(parts.sql, chat)).find((one) => one.searchId === searchId);
  const past = search && (await readPast(parts.sql, searchId, new Date(parts.now())));
  if (search === undefined || past === undefined) return plain("note_search_gone");
  await show(conversation, ctx, addCard(conversation, search, past));
  return "";
}

/** Answers the offer of a summary. Nothing but this switches it. */
export async function pressFold(
  conversation: Conversation,
  ctx: Context,
  { searchId, isFolded }: { readonly searchId: string; readonly isFolded: boolean },
): Promise<string> {
  const { parts, chat, plain, t, language } = conversation;
  const search = (await searchesOf(parts.sql, chat)).find((one) => one.searchId === searchId);
  if (search === undefined || !(await setSearchFolded(parts.sql, { chat, searchId }, isFolded))) {
    return plain("note_search_gone");
  }
  const name = searchNameInChat(search, language);
  const other = isFolded
    ? button(plain("unfold"), { act: "unfold-search", searchId })
    : button(ruleWordsOf(conversation).rules.t("summary.switch"), { act: "fold-search", searchId });
  await showText(ctx, t(isFolded ? "folded" : "unfolded", { name }), [[other]]);
  return plain("note_rule_saved");
}

/** Edits the message with the button, or sends a new one if that message is too old. */
async function show(conversation: Conversation, ctx: Context, { html, rows }: Shown): Promise<void> {
  if (!(await showText(ctx, html, rows))) await conversation.reply(html, rows);
}
