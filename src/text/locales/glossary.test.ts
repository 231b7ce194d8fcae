import { expect, test } from "vitest";
import { LANGUAGES, type Language } from "#core/languages.ts";
import { everyText } from "#test/texts/every-text.ts";

/** Words with another meaning, or second names for one thing. */
interface WrongWord {
  readonly language: Language;
  readonly fault: RegExp;
  readonly say: string;
  /** Keys where it is correct. */
  readonly except?: RegExp;
  /** Keys where it is wrong; without it, everywhere. */
  readonly only?: RegExp;
}

const SIGN_UP =
  /^landing |^common header\.signUp|^auth signUp\.(title|description|submit|submitting|failure)/;

const WRONG: readonly WrongWord[] = [
  { language: "en", fault: /\byour watch\b/i, say: "your search (a watch is worn on the wrist)" },
  { language: "en", fault: /\bon offer\b/i, say: "listed, on the market (on offer is discounted)" },
  { language: "en", fault: /\bapartments?\b/i, say: "flat", except: /^search homeTypes\.apartment$/ },
  { language: "en", fault: /\be-mails?\b/i, say: "email" },
  { language: "en", fault: /\badministrators?\b/i, say: "admin" },
  {
    language: "en",
    fault: /\blog(ged)? (in|out)\b/i,
    say: "sign in",
    except: /^common access\.requiredText$/,
  },
  {
    language: "en",
    fault: /\baddress of (the|that|its|a|your) (results|page|search)|\bweb address/i,
    say: "link",
  },
  { language: "en", fault: /\banew\b|\bhear of\b|\b(is|are) the most\b|\bscrap(e|ing)/i, say: "plain words" },
  { language: "de", fault: /\bim Angebot\b/i, say: "inseriert (im Angebot ist reduziert)" },
  {
    language: "de",
    fault: /\bdeine Wache\b|\beinlogg|\bHilfe-Chat\b|\bKnopf\b/i,
    say: "Suche, anmelden, Support-Chat, Button",
  },
  { language: "de", fault: /\banmeld/i, say: "registrieren (anmelden ist sign in)", only: SIGN_UP },
  { language: "fr", fault: /(?<!ID de )\bchats?\b(?! d’assistance)/i, say: "conversation (un chat miaule)" },
  { language: "fr", fault: /\badministrateurs?\b|\battique\b/i, say: "admin, appartement au dernier étage" },
  {
    language: "es",
    fault: /\btus anuncios\b/i,
    say: "los anuncios encontrados (tus anuncios los publicas tú)",
  },
  { language: "es", fault: /\banuncios\b/i, say: "publicidad", only: /^common cookies\.text$/ },
  { language: "es", fault: /\bpublicidad\b/i, say: "anuncios", except: /^legal |^common cookies\.text$/ },
  { language: "es", fault: /\ben vivo\b/i, say: "en directo" },
  {
    language: "ru",
    fault: /слежени|слежк|оповещени|листинг|URL фильтра/i,
    say: "поиск, уведомление, объявление, ссылка",
  },
  { language: "es", fault: /\bhallazgos?\b/i, say: "lo encontrado (hallazgos los hace un arqueólogo)" },
  { language: "de", fault: /\b(Benachrichtigungs|Alert-)mail/i, say: "E-Mails von Idealista" },
  { language: "de", fault: /\bFunden?\b/, say: "Treffer" },
  { language: "ru", fault: /больше нельзя/i, say: "это максимум" },
  { language: "ru", fault: /служб\p{L}* данных/iu, say: "сервис данных" },
];

/** Texts that the specification fixes, and their translations. */
const FIXED =
  /^filter (steps\.save|edit\.(badge|title)|url\.(label|required|invalid)|messages\.(success|errorLoad$|errorSave$)|service\.)|^account filter\.(title|manage|none|notConfigured|setUp)|^common (header|pages)\.filterSettings|^legal privacy\.sections\.1\.paragraphs\.3/;
/** The portal's and the mailbox's own filters, those of the list of finds, and settings of other programs. */
const OTHER_FILTERS =
  /^filter (url\.(lead|hint)|help\.filter|repairs\.|refusals\.not-a-search|advice\.no-rights)|^search (limits\.unknown-word|sentence\.unknownWord)|^landing (steps\.paste|after\.finds)|^alert-mails (begin$|forward\.)|^(alert notices\.|mail )alert-mail-steps|^alert-mails question\.text|^finds filter\.|^finds views\.settings|^common theme\.|^finds-settings |^legal privacy\.sections\.6/;

const FILTER_WORDS: Readonly<Record<Language, RegExp>> = {
  en: /\bfilters?\b|\bconfigur|\bsettings?\b/i,
  es: /\bfiltros?\b|\bconfigura|\bajustes?\b/i,
  ru: /фильтр|настройк|конфигурац/i,
  de: /\bFilter|\bEinstellung|\bKonfigur/i,
  fr: /\bfiltres?\b|\bconfigur|\bréglages?\b/i,
};

test.each(LANGUAGES)("LANG-01 what a person watches is called a search (%s)", (language) => {
  const faults = everyText()
    .filter((one) => one.language === language && FILTER_WORDS[language].test(one.text))
    .filter(({ key }) => !FIXED.test(key) && !OTHER_FILTERS.test(key))
    .map(({ key, text }) => `${key}: ${text}`);
  expect(faults).toEqual([]);
});

const PLACEHOLDERS = /\{\{[^}]*\}\}/g;
const described = WRONG.map((wrong) => ({ ...wrong, title: `${wrong.language} ${wrong.fault.source}` }));

test.each(described)(
  "LANG-01 the glossary has one word per thing: no $title",
  ({ language, fault, say, except, only }) => {
    const faults = everyText()
      .filter((one) => one.language === language && fault.test(one.text.replaceAll(PLACEHOLDERS, "")))
      .filter(({ key }) => !except?.test(key) && (only?.test(key) ?? true))
      .map(({ key, text }) => `${key}: ${text} (say ${say})`);
    expect(faults).toEqual([]);
  },
);

/** The bot's profile, its introduction and its greeting name it. */
const NAMES_ITSELF = /^(?:bot (?:about|about_short|hello)|alert notices\.welcome\.title)$/;

test("LANG-01 in chats Sereno uses the first person", () => {
  const faults = everyText()
    .filter(({ key }) => /^(bot|alert) /.test(key) && !NAMES_ITSELF.test(key))
    .filter(({ text }) => /\bSereno\b/.test(text))
    .map(({ language, key, text }) => `${language} ${key}: ${text}`);
  expect(faults).toEqual([]);
});
