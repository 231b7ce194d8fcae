import { expect, test } from "vitest";
import { LANGUAGES } from "#core/languages.ts";
import type { Warning } from "#core/warnings/warning.ts";
import { SPECIFIED_LANGUAGES } from "#test/fixtures/specified-languages.ts";
import { distanceWords } from "./distance-words.ts";
import { homeLine } from "./home-words.ts";
import { wordsOf } from "./translator.ts";
import { warningWords } from "./warning-words.ts";

const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, " ");
const nbsp = (text: string) => text.replaceAll("_", "\u00a0");

test("FIND-06 a distance has the units and words of each language", () => {
  const place = { placeId: "p", name: "Work", isApproximate: false };
  const far = { ...place, metres: 2_345 };
  expect(SPECIFIED_LANGUAGES.map((language) => plain(distanceWords(far, wordsOf("home", language))))).toEqual(
    ["2.3 km to Work", "Work: 2,3 km", "Work: 2,3 км", "Work: 2,3 km", "Work : 2,3 km"],
  );
  const near = { ...place, metres: 340, isApproximate: true };
  for (const language of LANGUAGES) {
    const words = wordsOf("home", language);
    const distance = words.t("about", { distance: language === "ru" ? "350 м" : "350 m" });
    expect(plain(distanceWords(near, words))).toBe(plain(words.t("distanceTo", { distance, place: "Work" })));
  }
  const travelled = { ...far, footMinutes: 31, bicycleMinutes: null };
  expect(distanceWords(travelled, wordsOf("home", "en"))).toBe(nbsp("2.3_km to Work (31_min on foot)"));
});

test("FIND-06 a distance is not shown as more precise than it is, nor as zero", () => {
  const words = [0, 24, 974, 975, 1_040, 9_940, 9_960, 48_700].map((metres) =>
    distanceWords({ placeId: "p", name: "{b}", metres, isApproximate: false }, wordsOf("home", "en")),
  );
  expect(words).toEqual(
    ["50_m", "50_m", "950_m", "1_km", "1_km", "9.9_km", "10_km", "49_km"].map((one) => nbsp(`${one} to {b}`)),
  );
});

test("FIND-04 each warning has its reason in every language", () => {
  const warnings: Warning[] = [
    { kind: "far-below-zone", percent: -42, samples: 84, place: "Trafalgar" },
    { kind: "occupied", words: "sin\nposesión" },
    { kind: "same-text", codes: 4, towns: 2 },
  ];
  expect(warnings.map((warning) => warningWords(warning, wordsOf("home", "en")))).toEqual([
    "42% below the median in Trafalgar (84 homes seen)",
    "occupied (“sin posesión”)",
    "same text in 4 listings across 2 towns",
  ]);
  for (const language of LANGUAGES) {
    const [far = "", occupied, same] = warnings.map((warning) =>
      warningWords(warning, wordsOf("home", language)),
    );
    expect(far).toMatch(/42.*Trafalgar.*84/);
    expect(occupied).toContain("sin posesión");
    expect(same).toMatch(/4.*2/);
  }
});

test("FIND-01 a home without any data has a name", () => {
  const nothing = {
    kind: null,
    typology: null,
    subTypology: "__proto__",
    areaM2: null,
    rooms: null,
    floor: null,
    hasLift: null,
    address: null,
    neighborhood: null,
    district: null,
    municipality: null,
    pricePerM2Eur: null,
    comparison: null,
  };
  expect(homeLine(nothing, wordsOf("home", "de"))).toBe(wordsOf("home", "de").t("types.home"));
  expect(homeLine({ ...nothing, typology: "flat", address: "calle Mayor" }, wordsOf("home", "es"))).toBe(
    "Piso, Calle Mayor",
  );
});
