import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { LANGUAGES } from "#core/languages.ts";
import { homeLine } from "../home-words.ts";
import { wordsOf } from "../translator.ts";

const home = (subTypology: string | null, address: string) => ({
  kind: "homes" as const,
  typology: "flat",
  subTypology,
  address,
});

test.each(LANGUAGES)("DEMO-07 the demo uses the words of a real alert (%s)", (language) => {
  const { demo } = JSON.parse(readFileSync(new URL(`${language}/landing.json`, import.meta.url), "utf8"));
  const words = wordsOf("home", language);
  const open = wordsOf("alert", language).t("open", { portal: "Idealista" });
  expect(demo.open).toBe(open);
  expect(demo.newListing).toBe(words.t("alerts.new.title"));
  expect(Object.values(demo.samples).map((sample) => (sample as { title: string }).title)).toEqual([
    homeLine(home("studio", "Lavapiés"), words),
    homeLine(home(null, "Calle de Alcalá"), words),
    homeLine(home(null, "Calle del Pez"), words),
  ]);
});
