import { expect, test } from "vitest";
import type { Lane } from "#store/outbox/outbox.ts";
import { Lanes } from "./lanes.ts";

const lane = (userId: string, chatId: string, newestPosition = 1) => ({ userId, chatId, newestPosition });
const chatsOf = (taken: Lane[][]) => taken.map(([first]) => first?.chatId);

function open(...lanes: ReturnType<typeof lane>[]) {
  const freeAt = new Map<string, number>();
  const made = new Lanes((chatId) => freeAt.get(chatId) ?? 0);
  made.note(lanes, { nowMs: 0, isAnew: false });
  return { lanes: made, freeAt };
}

test("people take turns, whatever the number of their chats", () => {
  const { lanes } = open(
    lane("ana", "1"),
    lane("ana", "2"),
    lane("ana", "3"),
    lane("bo", "4"),
    lane("cy", "5"),
  );
  expect(chatsOf(lanes.take(0, 2))).toEqual(["1", "4"]);
  expect(chatsOf(lanes.take(0, 2))).toEqual(["5", "2"]);
  for (const chatId of ["1", "2", "4", "5"]) lanes.free(chatId, 0);
  expect(chatsOf(lanes.take(0, 9))).toEqual(["4", "5", "3", "1", "2"]);
});

test("a chat is taken once until it is freed, and not before its time", () => {
  const { lanes, freeAt } = open(lane("ana", "1"));
  expect(chatsOf(lanes.take(0, 5))).toEqual(["1"]);
  expect(lanes.take(0, 5)).toEqual([]);
  lanes.free("1", 500);
  expect([chatsOf(lanes.take(499, 5)), lanes.nextMs()]).toEqual([[], 500]);
  freeAt.set("1", 800);
  expect([chatsOf(lanes.take(799, 5)), lanes.nextMs()]).toEqual([[], 800]);
  expect(chatsOf(lanes.take(800, 5))).toEqual(["1"]);
});

test("a chat that was put off is looked at again when something is added, or everything is", () => {
  const { lanes } = open(lane("ana", "1"), lane("ana", "2"));
  lanes.take(0, 2);
  for (const chatId of ["1", "2"]) lanes.free(chatId, Number.POSITIVE_INFINITY);
  lanes.note([lane("ana", "1"), lane("ana", "2", 7)], { nowMs: 10, isAnew: false });
  expect(chatsOf(lanes.take(10, 5))).toEqual(["2"]);
  lanes.note([lane("ana", "1"), lane("ana", "2", 7)], { nowMs: 20, isAnew: true });
  expect(chatsOf(lanes.take(20, 5))).toEqual(["1"]);
});

test("a chat is taken with everyone who has something for it, and is gone when nobody has", () => {
  const { lanes } = open(lane("ana", "1"), lane("bo", "1"));
  expect(lanes.take(0, 5)).toEqual([
    [
      { chatId: "1", userId: "ana" },
      { chatId: "1", userId: "bo" },
    ],
  ]);
  lanes.free("1", 0);
  lanes.close({ chatId: "1", userId: "ana" });
  expect(lanes.nextMs()).toBe(0);
  lanes.close({ chatId: "1", userId: "bo" });
  expect([lanes.nextMs(), lanes.take(0, 5)]).toEqual([undefined, []]);
});
