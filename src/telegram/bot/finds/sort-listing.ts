import type { Context } from "grammy";
import type { InlineKeyboardButton } from "grammy/types";
import type { HomeMark } from "#core/finds/find.ts";
import { fittingRules } from "#core/rules/fitting-rules.ts";
import { parseCallbackData } from "../../callback-data.ts";
import { askWhichAccount } from "../chats/ask-which-account.ts";
import { button, type Conversation } from "../conversation/conversation.ts";
import { rowsOf, showButtons } from "../conversation/edit-message.ts";
import { confirmedPeopleAlerted } from "../rows/chat-people.ts";
import { editMarked, markListing } from "../rows/marks.ts";
import { readSentListing } from "../rows/sent-listings.ts";

const NUMBER = /^\d+\. /;

/** Hide, Keep and Undo: changes the buttons at once; the sender then edits the message. */
export async function sortListing(
  conversation: Conversation,
  ctx: Context,
  { propertyCode, mark }: { readonly propertyCode: string; readonly mark: HomeMark | null },
): Promise<string> {
  const { parts, chat, plain } = conversation;
  const people = await confirmedPeopleAlerted(parts.sql, chat.id, propertyCode);
  if (people.length > 1) {
    await askWhichAccount(conversation, people, { is: "mark", listingId: propertyCode, mark });
    return plain("whose_question");
  }
  const nowMs = parts.now();
  const target = { chatId: chat.id, listingId: propertyCode, userIds: people.map(({ userId }) => userId) };
  if ((await markListing(parts.sql, target, { mark, nowMs })) === 0) return plain("note_dead_button");
  const hidden =
    mark === "hidden"
      ? await readSentListing(parts.sql, { chatId: chat.id, listingId: propertyCode })
      : undefined;
  const isRuled = hidden !== undefined && fittingRules(hidden.listing).length > 0;
  await showButtons(
    ctx,
    rowsAfter(ctx, { propertyCode, mark }, (isInSummary) => {
      if (mark !== null) {
        const isShort = isInSummary && mark === "kept";
        const undo = button(plain(isShort ? "kept_short" : `button_${mark}`), { act: "undo", propertyCode });
        return isRuled && !isInSummary
          ? [[undo], [button(plain("less"), { act: "less", propertyCode })]]
          : [[undo]];
      }
      const acts = (["hide", "keep"] as const).map((act) => button(plain(act), { act, propertyCode }));
      return [isInSummary ? acts : [...acts, button(plain("mute"), { act: "mute" })]];
    }),
  );
  // Request the edit last: otherwise the buttons could overwrite the edited message.
  await editMarked(parts.sql, chat.id, nowMs);
  return plain(mark === null ? "note_undone" : `note_${mark}`);
}

/** Marks the listing for these accounts and returns the reply. The sender edits the alerts. */
export async function markFor(
  { parts, chat, t }: Conversation,
  userIds: readonly string[],
  { listingId, mark }: { readonly listingId: string; readonly mark: HomeMark | null },
): Promise<string> {
  const nowMs = parts.now();
  await markListing(parts.sql, { chatId: chat.id, listingId, userIds }, { mark, nowMs });
  await editMarked(parts.sql, chat.id, nowMs);
  return t(mark === null ? "note_undone" : `note_${mark}`);
}

/** Replaces the buttons of the listing. In a summary each listing has a row whose first button starts with its number. */
function rowsAfter(
  ctx: Context,
  { propertyCode, mark }: { readonly propertyCode: string; readonly mark: HomeMark | null },
  rowsFor: (isInSummary: boolean) => InlineKeyboardButton[][],
): InlineKeyboardButton[][] {
  return rowsOf(ctx).flatMap((row) => {
    const isOwn = row.some((one) => ["hide", "keep", "undo"].includes(actOn(one, propertyCode)));
    if (!isOwn) return row.some((one) => actOn(one, propertyCode) === "less") ? [] : [[...row]];
    const [number = ""] = row.flatMap(({ text }) => NUMBER.exec(text)?.[0] ?? []);
    const [acts = [], ...others] = rowsFor(number !== "");
    // A hidden listing has room for one button, as in the edited message.
    const links = mark === "hidden" ? [] : row.filter((one) => "url" in one);
    const [first, ...more] = [...links, ...acts];
    if (first === undefined) return others;
    return [[{ ...first, text: number + first.text.replace(NUMBER, "") }, ...more], ...others];
  });
}

function actOn(one: InlineKeyboardButton, propertyCode: string): string {
  const press = "callback_data" in one ? parseCallbackData(one.callback_data) : undefined;
  return press && "propertyCode" in press && press.propertyCode === propertyCode ? press.act : "";
}
