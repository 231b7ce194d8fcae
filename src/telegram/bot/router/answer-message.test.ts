import { expect, test } from "vitest";
import { parseCommand } from "./answer-message.ts";

test.each([
  ["/start", { name: "start", argument: "" }],
  ["/start abc_-9", { name: "start", argument: "abc_-9" }],
  ["/start@SerenoBot abc", { name: "start", argument: "abc" }],
  ["/Start@serenobot", { name: "start", argument: "" }],
  ["  /ID  ", { name: "id", argument: "" }],
  ["/start\nabc", { name: "start", argument: "abc" }],
  ["/language  Français ", { name: "language", argument: "Français" }],
])("BOT-01 %j is a command", (text, command) => {
  expect(parseCommand(text, "SerenoBot")).toEqual(command);
});

test.each(["start", "/", "/ start", "/start@OtherBot", "/старт", "see /start", "//start", ""])(
  "%j is not a command for this bot",
  (text) => {
    expect(parseCommand(text, "SerenoBot")).toBeUndefined();
  },
);
