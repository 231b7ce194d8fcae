import { expect, test } from "vitest";
import { isStop, readUpdate } from "./read-update.ts";

const chat = { id: -100, type: "supergroup" };
const from = { id: 7, is_bot: false, first_name: "x" };

const NO_UPDATES: readonly (readonly [string, unknown])[] = [
  ["no object", 7],
  ["nothing", null],
  ["a list", []],
  ["no id", { message: {} }],
  ...[1e308, -1, 0, 1.5, 2 ** 31, 2 ** 53, 1e20, "7", null, true, [7], { id: 7 }].map(
    (update_id) => [`the id ${JSON.stringify(update_id)}`, { update_id }] as const,
  ),
];

test.each(NO_UPDATES)("DOOR-12 %s is not a valid update", (_, value) => {
  expect(readUpdate(value)).toBeUndefined();
});

test("DOOR-12 updates that are nested too deeply or too long are not stored", () => {
  const deep: unknown = JSON.parse(`${"[".repeat(100_000)}${"]".repeat(100_000)}`);
  expect(readUpdate({ update_id: 1, deep })).toBeUndefined();
  expect(readUpdate({ update_id: 1, message: { text: "x".repeat(1024 * 1024) } })).toBeUndefined();
  expect(readUpdate({ update_id: 1, message: { text: "x".repeat(4096) } })).toBeDefined();
});

test.each([
  [{ message: { chat, from, text: "hi" } }, "-100", "7"],
  [{ channel_post: { chat } }, "-100", "0"],
  [{ edited_message: { chat, from } }, "-100", "7"],
  [{ my_chat_member: { chat, from } }, "-100", "7"],
  [{ callback_query: { from, message: { chat } } }, "-100", "7"],
  [{ callback_query: { from, inline_message_id: "x" } }, "7", "7"],
  [{ message: { chat, from, migrate_from_chat_id: -5 } }, "-5", "7"],
  [{ message: { chat: null, from: "x" } }, "0", "0"],
  [{ message: { chat: { id: 1e308 }, from: { id: "7" } } }, "0", "0"],
  [{ an_update_of_tomorrow: 5 }, "0", "0"],
])("the chat and the sender of %j are recognised", (content, chatId, senderId) => {
  expect(readUpdate({ update_id: 5, ...content })).toMatchObject({ updateId: 5, chatId, senderId });
});

test("only membership changes, upgrades to a supergroup and /stop are urgent", () => {
  const isUrgent = (content: object) => readUpdate({ update_id: 1, ...content })?.isUrgent;
  expect(isUrgent({ my_chat_member: { chat } })).toBe(true);
  expect(isUrgent({ message: { chat, migrate_to_chat_id: -5 } })).toBe(true);
  expect(isUrgent({ message: { chat, text: "/stop" } })).toBe(true);
  expect(isUrgent({ message: { chat, text: "/id" } })).toBe(false);
  expect(isUrgent({ callback_query: { from } })).toBe(false);
  expect(["/stop", " /STOP@SerenoBot ", "stop", "Stop"].map(isStop)).toEqual([true, true, true, true]);
  expect(["/stopwatch", "/stop now or never", "please stop"].map(isStop)).toEqual([false, false, false]);
});
