export type ChatKind = "private" | "group" | "supergroup" | "channel";

export type ChatState = "waiting" | "connected" | "declined" | "blocked" | "unreachable";

/** Which homes a chat receives: all that were found, or only those that one or two of its people kept. */
export const RECEIVES = ["everything", "kept", "kept-by-two"] as const;
export type Receives = (typeof RECEIVES)[number];

export type Unreachable =
  | "not-started"
  | "not-found"
  | "deactivated"
  | "kicked"
  | "left"
  | "deleted"
  | "no-rights";

/** "ended": what the account granted the chat was revoked, so only the account can connect it again. */
export type ChatReason =
  | Unreachable
  | "blocked"
  | "full"
  | "too-many-questions"
  | "said-no"
  | "stopped"
  | "ended";

/** Why a chat no longer receives alerts. */
export type LostChatReason = "declined" | "stopped" | "blocked" | "unreachable";

/** The label of a chat on pages and in messages: its state, or a more precise label if the reason allows one. */
export type ChatLabel = ChatState | LostChatReason | "notFound" | "notConnected";

/** "waiting" means that the chat was asked and has not answered. */
export function chatLabelOf(state: ChatState, reason: ChatReason | null): ChatLabel {
  if (reason === "not-found") return "notFound";
  if (state !== "waiting" || reason === null) return lostChatReasonOf({ state, reason }) ?? state;
  if (reason === "blocked") return "blocked";
  return reason === "full" || reason === "too-many-questions" ? "notConnected" : "unreachable";
}

/** A chat that sent /stop or was ended did not decline anybody's question. Null if the chat is not lost. */
export function lostChatReasonOf({
  state,
  reason,
}: {
  readonly state: ChatState;
  readonly reason: ChatReason | null;
}): LostChatReason | null {
  if (state === "declined") return reason === "stopped" || reason === "ended" ? "stopped" : "declined";
  return state === "blocked" || state === "unreachable" ? state : null;
}
