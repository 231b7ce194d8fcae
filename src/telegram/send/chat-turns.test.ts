import { expect, test } from "vitest";
import { ChatTurns } from "./chat-turns.ts";
import type { Recipient } from "./rows/recipients.ts";

const recipient = (userId: string, chatId: string, newestPosition = 1) => ({
  userId,
  chatId,
  newestPosition,
});
const chatsOf = (taken: Recipient[][]) => taken.map(([first]) => first?.chatId);

function open(...recipients: ReturnType<typeof recipient>[]) {
  const freeAt = new Map<string, number>();
  const made = new ChatTurns((chatId) => freeAt.get(chatId) ?? 0);
  made.note(recipients, { nowMs: 0, isFull: false });
  return { turns: made, freeAt };
}

test("users take turns, whatever the number of their chats", () => {
  const { turns } = open(
    recipient("ana", "1"),
    recipient("ana", "2"),
    recipient("ana", "3"),
    recipient("bo", "4"),
    recipient("cy", "5"),
  );
  expect(chatsOf(turns.take(0, 2))).toEqual(["1", "4"]);
  expect(chatsOf(turns.take(0, 2))).toEqual(["5", "2"]);
  for (const chatId of ["1", "2", "4", "5"]) turns.free(chatId, 0);
  expect(chatsOf(turns.take(0, 9))).toEqual(["4", "5", "3", "1", "2"]);
});

test("a chat is taken once until it is freed, and not before it is due", () => {
  const { turns, freeAt } = open(recipient("ana", "1"));
  expect(chatsOf(turns.take(0, 5))).toEqual(["1"]);
  expect(turns.take(0, 5)).toEqual([]);
  turns.free("1", 500);
  expect([chatsOf(turns.take(499, 5)), turns.nextMs()]).toEqual([[], 500]);
  freeAt.set("1", 800);
  expect([chatsOf(turns.take(799, 5)), turns.nextMs()]).toEqual([[], 800]);
  expect(chatsOf(turns.take(800, 5))).toEqual(["1"]);
});

test("a postponed chat becomes due on a new alert or a full scan", () => {
  const { turns } = open(recipient("ana", "1"), recipient("ana", "2"));
  turns.take(0, 2);
  for (const chatId of ["1", "2"]) turns.free(chatId, Number.POSITIVE_INFINITY);
  turns.note([recipient("ana", "1"), recipient("ana", "2", 7)], { nowMs: 10, isFull: false });
  expect(chatsOf(turns.take(10, 5))).toEqual(["2"]);
  turns.note([recipient("ana", "1"), recipient("ana", "2", 7)], { nowMs: 20, isFull: true });
  expect(chatsOf(turns.take(20, 5))).toEqual(["1"]);
});

test("a chat is taken with all its recipients, and removed when it has none", () => {
  const { turns } = open(recipient("ana", "1"), recipient("bo", "1"));
  expect(turns.take(0, 5)).toEqual([
    [
      { chatId: "1", userId: "ana" },
      { chatId: "1", userId: "bo" },
    ],
  ]);
  turns.free("1", 0);
  turns.close({ chatId: "1", userId: "ana" });
  expect(turns.nextMs()).toBe(0);
  turns.close({ chatId: "1", userId: "bo" });
  expect([turns.nextMs(), turns.take(0, 5)]).toEqual([Number.POSITIVE_INFINITY, []]);
});
