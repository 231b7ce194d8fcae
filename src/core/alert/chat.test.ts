import { expect, test } from "vitest";
import { type ChatReason, type ChatState, chatLabelOf } from "./chat.ts";

test("TRUE-05 a chat is labelled as waiting only if it was asked; unreachable, declined and stopped chats have labels of their own", () => {
  const labels: [ChatState, ChatReason | null, ReturnType<typeof chatLabelOf>][] = [
    ["waiting", null, "waiting"],
    ["waiting", "not-found", "notFound"],
    ["unreachable", "not-found", "notFound"],
    ["waiting", "not-started", "unreachable"],
    ["waiting", "kicked", "unreachable"],
    ["waiting", "blocked", "blocked"],
    ["waiting", "full", "notConnected"],
    ["waiting", "too-many-questions", "notConnected"],
    ["declined", "said-no", "declined"],
    ["declined", "stopped", "stopped"],
    ["blocked", null, "blocked"],
    ["connected", null, "connected"],
  ];
  for (const [state, reason, label] of labels) {
    expect([state, reason, chatLabelOf(state, reason)]).toEqual([state, reason, label]);
  }
});
