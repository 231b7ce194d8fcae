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

export type ChatReason = Unreachable | "blocked" | "full" | "too-many-questions" | "said-no" | "stopped";

/** What a chat is called to its person: its state, but for what only its reason tells apart. */
export type ChatLabel = ChatState | "stopped" | "notFound" | "notConnected";

/** Only a chat that was asked is waited for; one that said /stop has refused nobody. */
export function chatLabelOf(state: ChatState, reason: ChatReason | null): ChatLabel {
  if (reason === "not-found") return "notFound";
  if (state === "declined") return reason === "stopped" ? "stopped" : "declined";
  if (state !== "waiting" || reason === null) return state;
  if (reason === "blocked") return "blocked";
  return reason === "full" || reason === "too-many-questions" ? "notConnected" : "unreachable";
}
