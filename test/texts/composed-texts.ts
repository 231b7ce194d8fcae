/** Every text with placeholders, composed with values that are awkward in some language. */
import { readFileSync } from "node:fs";
import { plainTexts } from "#text/plain-texts.ts";
import { everyText, type PlacedText } from "./every-text.ts";

const COUNTS = [1, 2, 5, 21, 5_230];
const PLACES = ["Alicante", "Elche", "A Coruña"];
const PERSONS = ["Antoine", "Анна Соколова", "a***@example.com"];
const PORTALS = ["Idealista", "Habitaclia"];
const NAMES = ["Alicante", "«Calle de O'Donnell»", "Idealista"];

/** What code puts in place of a name; anything else is filled with names. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  place: PLACES,
  town: PLACES,
  account: PERSONS,
  people: PERSONS,
  names: PERSONS,
  email: ["a***@example.com"],
  address: ["a***@example.com"],
  portal: PORTALS,
  provider: ["Google", "Telegram"],
};

/** Written by formatters, which have tests of their own. */
const FORMATTED: Readonly<Record<string, string>> = {
  time: "09:05",
  fromTime: "09:05",
  untilTime: "11:30",
  percent: "33\u00a0%",
  price: "1\u00a0250\u00a0€",
  minutes: "30",
  days: "30",
  digits: "1234",
  code: "28002",
  date: "16 nov.",
  day: "16 nov.",
  fromDay: "16 nov.",
  untilDay: "17 nov.",
  when: "16 nov., 09:05",
  at: "09:05",
  from: "09:05",
  until: "11:30",
  since: "09:05",
  first: "1\u00a0250\u00a0€",
  last: "1\u00a0200\u00a0€",
  low: "18\u00a0€",
  high: "24\u00a0€",
  min: "800\u00a0€",
  max: "900\u00a0€",
  limit: "900\u00a0€",
  median: "4\u00a0s",
  p95: "9\u00a0s",
  alerts: "230",
  fewest: "20",
  distance: "2,3\u00a0km",
  id: "28002",
};

const PLURAL = /_(?:ordinal_)?(?:zero|one|two|few|many|other)$/;

export function composedTexts(): PlacedText[] {
  const seen = new Set<string>();
  return everyText()
    .filter(({ text }) => text.includes("{{"))
    .flatMap((placed) => formsOf(placed, textsOf(placed)))
    .filter((one) => {
      const line = `${one.language} ${one.key} ${one.text}`;
      return !seen.has(line) && seen.add(line);
    });
}

function formsOf({ language, key, text }: PlacedText, texts: object): PlacedText[] {
  const path = key.slice(key.indexOf(" ") + 1);
  const name = path.replace(PLURAL, "");
  const ordinal = path.includes("_ordinal_");
  const t = plainTexts(texts, language);
  const placeholders = [...text.matchAll(/\{\{(\w+)\}\}/g)].flatMap(([, one]) => one ?? []);
  const most = Math.max(1, ...placeholders.map((one) => VALUES[one]?.length ?? NAMES.length));
  const variants = Array.from({ length: most }, (_, variant) =>
    Object.fromEntries(
      placeholders.map((one) => {
        const values = VALUES[one] ?? NAMES;
        return [one, FORMATTED[one] ?? values[variant % values.length] ?? ""];
      }),
    ),
  );
  const counts = PLURAL.test(path) ? COUNTS : [undefined];
  return variants.flatMap((values) =>
    counts.map((count) => {
      const counted = count === undefined ? {} : { count, number: count, ordinal };
      // A form is written by its own key, because the plain reader knows no list entries.
      const composed = count === undefined ? filled(text, values) : t(name, { ...values, ...counted });
      return { language, key: `${key.split(" ")[0]} ${name}`, text: composed };
    }),
  );
}

function filled(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => values[name] ?? whole);
}

const files = new Map<string, object>();

function textsOf({ language, key }: PlacedText): object {
  const path = `../../src/text/locales/${language}/${key.split(" ")[0]}.json`;
  const known =
    files.get(path) ?? (JSON.parse(readFileSync(new URL(path, import.meta.url), "utf8")) as object);
  files.set(path, known);
  return known;
}
