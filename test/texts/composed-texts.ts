/** Every text with placeholders, composed with values that are awkward in some language. */
import { readFileSync } from "node:fs";
import { LANGUAGE_TRAITS, LANGUAGES, type Language } from "#core/languages.ts";
import { formatDays, formatNumber, formatPercent, formatPrice, formatUnit } from "#text/labels.ts";
import { formatMoment, timeOfDay } from "#text/moments.ts";
import { plainTexts } from "#text/plain-texts.ts";
import { dayLabel } from "#text/watch-interval.ts";
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

const NIGHT = Date.UTC(2026, 10, 16, 8, 5);
const NEXT_DAY = Date.UTC(2026, 10, 17, 10, 30);

/** What the product's own formatters write in a language: they have tests of their own. */
function formattedIn(language: Language): Readonly<Record<string, string>> {
  const euros = (price: number) => formatPrice(price, language);
  const count = (value: number) => formatNumber(value, language);
  return {
    ...{ time: timeOfDay(NIGHT, language), fromTime: timeOfDay(NIGHT, language) },
    ...{ untilTime: timeOfDay(NEXT_DAY, language), at: "2" },
    ...{ day: dayLabel(new Date(NIGHT), language), fromDay: dayLabel(new Date(NIGHT), language) },
    ...{ date: dayLabel(new Date(NIGHT), language), untilDay: dayLabel(new Date(NEXT_DAY), language) },
    ...{ from: momentOf(NIGHT, language), until: momentOf(NEXT_DAY, language) },
    ...{ since: timeOfDay(NIGHT, language), when: momentOf(NEXT_DAY, language, "long") },
    ...{ percent: formatPercent(33, language), distance: formatUnit(2.3, "kilometer", language) },
    ...{ price: euros(1_250), first: euros(1_250), last: euros(1_200) },
    ...{ low: euros(18), high: euros(24), min: euros(800), max: euros(900) },
    ...{ median: formatUnit(4, "second", language), p95: formatUnit(9, "second", language) },
    ...{ minutes: count(30), days: formatDays(30, language), alerts: count(5_230), fewest: count(20) },
    ...{ homes: count(5_230), leftOut: count(1_021), silent: count(21), number: "2", used: count(2) },
    ...{ today: count(2), week: count(21), month: count(1_021), most: count(900), limit: count(900) },
    ...{ length: count(12), step: "2", counts: "2–4", digits: "1234", code: "28002", id: "28002" },
    ...{ bot: "SerenoBot", advert: "https://www.idealista.com/inmueble/101/" },
    ...{ language: LANGUAGE_TRAITS[language].name, browser: "Firefox", system: "Windows" },
    ...{ device: "Firefox, Windows", word: textOf("account delete.dialog.word", language) },
  };
}

const FORMATTED = new Map(LANGUAGES.map((language) => [language, formattedIn(language)]));

function textOf(key: string, language: Language): string {
  return everyText().find((one) => one.key === key && one.language === language)?.text ?? "";
}

/** "16 Nov, 18:40" */
function momentOf(moment: number, language: Language, month: "short" | "long" = "short"): string {
  return formatMoment(moment, language, {
    ...{ timeZone: "Europe/Madrid", day: "numeric", month },
    ...{ hour: "2-digit", minute: "2-digit" },
  });
}

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
  const formatted = FORMATTED.get(language) ?? {};
  const variants = Array.from({ length: most }, (_, variant) =>
    Object.fromEntries(
      placeholders.map((one) => {
        const values = VALUES[one] ?? NAMES;
        return [one, formatted[one] ?? values[variant % values.length] ?? ""];
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
