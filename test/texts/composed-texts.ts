/** Every text with placeholders, composed with values that are awkward in some language. */
import { readFileSync } from "node:fs";
import { LANGUAGES, type Language } from "#core/languages.ts";
import {
  formatDays,
  formatNumber,
  formatPercent,
  formatPrice,
  formatUnit,
  timeWithin,
} from "#text/labels.ts";
import { languageName } from "#text/language-name.ts";
import { formatMoment, timeOfDay } from "#text/moments.ts";
import { plainTexts } from "#text/plain-texts.ts";
import { withElision } from "#text/search-sentence.ts";
import { dayLabel } from "#text/watch-interval.ts";
import { everyText, type PlacedText } from "./every-text.ts";

const files = new Map<string, object>();

/** What texts are filled with. */
interface Given {
  readonly counts: readonly number[];
  readonly places: readonly string[];
  readonly persons: readonly string[];
  readonly names: readonly string[];
}

/** For a reader: few, and each awkward in some language. */
const READABLE: Given = {
  counts: [1, 2, 5, 21, 5_230],
  places: ["Alicante", "Elche", "A Coruña"],
  persons: ["Antoine", "Анна Соколова", "a***@example.com"],
  names: ["Alicante", "«Calle de O'Donnell»", "Idealista"],
};

/** For rules that look at every text. */
export const AWKWARD: Given = {
  counts: [0, 1, 2, 5, 11, 21, 111, 1_001, 5_230, 1_000_000],
  places: [
    ...["Alicante", "Elche", "A Coruña", "L'Hospitalet de Llobregat", "Es Mercadal", "El Escorial"],
    ...["Las Rozas", "Íllora", "Hondarribia", "Úbeda"],
  ],
  persons: ["Antoine", "Анна Соколова", "a***@example.com", "O'Neill", "María José", "Юлия", "李", "🦊"],
  names: ["Alicante", "«Calle de O'Donnell»", "Idealista", "El Escorial", "Íllora", "🏠"],
};

/** What code puts in place of a name; anything else is filled with names. */
const valuesIn = ({ places, persons }: Given): Readonly<Record<string, readonly string[]>> => ({
  place: places,
  town: places,
  account: persons,
  people: persons,
  names: persons,
  email: ["a***@example.com"],
  address: ["a***@example.com"],
  portal: ["Idealista", "Habitaclia"],
  provider: ["Google", "Telegram"],
});

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
    ...{
      homes: count(5_230),
      leftOut: count(1_021),
      silent: count(21),
      number: "2",
      used: count(2),
      count: count(1_021),
    },
    ...{ today: count(2), week: count(21), month: count(1_021), most: count(900), limit: count(900) },
    ...{ length: count(12), step: "2", counts: "2–4", digits: "1234", code: "28002", id: "28002" },
    ...{ bot: "SerenoBot", advert: "https://www.idealista.com/inmueble/101/" },
    ...{ language: languageName(language, language), browser: "Firefox", system: "Windows" },
    ...{ device: "Firefox, Windows", word: textOf("account delete.dialog.word", language) },
  };
}

