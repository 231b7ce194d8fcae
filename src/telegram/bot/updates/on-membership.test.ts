import type { ChatMember } from "grammy/types";
import { expect, test } from "vitest";
import { standingOf } from "./on-membership.ts";

const OK = { state: "ok" };
const gone = (reason: string) => ({ state: "unreachable", reason });

test.each([
  ["private", { status: "member" }, OK],
  ["private", { status: "kicked" }, { state: "blocked" }],
  ["group", { status: "member" }, OK],
  ["group", { status: "left" }, gone("left")],
  ["group", { status: "kicked" }, gone("kicked")],
  ["supergroup", { status: "administrator" }, OK],
  ["supergroup", { status: "restricted", is_member: true, can_send_messages: true }, OK],
  ["supergroup", { status: "restricted", is_member: true, can_send_messages: false }, gone("no-rights")],
  ["supergroup", { status: "restricted", is_member: false, can_send_messages: true }, gone("left")],
  ["channel", { status: "administrator", can_post_messages: true }, OK],
  ["channel", { status: "administrator", can_post_messages: false }, gone("no-rights")],
  ["channel", { status: "member" }, gone("no-rights")],
  ["group", { status: "a status of tomorrow" }, undefined],
] as const)("BOT-03 in a %s with %j the chat stands so", (kind, member, standing) => {
  expect(standingOf({ kind }, member as unknown as ChatMember)).toEqual(standing);
});
