import { expect, test } from "vitest";
import type { Language } from "#core/languages.ts";
import { AWKWARD, composedTexts } from "#test/texts/composed-texts.ts";
import { everyText, type PlacedText } from "#test/texts/every-text.ts";

interface Rule {
  readonly id: "WORD-01" | "WORD-02";
  readonly name: string;
  readonly languages: readonly Language[];
  readonly fault: RegExp;
  /** Keys whose text is completed by code, which has a test. */
  readonly except?: RegExp;
}

const ALL: readonly Language[] = ["en", "es", "ru", "de", "fr"];

const RULES: readonly Rule[] = [
  { id: "WORD-01", name: "nothing stays unfilled", languages: ALL, fault: /\{\{|\}\}|undefined|null|NaN/ },
  {
    id: "WORD-01",
    name: "French shortens de, que, le before a vowel",
    languages: ["fr"],
    fault:
      /(?<!\p{L})(?:de|que|le|la|je|ne|se|jusque|lorsque) (?:Alicante|Elche|A Coruña|Idealista|Antoine|Habitaclia|Es Mercadal|El Escorial|Íllora|Úbeda|O.Neill)/iu,
  },
  {
    id: "WORD-01",
    name: "Spanish writes e before i, u before o",
    languages: ["es"],
    fault: /(?<!\p{L})(?:y (?:Idealista|I|Í|Hi)|o O)/u,
  },
  {
    id: "WORD-01",
    name: "a Russian preposition or noun with a case does not stand before a person's name",
    languages: ["ru"],
    fault: /(?<!\p{L})(?:для|от|из|у|к|с|о|об|без|про|между) (?:Анна|Юлия|María José|李)/iu,
  },
  {
    id: "WORD-01",
    name: "an article or a pronoun does not stand before a name",
    languages: ["de"],
    fault: /(?<!\p{L})(?:an|zu|mit|von|bei) (?:Dein|Der|Die|Das)(?!\p{L})/u,
  },
  {
    id: "WORD-02",
    name: "numbers above 999 are grouped",
    languages: ALL,
    fault: /(?<!\d)(?:5230|1001|1000000)(?!\d)/,
  },
  {
    id: "WORD-02",
    name: "no line breaks between a number and what it counts in time",
    languages: ["es", "ru", "de", "fr"],
    fault:
      /\d (?:h|horas?|días?|minutos?|heures?|jours?|minutes?|Tag\p{L}*|Stunden?|Minuten?|Uhr|час\p{L}*|д(?:ень|ня|ней)|минут\p{L}*|поиск\p{L}*)(?!\p{L})/u,
  },
  {
    id: "WORD-02",
    name: "an unbreakable space before ; : ! ?, and within guillemets",
    languages: ["fr"],
    fault: /[^\s\u00a0\u202f!?][;!?](?!\p{L})|[^\s\u00a0\u202f\d]:(?![/\d\p{L}])| [;:!?]|« | »/u,
    // The name that is put in has guillemets of its own, and an address has colons.
    except: /^alert-mails /,
  },
  { id: "WORD-02", name: "one full stop", languages: ALL, fault: /(?<!\.)\.\.(?!\.)/ },
  { id: "WORD-02", name: "one space between words", languages: ALL, fault: / {2}|^ | $/m },
];

const composed = composedTexts(AWKWARD);

test.each(RULES)("$id $name", ({ languages, fault, except }) => {
  const faults = composed
    .filter(({ language, key }) => languages.includes(language) && !except?.test(key))
    .filter(({ text }) => fault.test(text))
    .map(lineOf);
  expect(faults).toEqual([]);
});

test("WORD-01 all texts with placeholders of all languages are composed", () => {
  const keys = (texts: readonly PlacedText[]) =>
    new Set(texts.map(({ language, key }) => `${language} ${key}`)).size;
  expect(composed.length).toBeGreaterThan(2_000);
  expect(keys(composed)).toBeGreaterThan(1_000);
});

/** Buttons that share a row with another. Where a name follows, code cuts it. */
const HALF =
  /^alert (?:message|messageGone|photos|hide|keep|mute|yes|no|thatsMe|notMe|less|openShort)$|^bot kept_short$/;
const WHOLE =
  /^alert (?:muteSearch|sendTo|settings|forwardingOpen|summaryNo|notices\..*\.open)$|^bot (?:watch_it|no_thanks|listing_(?:watch|unwatch|similar)|unfold|topic_(?:here|none)|shortlist_(?:everything|kept|pair)|question_any_(?:price|bedrooms)|search_(?:pause|resume|rename|delete)|delete_(?:yes|no)|place_(?:work|home|named)|copy|all_searches|whose_all|questions_button|account_delete_(?:now|no)|open_(?:settings|profile)|button_(?:hidden|kept))$/;
/** Buttons of which three share a row; a number may stand before the first. */
const THIRD = /^(?:alert (?:hide|keep|mute)|bot button_muted)$/;

const letters = new Intl.Segmenter(undefined, { granularity: "grapheme" });

test.each([
  ["a third of a row of buttons", THIRD, 13],
  ["half a row of buttons", HALF, 18],
  ["a row of its own", WHOLE, 28],
] as const)("WORD-04 a button of the bot fits into %s", (_row, keys, most) => {
  const buttons = everyText().filter(({ key }) => keys.test(key));
  expect(buttons.length).toBeGreaterThanOrEqual(20);
  const faults = buttons.filter(({ text }) => [...letters.segment(text)].length > most).map(lineOf);
  expect(faults).toEqual([]);
});

test("WORD-02 a French number that may be 1 stands before a plural only in a text with plural forms", () => {
  const faults = everyText()
    .filter(({ language, key }) => language === "fr" && !/_(?:one|many|other)$/.test(key))
    .filter(({ text }) => /\{\{number\}\}[ \u00a0](?!sans )\p{L}+s(?!\p{L})/u.test(text));
  expect(faults.map(lineOf)).toEqual([]);
});

function lineOf({ language, key, text }: PlacedText): string {
  return `${language} ${key}: ${text}`;
}
