import { fittingRules } from "#core/rules/fitting-rules.ts";
import { capitalised } from "#text/labels.ts";
import { ruleReason } from "#text/rule-words.ts";
import { button, type Conversation } from "../conversation/conversation.ts";
import { cut, searchNameInChat } from "../conversation/search-words.ts";
import { searchesOf } from "../rows/saved-searches.ts";
import { readSentListing } from "../rows/sent-listings.ts";
import { ruleWordsOf } from "./show-rules.ts";

const LONGEST_BUTTON = 40;
/** Ten rows of reasons fill a screen. */
const MOST_BUTTONS = 10;

/** After Hide: offers rules that fit the hidden home. Each button first shows what the rule would have done. */
export async function pressLess(conversation: Conversation, propertyCode: string): Promise<string> {
  const { parts, chat, t, plain, language } = conversation;
  const alerted = await readSentListing(parts.sql, { chatId: chat.id, listingId: propertyCode });
  if (alerted === undefined) return plain("note_dead_button");
  const searches = (await searchesOf(parts.sql, chat)).filter(({ searchId }) =>
    alerted.searchIds.includes(searchId),
  );
  const words = ruleWordsOf(conversation);
  const buttons = searches.flatMap((search) =>
    fittingRules(alerted.listing).map((subject) => {
      const reason = capitalised(ruleReason(subject, words, []));
      const name = searches.length > 1 ? ` · ${searchNameInChat(search, language, "short")}` : "";
      const { searchId } = search;
      return button(cut(reason + name, LONGEST_BUTTON), { act: "rule", searchId, subject, choice: null });
    }),
  );
  if (buttons.length === 0) {
    await conversation.reply(t("less_nothing"));
    return "";
  }
  await conversation.reply(
    t("less_question"),
    buttons.slice(0, MOST_BUTTONS).map((one) => [one]),
  );
  return "";
}
