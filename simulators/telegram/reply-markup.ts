import { type Parameters, readFlag, readObject } from "./read-parameters.ts";
import { badRequest } from "./refusal.ts";
import { checkLink } from "./text/check-link.ts";

export interface Button {
  readonly text: string;
  readonly url?: string;
  readonly callback_data?: string;
  readonly [action: string]: unknown;
}

export interface InlineKeyboard {
  readonly inline_keyboard: readonly (readonly Button[])[];
}

const BUTTON_LIMIT = 100;
const ACTIONS = [
  "url",
  "callback_data",
  "web_app",
  "login_url",
  "switch_inline_query",
  "switch_inline_query_current_chat",
  "switch_inline_query_chosen_chat",
  "copy_text",
];

/** The keyboard of a request; a keyboard of the other kinds is checked, and shows nothing under the message. */
export function readReplyMarkup(parameters: Parameters): InlineKeyboard | undefined {
  const markup = readObject(parameters, "reply_markup");
  if (markup === undefined) return undefined;
  if ("inline_keyboard" in markup) return readInlineKeyboard(markup.inline_keyboard);
  if ("keyboard" in markup) {
    if (!Array.isArray(markup.keyboard)) throw badRequest('field "keyboard" must be of type Array');
    for (const flag of ["resize_keyboard", "one_time_keyboard", "is_persistent", "selective"]) {
      readFlag(markup, flag);
    }
  } else {
    readFlag(markup, "remove_keyboard");
    readFlag(markup, "force_reply");
  }
  return undefined;
}

/** An edited message can only have a keyboard of its own, or none. */
export function readEditedMarkup(parameters: Parameters): InlineKeyboard | undefined {
  const markup = readObject(parameters, "reply_markup");
  if (markup === undefined) return undefined;
  if (!("inline_keyboard" in markup)) throw badRequest("inline keyboard expected");
  return readInlineKeyboard(markup.inline_keyboard);
}

function readInlineKeyboard(rows: unknown): InlineKeyboard | undefined {
  if (!Array.isArray(rows)) throw badRequest('field "inline_keyboard" must be of type Array');
  const keyboard = rows.map((row) => {
    if (!Array.isArray(row)) throw badRequest('field "inline_keyboard" must be an Array of Arrays');
    return row.map(readButton);
  });
  if (keyboard.flat().length > BUTTON_LIMIT) throw badRequest("reply markup is too long");
  const filled = keyboard.filter((row) => row.length > 0);
  return filled.length === 0 ? undefined : { inline_keyboard: filled };
}

function readButton(value: unknown): Button {
  const unreadable = (reason: string) => badRequest(`can't parse inline keyboard button: ${reason}`);
  if (typeof value !== "object" || value === null) throw unreadable("InlineKeyboardButton must be an Object");
  const button = value as Record<string, unknown>;
  if (button.text === undefined) throw unreadable('Can\'t find field "text"');
  if (typeof button.text !== "string") throw unreadable('Field "text" must be of type String');
  if (button.pay === true || button.callback_game !== undefined) throw badRequest("BUTTON_TYPE_INVALID");
  const action = ACTIONS.find((name) => button[name] !== undefined && button[name] !== "");
  if (action === undefined) throw unreadable("Text buttons are unallowed in the inline keyboard");
  if (button.text.trim() === "") throw badRequest("inline keyboard button text must be non-empty");
  return { text: button.text, ...actionOf(action, button[action]) };
}

function actionOf(action: string, value: unknown): Record<string, unknown> {
  switch (action) {
    case "url": {
      const link = checkLink(String(value));
      if (!link.isFine) {
        throw badRequest(`inline keyboard button URL '${String(value)}' is invalid: ${link.reason}`);
      }
      return { url: link.url };
    }
    case "callback_data":
      if (typeof value !== "string") {
        throw badRequest('can\'t parse inline keyboard button: Field "callback_data" must be of type String');
      }
      if (Buffer.byteLength(value) > 64) throw badRequest("BUTTON_DATA_INVALID");
      return { callback_data: value };
    case "copy_text": {
      const text = (value as { text?: unknown } | null)?.text;
      if (typeof text !== "string" || text === "" || text.length > 256) {
        throw badRequest("BUTTON_COPY_TEXT_INVALID");
      }
      return { copy_text: { text } };
    }
    default:
      return { [action]: value };
  }
}
