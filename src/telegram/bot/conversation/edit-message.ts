import { type Context, GrammyError } from "grammy";
import type { InlineKeyboardButton } from "grammy/types";
import type { button } from "./conversation.ts";

type CallbackButton = ReturnType<typeof button>;

export function rowsOf(ctx: Context): readonly (readonly InlineKeyboardButton[])[] {
  const message = ctx.callbackQuery?.message;
  return message !== undefined && "reply_markup" in message
    ? (message.reply_markup?.inline_keyboard ?? [])
    : [];
}

/** The message's buttons, with one of them replaced. */
export function swap(ctx: Context, former: CallbackButton, other: CallbackButton): InlineKeyboardButton[][] {
  const isFormer = (one: InlineKeyboardButton) =>
    "callback_data" in one && one.callback_data === former.callback_data;
  return rowsOf(ctx).map((row) => row.map((one) => (isFormer(one) ? other : one)));
}

const DONE = "✓ ";

/** The message's buttons, with one of them ticked or unticked and given other callback data. Its text stays. */
export function toggled(
  ctx: Context,
  former: string,
  other: string,
  isDone: boolean,
): InlineKeyboardButton[][] {
  return rowsOf(ctx).map((row) =>
    row.map((one) => {
      if (!("callback_data" in one) || one.callback_data !== former) return one;
      const words = one.text.startsWith(DONE) ? one.text.slice(DONE.length) : one.text;
      return { text: isDone ? `${DONE}${words}` : words, callback_data: other };
    }),
  );
}

export async function showButtons(ctx: Context, rows: InlineKeyboardButton[][]): Promise<void> {
  await edit(() => ctx.editMessageReplyMarkup({ reply_markup: { inline_keyboard: rows } }));
}

/** Returns false if the message can no longer be edited. */
export async function showText(
  ctx: Context,
  html: string,
  rows: InlineKeyboardButton[][] = [],
): Promise<boolean> {
  return edit(() =>
    ctx.editMessageText(html, {
      parse_mode: "HTML",
      link_preview_options: { is_disabled: true },
      reply_markup: { inline_keyboard: rows },
    }),
  );
}

/** Ignores a refused edit: the action itself is done and the notification says so. */
async function edit(change: () => Promise<unknown>): Promise<boolean> {
  return change().then(
    () => true,
    // A second press finds the message already edited.
    (error: unknown) => error instanceof GrammyError && error.description.includes("is not modified"),
  );
}
