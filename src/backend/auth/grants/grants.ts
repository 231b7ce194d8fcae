// Everything that can open, join, link or change an account, or hear of it, and which events end it. private.end_grants
// ends it, in the transaction of the event; grants.db.test.ts makes each grant, raises each event, and fails for a column
// of the database that looks like a grant and is not listed.

export const GRANT_EVENTS = [
  "password-changed",
  /** A password set through a reset link. */
  "reset-used",
  /** For the first time, by mail or by a provider, without the owner's "yes, that's me". */
  "address-proved",
  "provider-unlinked",
  "telegram-disconnected",
  "signed-out-here",
  "signed-out-elsewhere",
  "signed-out-everywhere",
  "suspended",
  "deleted",
] as const;

export type GrantEvent = (typeof GRANT_EVENTS)[number];

type Grant = {
  /** Where it is stored; empty if it has no row of its own. */
  readonly columns: readonly string[];
  readonly ends: readonly GrantEvent[];
  /** Why it outlives the other events. */
  readonly outlives: string;
};

const EXCEPT_HERE = GRANT_EVENTS.filter((event) => event !== "signed-out-here");
const OWN_SESSION = ["signed-out-here", "signed-out-everywhere", "suspended", "deleted"] as const;
const WITH_ADDRESS = ["address-proved", "deleted"] as const;
const TO_ONE_SESSION = "another session signed out";
const NOTHING = "nothing";

export const GRANTS = {
  "own session": {
    columns: ["auth.sessions.refresh_token_hmac_key"],
    ends: OWN_SESSION,
    outlives: "the person is there and has just proved who they are",
  },
  "another session": { columns: [], ends: EXCEPT_HERE, outlives: TO_ONE_SESSION },
  // Realtime closes the channels of a session when it ends (src/backend/realtime/ended-sessions.db.test.ts).
  "refresh token of another session": {
    columns: ["auth.refresh_tokens.token", "auth.refresh_tokens.session_id"],
    ends: EXCEPT_HERE,
    outlives: TO_ONE_SESSION,
  },
  "proof in the own session": {
    columns: ["auth.mfa_amr_claims.session_id"],
    ends: GRANT_EVENTS.filter((event) => !["address-proved", "signed-out-elsewhere"].includes(event)),
    outlives: "a reset link that proves the address also sets the password, and a call uses a proof up",
  },
  "proof in another session": { columns: [], ends: EXCEPT_HERE, outlives: TO_ONE_SESSION },
  "code of a sign-in": {
    columns: ["auth.flow_state.auth_code", "auth.flow_state.auth_code_issued_at"],
    ends: EXCEPT_HERE,
    outlives: "signing out of one browser does not end a sign-in in another",
  },
  "link in progress": {
    columns: [
      "auth.flow_state.browser_hash",
      "auth.flow_state.code_challenge",
      "auth.flow_state.linking_session_id",
    ],
    ends: GRANT_EVENTS,
    outlives: NOTHING,
  },
  "link in progress of another session": { columns: [], ends: EXCEPT_HERE, outlives: TO_ONE_SESSION },
  "permission to link": {
    columns: ["private.telegram_links.session_id", "private.telegram_links.allowed_at"],
    ends: GRANT_EVENTS,
    outlives: NOTHING,
  },
  "permission to link of another session": { columns: [], ends: EXCEPT_HERE, outlives: TO_ONE_SESSION },
  "reset link": {
    // And of the two links below.
    columns: ["private.mailed_links.token_hash"],
    // Signing out and unlinking once a day: otherwise whoever knows the password could end each.
    ends: EXCEPT_HERE,
    outlives: "it was mailed to the owner, who may sign out before using it",
  },
  "confirmation link": {
    columns: [],
    ends: ["address-proved", "suspended", "deleted"],
    outlives:
      "it asks the owner of the mailbox whether the account is theirs, whatever its user does meanwhile",
  },
  "link to an added address": {
    columns: [],
    ends: GRANT_EVENTS,
    outlives: NOTHING,
  },
  "sign-in with Google": {
    columns: [],
    ends: ["address-proved", "provider-unlinked", "deleted"],
    outlives: "the owner added it, and a suspended account opens no session",
  },
  "sign-in with Telegram": {
    columns: [],
    ends: ["address-proved", "telegram-disconnected", "deleted"],
    outlives: "the owner added it, and a suspended account opens no session",
  },
  // Telegram keeps it, so it ends by its date of signing (private.ended_grants).
  "launch of the Mini App": {
    columns: ["private.telegram_launches.session_id"],
    ends: EXCEPT_HERE,
    outlives:
      "signing out of one browser does not close the app on a phone; the session of a launch ends with it",
  },
  "one-tap link of a chat": {
    columns: ["watch.link_tokens.token_hash"],
    ends: GRANT_EVENTS,
    outlives: NOTHING,
  },
  "private chat of the Telegram user": {
    columns: ["public.chats.confirmed_at"],
    ends: ["address-proved", "telegram-disconnected", "suspended", "deleted"],
    outlives: "the chat itself agreed, each new one is mailed, and the owner removes it in the settings",
  },
  "another chat": {
    columns: [],
    ends: ["address-proved", "suspended", "deleted"],
    outlives: "as the private chat",
  },
  "answer of a chat": {
    columns: [],
    ends: WITH_ADDRESS,
    outlives: "it counts only while the account names the chat",
  },
  "address for alert mails": {
    columns: ["public.mail_addresses.token", "public.mail_addresses.forwarding_code"],
    ends: WITH_ADDRESS,
    outlives: "portals write to it, and the owner renews it in the settings",
  },
  "link that stops mails": {
    columns: ["watch.away_mails.stop_token"],
    ends: WITH_ADDRESS,
    outlives: "it only stops mails, and must work in every mail",
  },
  "known network address": {
    columns: ["private.known_addresses.address_hash"],
    ends: WITH_ADDRESS,
    outlives: "it only counts wrong passwords apart",
  },
  "known browser": {
    columns: ["private.known_browsers.browser_hash", "private.known_browsers.session_id"],
    ends: WITH_ADDRESS,
    outlives: "it only spares the owner a mail",
  },
} as const satisfies Record<string, Grant>;

/** Columns that look like a grant and are none, and why. */
export const NO_GRANTS: Readonly<Record<string, string>> = {
  "auth.users.encrypted_password":
    "what a sign-in is checked against: it ends by being replaced, or by a first proof through a provider",
  "private.guard_allowances.tokens": "a count",
};
