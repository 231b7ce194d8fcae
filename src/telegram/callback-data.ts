/** The callback data of all buttons. Each subject has its own codec in buttons/. */
import { ACCOUNT_BUTTONS, CHAT_BUTTONS, CONSENT_BUTTONS } from "./buttons/chat-buttons.ts";
import { type ButtonRow, type PressesOf, readButton, writeButton } from "./buttons/kit.ts";
import { LINK_BUTTONS } from "./buttons/link-buttons.ts";
import { LISTING_BUTTONS } from "./buttons/listing-buttons.ts";
import { PLACE_BUTTONS } from "./buttons/place-buttons.ts";
import { QUESTION_BUTTONS } from "./buttons/question-buttons.ts";
import { RULE_BUTTONS } from "./buttons/rule-buttons.ts";
import { SEARCH_BUTTONS } from "./buttons/search-buttons.ts";

export const BUTTONS = {
  ...ACCOUNT_BUTTONS,
  ...CHAT_BUTTONS,
  ...CONSENT_BUTTONS,
  ...LINK_BUTTONS,
  ...LISTING_BUTTONS,
  ...PLACE_BUTTONS,
  ...QUESTION_BUTTONS,
  ...RULE_BUTTONS,
  ...SEARCH_BUTTONS,
};

export type ButtonPress = PressesOf<typeof BUTTONS>;

const ACT_OF_LETTER = new Map(
  Object.entries(BUTTONS).map(([act, { letter }]) => [letter, act as ButtonPress["act"]]),
);

/** Returns undefined if the id is malformed or too long for a button. */
export function formatCallbackData(press: ButtonPress): string | undefined {
  return writeButton(BUTTONS[press.act] as ButtonRow, press);
}

/** Returns undefined for data that none of our buttons has. Does not check what the user may do. */
export function parseCallbackData(text: string): ButtonPress | undefined {
  const act = ACT_OF_LETTER.get(text.slice(0, 1));
  const fields = act && readButton(BUTTONS[act] as ButtonRow, text);
  return fields && ({ act, ...fields } as ButtonPress);
}
