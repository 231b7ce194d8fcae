import { expect, test } from "vitest";
import { joinChatIds, parseChatIds, withChatIds, withoutChatId } from "./chat-ids.ts";

test("WIZ-03 ids are split by commas, trimmed, and empty entries dropped", () => {
  expect(parseChatIds(" 123456789 ,, -1001234567890,\n7 , ")).toEqual({
    ids: ["123456789", "-1001234567890", "7"],
    fault: null,
  });
  expect(parseChatIds("")).toEqual({ ids: [], fault: null });
});

test.each([
  ["@alice", "name"],
  ["https://t.me/alice", "name"],
  ["t.me/alice", "name"],
  ["+34 600 123 456", "phone"],
  ["+34600123456", "phone"],
  ["0034600123456", "phone"],
  ["123 456", "spaces"],
  ["123;456", "characters"],
  ["alice", "characters"],
  ["12a", "characters"],
  ["1.5", "characters"],
  ["1e3", "characters"],
  ["--5", "characters"],
  ["-", "characters"],
  ["１２３", "characters"],
  ["' or 1=1 --", "characters"],
  ["0", "zero"],
  ["-0", "zero"],
  ["0123", "zero"],
  ["12345678901234", "too-long"],
  ["-12345678901234", "too-long"],
])("WIZ-03 %s has a fault of its own: %s", (entry, code) => {
  expect(parseChatIds(`5, ${entry}`).fault).toEqual({ code, entry });
});

test("WIZ-03 a duplicate id is named", () => {
  expect(parseChatIds("5, 6, 5").fault).toEqual({ code: "doubled", entry: "5" });
});

test("WIZ-03 ten chats are accepted and eleven are too many", () => {
  const ids = (count: number) => Array.from({ length: count }, (_, index) => index + 1).join(",");
  expect(parseChatIds(ids(10)).fault).toBeNull();
  expect(parseChatIds(ids(11)).fault?.code).toBe("too-many");
});

test("thirteen digits are an id, with a minus too", () => {
  expect(parseChatIds("1234567890123, -1234567890123").fault).toBeNull();
});

test("other dashes become a minus, and invisible characters are removed", () => {
  expect(parseChatIds("−1001234567890, –42, \u200b7\ufeff").ids).toEqual(["-1001234567890", "-42", "7"]);
});

test("U36 a fault quotes only a few letters, and no marks that change the text direction", () => {
  expect(parseChatIds("x".repeat(10_000)).fault?.entry).toHaveLength(33);
  expect(parseChatIds("a\u0000b\u061cc").fault?.entry).toBe("abc");
});

test("WIZ-06 ids are joined by a comma and a space, added once, and removed again", () => {
  expect(joinChatIds(["1", "-2"])).toBe("1, -2");
  expect(withChatIds("1,", ["-2", "1"])).toBe("1, -2");
  expect(withChatIds("", ["9"])).toBe("9");
  expect(withoutChatId("1, -2,3", "-2")).toBe("1, 3");
});
