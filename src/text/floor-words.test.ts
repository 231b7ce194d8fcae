import { expect, test } from "vitest";
import { LANGUAGES, type Language } from "#core/languages.ts";
import { type Search, searchFor } from "#core/search/search.ts";
import { describeSearch, nameSearch } from "./describe-search.ts";
import { comparisonWords, factsOf, type HomeFacts } from "./home-words.ts";
import { wordsOf } from "./translator.ts";

const NOTHING: HomeFacts = {
  kind: null,
  typology: null,
  subTypology: null,
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
const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, " ").replaceAll("\u2011", "-");
const floorIn = (language: Language, floor: string) =>
  factsOf({ ...NOTHING, floor }, wordsOf("home", language))
    .map(plain)
    .join();

test.each<[string, string, string]>([
  ["bj", "1-й этаж (bajo)", "bajo"],
  ["0", "1-й этаж (bajo)", "bajo"],
  ["en", "антресольный этаж (entreplanta)", "entreplanta"],
  ["st", "подвал", "sótano"],
  ["-2", "подвал", "sótano"],
  ["ss", "полуподвал", "semisótano"],
  ["1", "2-й этаж (planta 1)", "1.ª planta"],
  ["2", "3-й этаж (planta 2)", "2.ª planta"],
  ["21", "22-й этаж (planta 21)", "21.ª planta"],
  ["x", "", ""],
])(
  "LANG-08 floor %s is %j in Russian, whose ground floor is the first, and %j in Spanish",
  (floor, ru, es) => {
    expect([floorIn("ru", floor), floorIn("es", floor)]).toEqual([ru, es]);
  },
);

test("LANG-08 the other languages count floors as Spain does", () => {
  const counted = LANGUAGES.filter((language) => language !== "ru");
  for (const language of counted) expect(floorIn(language, "21")).toMatch(/^21/);
});

test("LANG-08 a Russian search for ground floors says which floor that is in Spain", () => {
  const search: Search = {
    ...searchFor("sale", "homes", { type: "drawn", rings: ["a"] }),
    floors: ["ground"],
  };
  const { text, chips } = describeSearch(search, wordsOf("search", "ru"));
  expect(text).toBe("Жильё на продажу в обведённой на карте области, на первом этаже (bajo)");
  expect(chips.at(-1)?.text).toBe("1‑й этаж (bajo)");
});

test.each<[number, string, string]>([
  [1, "Область на карте", "в обведённой на карте области"],
  [2, "2 области на карте", "в 2 обведённых на карте областях"],
  [5, "5 областей на карте", "в 5 обведённых на карте областях"],
  [21, "21 область на карте", "в 21 обведённой на карте области"],
])("LANG-08 %d drawn areas are %j in Russian, and a single one has no number", (count, name, clause) => {
  const search = searchFor("rent", "homes", { type: "drawn", rings: Array(count).fill("a") });
  expect(plain(nameSearch(search, wordsOf("search", "ru")))).toBe(name);
  expect(plain(describeSearch(search, wordsOf("search", "ru")).text)).toBe(`Жильё в аренду ${clause}`);
});

test.each<[number, string, string]>([
  [1, "1 vivienda vista", "1 варианту"],
  [2, "2 viviendas vistas", "2 вариантам"],
  [5, "5 viviendas vistas", "5 вариантам"],
  [21, "21 viviendas vistas", "21 варианту"],
])("LANG-08 a price comparison names its basis and the number of homes: %d", (samples, es, ru) => {
  const told = (percent: number, language: Language) =>
    plain(comparisonWords({ percent, samples, place: "Trafalgar" }, wordsOf("home", language)));
  const median = `la mediana de Trafalgar (${es})`;
  const seen = `Trafalgar (по ${ru})`;
  expect([-9, 0, 9].map((percent) => told(percent, "es"))).toEqual([
    `un 9 % por debajo de ${median}`,
    `en ${median}`,
    `un 9 % por encima de ${median}`,
  ]);
  expect([-9, 0, 9].map((percent) => told(percent, "ru"))).toEqual([
    `на 9 % дешевле обычного в ${seen}`,
    `обычная цена для ${seen}`,
    `на 9 % дороже обычного в ${seen}`,
  ]);
});
