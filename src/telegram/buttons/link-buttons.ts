import { row, uuid } from "./kit.ts";

const account = { userId: uuid };

/**
 * These act on the link in the message above the button. The link itself is never in the button. "decline" refuses it, and "begin"
 * watches it for the owner of a private chat.
 */
export const LINK_BUTTONS = {
  watch: row("a", account),
  unwatch: row("e", account),
  similar: row("L", account),
  begin: row("B", {}),
  decline: row("d", {}),
};
