import { z } from "zod";
import { badRequest } from "./refusal.ts";
import { checkLink } from "./text/check-link.ts";

const BUTTON_LIMIT = 100;
const CALLBACK_DATA_BYTES = 64;
const COPY_LIMIT = 256;

const button = z.strictObject({
  text: z.string(),
  url: z.string().optional(),
  callback_data: z.string().optional(),
  copy_text: z.strictObject({ text: z.string() }).optional(),
  /** https://core.telegram.org/bots/api#webappinfo */
  web_app: z.strictObject({ url: z.string() }).optional(),
  /** https://core.telegram.org/bots/api#switchinlinequerychosenchat */
  switch_inline_query_chosen_chat: z
    .strictObject({
      query: z.string().optional(),
      allow_user_chats: z.boolean().optional(),
      allow_bot_chats: z.boolean().optional(),
      allow_group_chats: z.boolean().optional(),
      allow_channel_chats: z.boolean().optional(),
    })
    .optional(),
});

export const replyMarkup = z.strictObject({
  inline_keyboard: z.array(z.array(button)).optional(),
  /** Opens the reply field on the phone. It is not stored with the message. */
  force_reply: z.literal(true).optional(),
});

export type Button = z.infer<typeof button>;
export interface InlineKeyboard {
  inline_keyboard: Button[][];
}

/** Validates the keyboard. One without buttons counts as none. Inline results have no chat of their own. */
export function checkKeyboard(
  markup: z.infer<typeof replyMarkup> | undefined,
  chatId?: string,
): InlineKeyboard | undefined {
  const rows = (markup?.inline_keyboard ?? []).map((row) =>
    row.map((each) => checkButton(each, Number(chatId) > 0)),
  );
  if (rows.flat().length > BUTTON_LIMIT) throw badRequest("reply markup is too long");
  const filled = rows.filter((row) => row.length > 0);
  return filled.length === 0 ? undefined : { inline_keyboard: filled };
}

function checkButton(button: Button, isPrivate: boolean): Button {
  const { text, url = "", callback_data = "", copy_text, switch_inline_query_chosen_chat } = button;
  const hasAction = Object.values({ ...button, text: undefined }).some((action) => action !== undefined);
  if (hasAction && text.trim() === "") throw badRequest("inline keyboard button text must be non-empty");
  if (button.web_app !== undefined) return checkAppButton(button, button.web_app, isPrivate);
  if (switch_inline_query_chosen_chat !== undefined) return checkSwitch(button);
  if (copy_text !== undefined && url === "" && callback_data === "") {
    if (copy_text.text === "" || copy_text.text.length > COPY_LIMIT)
      throw badRequest("BUTTON_COPY_TEXT_INVALID");
    return { text, copy_text };
  }
  if (url === "" && callback_data === "") {
    throw badRequest("can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard");
  }
  if (url === "") {
    if (Buffer.byteLength(callback_data) > CALLBACK_DATA_BYTES) throw badRequest("BUTTON_DATA_INVALID");
    return { text, callback_data };
  }
  const link = checkLink(url);
  if (!link.isFine) throw badRequest(`inline keyboard button URL '${url}' is invalid: ${link.reason}`);
  return { text, url: link.url };
}

/** Only in private chats, and alone. */
function checkAppButton(
  { text, web_app: _, ...others }: Button,
  { url }: { url: string },
  isPrivate: boolean,
): Button {
  const isAlone = Object.values(others).every((value) => value === undefined);
  if (!isAlone || !isPrivate || !isAppUrl(url)) throw badRequest("BUTTON_TYPE_INVALID");
  return { text, web_app: { url } };
}

/** Telegram opens https alone; its test servers, which a simulation on one machine stands for, also take http. */
export function isAppUrl(url: string): boolean {
  const { protocol, hostname } = URL.parse(url) ?? {};
  return protocol === "https:" || (protocol === "http:" && hostname === "localhost");
}

/** A button has one action, and this one allows at least one kind of chat. */
function checkSwitch({ text, switch_inline_query_chosen_chat: chosen = {}, ...others }: Button): Button {
  const isAlone = Object.values(others).every((value) => value === undefined);
  const isAllowed = [
    ...[
      chosen.allow_user_chats,
      chosen.allow_bot_chats,
      chosen.allow_group_chats,
      chosen.allow_channel_chats,
    ],
  ].includes(true);
  if (!isAlone || !isAllowed) throw badRequest("BUTTON_TYPE_INVALID");
  return { text, switch_inline_query_chosen_chat: chosen };
}
