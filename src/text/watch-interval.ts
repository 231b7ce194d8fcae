/**
 * How often a search is checked, in words: the one place where an interval becomes a sentence. Up to ten minutes it is the
 * specification's own; only a longer one is told as it is.
 */
import type { Language } from "#core/languages.ts";
import { countOf, type Forms } from "./labels.ts";
import { formatMoment } from "./moments.ts";

/** The longest interval of which the specification's sentences are true. */
const PROMISED_SECONDS = 600;
const MINUTE = 60;
const HOUR = 3_600;
const DAY = 86_400;

/** How often one search is checked now. */
export interface WatchInterval {
  /** Null where nothing is known: then it is what was promised. */
  readonly intervalSeconds: number | null;
  /** The portal's own alert mails come for this person. */
  readonly isServedByMail: boolean;
  /** The month's requests are spent until then. */
  readonly spentUntil: Date | null;
}

export type IntervalKind = "promised" | "longer" | "spent" | "mail";

/** Mails need no requests: who is served by them waits for nothing else. */
export function intervalKindOf({ intervalSeconds, isServedByMail, spentUntil }: WatchInterval): IntervalKind {
  if (isServedByMail) return "mail";
  if (spentUntil !== null) return "spent";
  return (intervalSeconds ?? 0) <= PROMISED_SECONDS ? "promised" : "longer";
}

interface Words {
  readonly minute: string;
  readonly minutes: Forms;
  readonly hour: string;
  readonly hours: Forms;
  readonly day: string;
  readonly days: Forms;
  readonly mail: string;
  /** {date} is the day on which requests begin anew. */
  readonly spent: string;
  /** Sentences; {every} is one of the above. */
  readonly checks: string;
  readonly mailSentence: string;
  readonly spentSentence: string;
}

const WORDS: Readonly<Record<Language, Words>> = {
  en: {
    minute: "every minute",
    minutes: { other: "every # minutes" },
    hour: "every hour",
    hours: { other: "every # hours" },
    day: "every day",
    days: { other: "every # days" },
    mail: "as Idealista emails it",
    spent: "again from {date}",
    checks: "Sereno checks your search {every}.",
    mailSentence: "You get new listings as soon as Idealista emails them.",
    spentSentence: "This month's requests are used up. Sereno checks again from {date}.",
  },
  es: {
    minute: "cada minuto",
    minutes: { other: "cada # minutos" },
    hour: "cada hora",
    hours: { other: "cada # horas" },
    day: "cada día",
    days: { other: "cada # días" },
    mail: "en cuanto Idealista lo envía",
    spent: "de nuevo a partir del {date}",
    checks: "Sereno revisa tu búsqueda {every}.",
    mailSentence: "Recibes los anuncios nuevos en cuanto Idealista los envía por correo.",
    spentSentence: "Las consultas de este mes se han agotado. Sereno vuelve a revisar a partir del {date}.",
  },
  ru: {
    minute: "каждую минуту",
    minutes: { one: "каждые # минуту", few: "каждые # минуты", other: "каждые # минут" },
    hour: "каждый час",
    hours: { one: "каждые # час", few: "каждые # часа", other: "каждые # часов" },
    day: "каждый день",
    days: { one: "каждые # день", few: "каждые # дня", other: "каждые # дней" },
    mail: "как только пришлёт Idealista",
    spent: "снова с {date}",
    checks: "Sereno проверяет ваш поиск {every}.",
    mailSentence: "Новые объявления приходят, как только Idealista присылает письмо.",
    spentSentence: "Запросы на этот месяц исчерпаны. Sereno снова начнёт проверять с {date}.",
  },
  de: {
    minute: "jede Minute",
    minutes: { other: "alle # Minuten" },
    hour: "jede Stunde",
    hours: { other: "alle # Stunden" },
    day: "jeden Tag",
    days: { other: "alle # Tage" },
    mail: "sobald Idealista es schickt",
    spent: "wieder ab dem {date}",
    checks: "Sereno prüft deine Suche {every}.",
    mailSentence: "Du bekommst neue Inserate, sobald Idealista sie per E-Mail schickt.",
    spentSentence: "Die Anfragen dieses Monats sind aufgebraucht. Sereno prüft ab dem {date} wieder.",
  },
  fr: {
    minute: "toutes les minutes",
    minutes: { other: "toutes les # minutes" },
    hour: "toutes les heures",
    hours: { other: "toutes les # heures" },
    day: "tous les jours",
    days: { other: "tous les # jours" },
    mail: "dès qu’Idealista l’envoie",
    spent: "de nouveau à partir du {date}",
    checks: "Sereno relance votre recherche {every}.",
    mailSentence: "Vous recevez les nouvelles annonces dès qu’Idealista les envoie par e-mail.",
    spentSentence: "Les requêtes de ce mois sont épuisées. Sereno reprendra à partir du {date}.",
  },
};

/** "every 3 days", "as Idealista sends it", "again from 1 December": to stand within a sentence. */
export function intervalWords(interval: WatchInterval, language: Language): string {
  const words = WORDS[language];
  const kind = intervalKindOf(interval);
  if (kind === "mail") return words.mail;
  if (kind === "spent") return words.spent.replace("{date}", spentDate(interval, language));
  return everyWords(Math.max(interval.intervalSeconds ?? 0, PROMISED_SECONDS), language);
}

/** The same beginning with a capital, to stand alone. */
export function intervalLabel(interval: WatchInterval, language: Language): string {
  const words = intervalWords(interval, language);
  return words.charAt(0).toLocaleUpperCase(language) + words.slice(1);
}

/** A whole sentence about someone's search. */
export function intervalSentence(interval: WatchInterval, language: Language): string {
  const { checks, mailSentence, spentSentence } = WORDS[language];
  const kind = intervalKindOf(interval);
  if (kind === "mail") return mailSentence;
  if (kind === "spent") return spentSentence.replace("{date}", spentDate(interval, language));
  return checks.replace("{every}", intervalWords(interval, language));
}

/** In whole minutes, hours or days, never less than it is: 90 minutes, 36 hours, 3 days. */
function everyWords(seconds: number, language: Language): string {
  const { minute, minutes, hour, hours, day, days } = WORDS[language];
  if (seconds <= MINUTE) return minute;
  if (seconds === HOUR) return hour;
  if (seconds === DAY) return day;
  const [unit, forms] =
    seconds < 2 * HOUR
      ? ([MINUTE, minutes] as const)
      : seconds < 2 * DAY
        ? ([HOUR, hours] as const)
        : ([DAY, days] as const);
  return countOf(Math.ceil(seconds / unit), forms, language);
}

/** "1 December": the day as the homes' country counts it. */
export function dayLabel(moment: Date, language: Language): string {
  return formatMoment(moment, language, { timeZone: "Europe/Madrid", day: "numeric", month: "long" });
}

function spentDate({ spentUntil }: WatchInterval, language: Language): string {
  return spentUntil === null ? "" : dayLabel(spentUntil, language);
}
