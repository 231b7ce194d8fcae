import { expect, test } from "vitest";
import { goneWords } from "./gone-words.ts";
import { wordsOf } from "./translator.ts";

test("FIND-01 the time until a home was gone is in minutes, hours or days, at least one minute", () => {
  const after = (minutes: number) => goneWords(0, minutes * 60_000, wordsOf("home", "en"));
  expect([0, 41, 119, 120, 2_000, 2_880, 10_080].map(after)).toEqual([
    "Gone after 1 minute",
    "Gone after 41 minutes",
    "Gone after 119 minutes",
    "Gone after 2 hours",
    "Gone after 33 hours",
    "Gone after 2 days",
    "Gone after 7 days",
  ]);
});
