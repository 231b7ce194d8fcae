import type { Context } from "grammy";
import { muteChat, unmuteChat } from "#store/chats/conversations.ts";
import { timeOfDay } from "#text/moments.ts";
import type { ButtonPress, ConsentAct } from "../../callback-data.ts";
import { pressDeleteAccount } from "../account/own-account.ts";
import { mayDo } from "../chats/confirmed-only.ts";
import { pressAccount } from "../chats/press-account.ts";
import { type Role, roleIn } from "../chats/role-in.ts";
import { chooseLanguage } from "../commands/language.ts";
import { pressReceives } from "../commands/shortlist.ts";
import { button, type Conversation } from "../conversation.ts";
import { pressPlace } from "../finds/own-places.ts";
import { pressMessage } from "../finds/send-message.ts";
import { pressPhotos } from "../finds/send-photos.ts";
import { pressSimilar, pressUnwatch, pressWatch } from "../links/press-offer.ts";
import { pressQuestion, pressQuestions } from "../questions/answer-questions.ts";
import { answerQuestion } from "../rows/consent.ts";
import { forgetQuestion } from "../rows/open-questions.ts";
import { pressLess } from "../rules/less-of-this.ts";
import { pressRule } from "../rules/press-rule.ts";
import { pressList, pressSearch } from "../searches/press-search.ts";
import { pressBegin } from "../start/press-begin.ts";
import { showButtons, showText, swap } from "./edit-message.ts";
import { sortListing } from "./sort-listing.ts";

const MUTE_MS = 8 * 3_600_000;

/** Carries out a button press and returns the text of the notification. Callback data can be forged, so nothing in it is trusted. */
export async function pressButton(
  conversation: Conversation,
  ctx: Context,
  press: ButtonPress,
): Promise<string> {
  const role = await roleIn(conversation.api, conversation.chat, conversation.speaker);
  if (!isAllowed(press, role, conversation)) return conversation.plain("administrators_only");
  if (!(await mayDo(conversation, press.act))) return "";
  if (press.act === "rule") return pressRule(conversation, ctx, press);
  if ("searchId" in press) return pressSearch(conversation, ctx, press);
  switch (press.act) {
    case "hide":
      return sortListing(conversation, ctx, { propertyCode: press.propertyCode, mark: "hidden" });
    case "keep":
      return sortListing(conversation, ctx, { propertyCode: press.propertyCode, mark: "kept" });
    case "undo":
      return sortListing(conversation, ctx, { propertyCode: press.propertyCode, mark: null });
    case "less":
      return pressLess(conversation, press.propertyCode);
    case "message":
      return pressMessage(conversation, press.propertyCode);
    case "photos":
      return pressPhotos(conversation, press.propertyCode);
    case "place-work":
    case "place-home":
    case "place-other":
    case "move-place":
      return pressPlace(conversation, ctx, press);
    case "whose":
      return pressAccount(conversation, ctx, { ...press, role });
    case "mute":
      return mute(conversation, ctx);
    case "unmute":
      return unmute(conversation, ctx);
    case "list-searches":
      return pressList(conversation, ctx);
    case "watch":
      return pressWatch(conversation, ctx, press.userId);
    case "unwatch":
      return pressUnwatch(conversation, ctx, press.userId);
    case "similar":
      return pressSimilar(conversation, ctx, press.userId);
    case "begin":
      return pressBegin(conversation, ctx);
    case "questions":
      return pressQuestions(conversation);
    case "question":
      return pressQuestion(conversation, ctx, press.step);
    case "delete-account":
      return pressDeleteAccount(conversation, ctx);
    case "receives":
      return pressReceives(conversation, ctx, press.receives);
    case "decline":
      await forgetQuestion(conversation.parts.sql, conversation.chat.id);
      await showButtons(ctx, []);
      return conversation.plain("note_declined");
    case "yes":
    case "no":
    case "me":
    case "not-me":
      return answer(conversation, ctx, { act: press.act, userId: press.userId });
    case "speak": {
      const spoken = await chooseLanguage(conversation, press.language);
      await showText(ctx, spoken.t("language_chosen"));
      return spoken.plain("language_chosen");
    }
  }
}

const SORTING: readonly ButtonPress["act"][] = [
  ...(["hide", "keep", "undo", "mute", "unmute", "mute-search", "unmute-search"] as const),
  ...(["message", "photos", "whose"] as const),
];

/** Group members may sort the group's alerts. Readers of a channel may not. */
function isAllowed({ act }: ButtonPress, role: Role, { chat }: Conversation): boolean {
  if (role === "administrator") return true;
  return role === "member" && SORTING.includes(act) && chat.kind !== "channel";
}

async function mute({ parts, chat, plain, language }: Conversation, ctx: Context): Promise<string> {
  const until = await muteChat(parts.sql, chat.id, new Date(parts.now() + MUTE_MS));
  await showButtons(
    ctx,
    swap(ctx, button(plain("mute"), { act: "mute" }), button(plain("button_muted"), { act: "unmute" })),
  );
  return until === undefined
    ? plain("note_paused")
    : plain("note_muted", { time: timeOfDay(until, language) });
}

async function unmute({ parts, chat, plain }: Conversation, ctx: Context): Promise<string> {
  await unmuteChat(parts.sql, chat.id, "mute");
  await showButtons(
    ctx,
    swap(ctx, button(plain("button_muted"), { act: "unmute" }), button(plain("mute"), { act: "mute" })),
  );
  return plain("note_unmuted");
}

async function answer(
  { parts, chat, t, plain, language }: Conversation,
  ctx: Context,
  { act, userId }: { readonly act: ConsentAct; readonly userId: string },
): Promise<string> {
  const { id: chatId, kind, title } = chat;
  const result = await answerQuestion(parts.sql, { chatId, userId, says: act, kind, title });
  parts.logger.info({ outcome: result.is, kind }, "a chat answered a consent question");
  switch (result.is) {
    case "connected":
      await showText(ctx, `✅ ${t("alerts_of", { people: result.account })} ${t("stop_hint")}`);
      return plain("note_connected");
    case "declined":
      await showText(ctx, t("question_declined", { account: result.account }));
      return plain("note_declined");
    case "chat-full":
      return plain("link_chat_full");
    case "person-full":
      return plain("note_dead_button");
    case "not-asked":
      // The question was answered elsewhere: remove its buttons.
      await showButtons(ctx, []);
      return plain("note_dead_button");
  }
}
