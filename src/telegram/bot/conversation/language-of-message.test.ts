import { expect, test } from "vitest";
import { LANGUAGES } from "#core/languages.ts";
import { botTexts } from "../texts.ts";
import { languageOfWords } from "./language-of-message.ts";

test("TRUE-05 the language of every keyboard is recognised; mixed and unknown texts have none", () => {
  for (const language of LANGUAGES) {
    const t = botTexts(language);
    const keyboards = [
      [t("yes"), t("no")],
      [t("thatsMe"), t("notMe")],
      [t("open", { portal: "Idealista" }), t("hide"), t("keep"), t("mute")],
      [`1. ${t("button_hidden")}`, `2. ${t("hide")}`, t("button_muted")],
      [t("button_kept"), t("message")],
      [t("watch_it"), t("no_thanks")],
      [
        t("search_resume"),
        `✓ ${t("mute")}`,
        t("search_rename"),
        t("search_delete"),
        `‹ ${t("all_searches")}`,
      ],
      [t("searches_title"), "1. Chamberí"],
    ];
    for (const words of keyboards) expect([words, languageOfWords(words)]).toEqual([words, language]);
  }
  const [en, de] = [botTexts("en"), botTexts("de")];
  expect(languageOfWords([en("yes"), de("yes")])).toBeUndefined();
  expect(languageOfWords(["1", "", "Sim"])).toBeUndefined();
});
