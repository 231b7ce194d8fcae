/** A Telegram chat as its people see it. */
export type ChatKind = "private" | "group" | "supergroup" | "channel";

export type ChatState = "waiting" | "connected" | "declined" | "blocked" | "unreachable";

/** Why a chat cannot be reached. */
export type Unreachable =
  | "not-started"
  | "not-found"
  | "deactivated"
  | "kicked"
  | "left"
  | "deleted"
  | "no-rights";

export type ChatReason = Unreachable | "full" | "too-many-questions" | "said-no" | "stopped";
