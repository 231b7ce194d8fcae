import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Language } from "#core/languages.ts";
import { everyText } from "#test/texts/every-text.ts";

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

/** Promises of speed and of completeness that the English does not make. */
const STRONGER: Readonly<Record<Exclude<Language, "en">, RegExp>> = {
  es: /\bal instante\b|\binmediatamente\b|\bavisos en tiempo real\b|\bantes que nadie\b/iu,
  fr: /\binstantan|\bimmédiatement\b|\ben temps réel\b|\btoutes les nouvelles\b|\bavant les autres\b/iu,
  de: /\bin Echtzeit\b|\bumgehend\b|\balles Neue\b|\bvor allen anderen\b/iu,
  ru: /мгновенно|моментально|в реальном времени|раньше всех|звоните первыми|гарантир(?:уем|ует)/iu,
};

test("WORD-03 no translation promises a speed or a completeness that the English does not", () => {
  const english = new Map(
    everyText().flatMap(({ language, key, text }) => (language === "en" ? [[key, text] as const] : [])),
  );
  const faults = everyText()
    .filter(({ language, text }) => language !== "en" && STRONGER[language].test(text))
    .filter(({ key }) => !SPEED.test(english.get(key) ?? ""))
    .map(({ language, key, text }) => `${language} ${key}: ${text}`);
  expect(faults).toEqual([]);
});

/** We tell about a change only if we see it. */
const IF_SEEN: Readonly<Record<Language, RegExp>> = {
  en: /\b(?:if|when) (?:we|I|it) sees? /,
  es: /\b(?:si|cuando) (?:vemos|veo|ve)\b/u,
  fr: /\bsi (?:nous (?:la )?voyons|je vois)\b|\bs’il voit\b|\bque si nous voyons\b/u,
  de: /\bwenn (?:wir|ich|es) (?:eine Preissenkung )?(?:sehen|sehe|sieht)\b/u,
  ru: /если увид|если увижу/u,
};

test("WORD-03 every language says “if we see” where the English does", () => {
  const conditional = new Set(
    everyText().flatMap(({ language, key, text }) =>
      language === "en" && IF_SEEN.en.test(text) ? [key] : [],
    ),
  );
  expect(conditional.size).toBeGreaterThan(4);
  const faults = everyText()
    .filter(({ language, key, text }) => conditional.has(key) && !IF_SEEN[language].test(text))
    .map(({ language, key, text }) => `${language} ${key}: ${text}`);
  expect(faults).toEqual([]);
});