/** By key, where a placeholder means something else than elsewhere. */
function ownValuesIn(language: Language): Readonly<Record<string, Readonly<Record<string, string>>>> {
  const text = (key: string) => textOf(key, language);
  const at = (key: string, moment: number) =>
    filled(text(key), { time: timeOfDay(moment, language), day: dayLabel(new Date(moment), language) });
  const homes = { homes: text("search kinds.homes") };
  const lift = text("search features.lift");
  const common = plainTexts(textsOf({ language, key: "common" }), language);
  const every = filled(text("common interval.hours_other"), { number: formatNumber(36, language) });
  const interval = filled(text("common interval.checks"), { every });
  return {
    "filter quiet.saved.description": { from: timeOfDay(NIGHT, language), until: "08:00" },
    "health muted.until": { until: at("health until.later", NEXT_DAY) },
    "health failing.title": { since: at("health since.earlier", NIGHT) },
    "health failing.text": { reason: text("health reasons.unreachable") },
    "health late.title": { since: at("health since.earlier", NIGHT) },
    "health queued.title": { at: at("health at.later", NEXT_DAY) },
    "common interval.checks": { every },
    "landing hero.facts.intervalAt": { every },
    "landing faq.items.speed.answerAt": { interval },
    "filter messages.successInitialAt": { interval },
    "filter messages.successUpdateAt": { interval },
    "filter preview.hint": { wish: lift },
    "market caption": { operation: text("market operation.rent"), size: text("market size.all") },
    "rules range": { most: formatPercent(99, language) },
    "rules line": { reason: text("rules reasons.agency"), act: text("rules acts.leave-out") },
    "rules leftOut.reason": { reason: text("rules reasons.agency") },
    "rules choice": { subject: text("rules agency") },
    "rules removeNamed": { subject: text("rules agency") },
    "alert doubleCheck": { warnings: text("home warnings.far-below-zone") },
    "bot status_last_check": {
      checked: timeWithin(new Date(NIGHT), new Date(NIGHT + 180_000), { t: common, language }),
    },
    "bot link_more": { most: formatNumber(10, language) },
    "bot begin_agree": { button: text("bot watch_it") },
    "search sentence.operations.sale": homes,
    "search sentence.operations.rent": homes,
    "search sentence.inNewDevelopments": homes,
    "search sentence.energy": { classes: text("search sentence.energyClasses.high") },
    "search sentence.with": { things: text("search sentence.features.terrace").replace("… ", "") },
    "search sentence.onCoast": { place: "Costa Blanca" },
    "search sentence.onIsland": { place: "Lanzarote" },
    "search limits.kind-not-offered": { wish: text("search kinds.land") },
  };
}

const OWN = new Map(LANGUAGES.map((language) => [language, ownValuesIn(language)]));

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

const ELIDED = /^search (?:province|sentence\.(?:inProvince|nearPoint))$/;
const PLURAL = /_(?:ordinal_)?(?:zero|one|two|few|many|other)$/;

export function composedTexts(given: Given = READABLE): PlacedText[] {
  const seen = new Set<string>();
  return everyText()
    .filter(({ text }) => text.includes("{{"))
    .flatMap((placed) => formsOf(placed, given))
    .filter((one) => {
      const line = `${one.language} ${one.key} ${one.text}`;
      return !seen.has(line) && seen.add(line);
    });
}

function formsOf({ language, key, text }: PlacedText, given: Given): PlacedText[] {
  const path = key.slice(key.indexOf(" ") + 1);
  const name = path.replace(PLURAL, "");
  const ordinal = path.includes("_ordinal_");
  const t = plainTexts(textsOf({ language, key }), language);
  const placeholders = [...text.matchAll(/\{\{(\w+)\}\}/g)].flatMap(([, one]) => one ?? []);
  const valuesOf = (one: string) => valuesIn(given)[one] ?? given.names;
  const formatted = { ...FORMATTED.get(language), ...OWN.get(language)?.[`${key.split(" ")[0]} ${name}`] };
  const most = Math.max(1, ...placeholders.map((one) => (one in formatted ? 1 : valuesOf(one).length)));
  const variants = Array.from({ length: most }, (_, variant) =>
    Object.fromEntries(
      placeholders.map((one) => {
        const values = valuesOf(one);
        return [one, formatted[one] ?? values[variant % values.length] ?? ""];
      }),
    ),
  );
  const counts = PLURAL.test(path) ? given.counts : [undefined];
  return variants.flatMap((values) =>
    counts.map((count) => {
      const counted = count === undefined ? {} : { count, number: count, ordinal };
      // A form is written by its own key, because the plain reader knows no list entries.
      const composed = count === undefined ? filled(text, values) : t(name, { ...values, ...counted });
      const own = ELIDED.test(key) ? withElision(composed, String(values.place), language) : composed;
      return { language, key: `${key.split(" ")[0]} ${name}`, text: own };
    }),
  );
}

function filled(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => values[name] ?? whole);
}

function textsOf({ language, key }: Pick<PlacedText, "language" | "key">): object {
  const path = `../../src/text/locales/${language}/${key.split(" ")[0]}.json`;
  const known =
    files.get(path) ?? (JSON.parse(readFileSync(new URL(path, import.meta.url), "utf8")) as object);
  files.set(path, known);
  return known;
}
