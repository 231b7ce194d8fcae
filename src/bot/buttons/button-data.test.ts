import { expect, test } from "vitest";
import { formatButton, parseButton } from "./button-data.ts";

test.each([
  { act: "undo", propertyCode: "104567890" },
  { act: "unmute" },
  { act: "speak", language: "ru" },
] as const)("a button that says %j is read as it was written", (press) => {
  expect(parseButton(formatButton(press))).toEqual(press);
});

test("the buttons of alerts are read too", () => {
  expect(parseButton("h:104567890")).toEqual({ act: "hide", propertyCode: "104567890" });
  expect(parseButton("m")).toEqual({ act: "mute" });
});

test.each([
  "",
  "u:",
  "u:a b",
  `u:${"9".repeat(63)}`,
  "w:",
  "w ",
  "l:",
  "l:it",
  "l:__proto__",
  "L:en",
  "x:1",
  "\u0000",
])("G08 %j is no button of ours", (data) => {
  expect(parseButton(data)).toBeUndefined();
});
