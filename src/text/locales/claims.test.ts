import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { everyText } from "#test/every-text.ts";

/** Words that promise speed. The public page measures it, so any other promise could be contradicted by it. */
const SPEED =
  /\b(?:instant(?:ly)?|immediately|real[- ]time|in no time|the moment|(?:with)?in (?:a few )?seconds|within (?:\d+|ten) minutes|the next 10 minutes|under 90 minutes|be the first)\b/i;

/** The claims of the specification, and sentences that are not about the arrival of an alert. */
const KNOWN = [
  "filter messages.successInitial",
  "filter messages.successUpdate",
  "landing hero.lead",
  "landing hero.leadAt",
  // About the first check of a search.
  "health noChat.text",
  "health waitingForYes.text",
  "landing faq.items.speed.answer",
  "landing faq.items.speed.answerAt",
  // What the person does.
  "landing steps.go.title",
];

test("RULE-09 no text of ours promises a speed that the public figures could contradict", () => {
  const promising = everyText()
    .filter(({ language, text }) => language === "en" && SPEED.test(text))
    .map(({ key, text }) => `${key}: ${text}`);
  expect(promising.filter((line) => !KNOWN.some((known) => line.startsWith(`${known}:`)))).toEqual([]);
});

test("RULE-09 the README promises no time of arrival", () => {
  const lead = readFileSync("README.md", "utf8").split("\n## ")[0] ?? "";
  expect(lead).not.toMatch(/within (?:\w+ )?minutes|instantly|immediately|seconds/i);
});
