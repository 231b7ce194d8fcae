import { RECEIVES } from "#core/alert/chat.ts";
import type { TimeZone } from "#core/geo/time-zone.ts";
import { LANGUAGES } from "#core/languages.ts";
import { lettered, oneOf, optional, row, uuid } from "./kit.ts";

const account = { userId: uuid };

export const CHAT_BUTTONS = {
  mute: row("m", {}),
  unmute: row("w", {}),
  speak: row("l", { language: oneOf(LANGUAGES) }),
  receives: row("S", { receives: oneOf(RECEIVES) }),
  zone: row("Z", {
    userId: uuid,
    zone: lettered({ "Europe/Madrid": "m", "Atlantic/Canary": "c" } satisfies Record<TimeZone, string>),
  }),
};

/** "yes" and "no": may this account's alerts be sent here? "me" and "not-me": is this connected account yours? */
export const CONSENT_BUTTONS = {
  yes: row("y", account),
  no: row("n", account),
  me: row("t", account),
  "not-me": row("x", account),
  /** Pressed by an administrator in a group: connects it to the account of their private chat. */
  "connect-group": row("C", {}),
};

/** "whose" answers which account a stored request is for; null means all accounts it can be for. */
export const ACCOUNT_BUTTONS = {
  "delete-account": row("D", {}),
  whose: row("A", { requestId: uuid, accountId: optional(uuid) }),
};
