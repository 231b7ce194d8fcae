// The questions of a search, one message each. What was answered before is in the callback data of the buttons.
import { escapeHtml } from "#core/escape-html.ts";
import { findPlaces } from "#core/places/find-places.ts";
import type { KnownWhere } from "#core/places/place-key.ts";
import { allPlaces, ancestorsOf, findPlace, type Place } from "#core/places/places.ts";
import { priceSteps } from "#core/search/price-steps.ts";
import { BEDROOMS, OPERATIONS, type Operation, searchFor } from "#core/search/search.ts";
import { searchOfAnswers } from "#core/search/search-answers.ts";
import { readMarkets, zoneKey } from "#store/finds/market-figures.ts";
import { describeSearch } from "#text/describe-search.ts";
import { capitalised, formatPrice } from "#text/labels.ts";
import { wordsOf } from "#text/translator.ts";
import type { QuestionStep } from "../../buttons/question-buttons.ts";
import {
  type ButtonRows,
  button,
  type Conversation,
  inPairs,
  type Shown,
} from "../conversation/conversation.ts";
import { cut, sentenceOf } from "../conversation/search-words.ts";
import { siteTexts } from "../conversation/texts.ts";
import { searchOffer } from "../links/offer-links.ts";

const LONGEST_BUTTON = 40;
/** Telegram allows 100 buttons; no town has as many districts. */
const MOST_PARTS = 60;
/** Offered before anything is typed. */
const CITIES = ["Madrid", "Barcelona", "Valencia", "Sevilla", "Málaga", "Zaragoza"];

/** The first question. */
export function operationQuestion({ language }: Conversation): Shown {
  const words = siteTexts(language);
  const buttons = OPERATIONS.toReversed().map((operation) =>
    button(words(`questions.${operation}`), { act: "question", step: { ask: "place", operation } }),
  );
  return { html: `<b>${escapeHtml(words("questions.operation"))}</b>`, rows: [buttons] };
}

/** The question of this step, or the search if nothing is left to ask. */
export async function questionOf(conversation: Conversation, step: QuestionStep): Promise<Shown> {
  switch (step.ask) {
    case "place":
      return placeQuestion(conversation, step.operation);
    case "part":
      return partQuestion(conversation, step);
    case "price":
      return priceQuestion(conversation, step);
    case "bedrooms":
      return bedroomsQuestion(conversation, step);
    case "nothing": {
      const { bedroomsFrom: from } = step;
      const bedrooms =
        from === null ? [] : BEDROOMS.filter((count) => (from === 0 ? count === 0 : count >= from));
      return searchOffer(conversation, searchOfAnswers({ ...step, bedrooms }));
    }
  }
}

function placeQuestion(conversation: Conversation, operation: Operation): Shown {
  const places = CITIES.flatMap((name) => findPlaces(name, 1).meant ?? []);
  const buttons = placeRows(conversation, { operation, places, ask: "part" }).flat();
  return { html: asked(conversation.t("question_where")), rows: inRows(buttons, 3) };
}

/** A place without districts needs no choice among them: the price is next. */
export function withoutEmptyChoice(step: QuestionStep): QuestionStep {
  return step.ask === "part" && districtsIn(step.where).parts.length < 2 ? { ...step, ask: "price" } : step;
}

/** Asks for a district of a town that has some. */
async function partQuestion(
  conversation: Conversation,
  { operation, where }: Extract<QuestionStep, { ask: "part" }>,
): Promise<Shown> {
  const { t, plain } = conversation;
  const { town, parts } = districtsIn(where);
  if (town === undefined) return priceQuestion(conversation, { ask: "price", operation, where });
  const whole = button(plain("question_everywhere", { place: town.name }), {
    act: "question",
    step: { ask: "price", operation, where },
  });
  const buttons = parts.map(({ id, name }) =>
    button(cut(name, LONGEST_BUTTON), {
      act: "question",
      step: { ask: "price", operation, where: { type: "place", placeId: id } },
    }),
  );
  return { html: `<b>${t("question_part", { place: town.name })}</b>`, rows: [[whole], ...inPairs(buttons)] };
}

function districtsIn(where: KnownWhere): { town: Place | undefined; parts: readonly Place[] } {
  const town = where.type === "place" ? findPlace(where.placeId) : undefined;
  if (town?.level !== "municipality") return { town: undefined, parts: [] };
  const parts = [...allPlaces()]
    .filter(({ parentId }) => parentId === town.id)
    .toSorted((one, other) => one.name.localeCompare(other.name, "es"))
    .slice(0, MOST_PARTS);
  return { town, parts };
}

async function priceQuestion(
  conversation: Conversation,
  { operation, where }: Extract<QuestionStep, { ask: "price" }>,
): Promise<Shown> {
  const { parts, t, plain, language } = conversation;
  const stepWith = (maxPriceEur: number | null) =>
    ({ act: "question", step: { ask: "bedrooms", operation, where, maxPriceEur } }) as const;
  const median = await medianOf(parts.sql, operation, where);
  const buttons = priceSteps(operation, median).map((price) =>
    button(formatPrice(price, language), stepWith(price)),
  );
  const answered = { operation, where, maxPriceEur: null, bedrooms: [] };
  return {
    html: [soFar(conversation, answered), asked(t(`question_price_${operation}`))].join("\n\n"),
    rows: [...inRows(buttons, 3), [button(plain("question_any_price"), stepWith(null))]],
  };
}

/** Of the place, else of the next one around it that has figures. */
async function medianOf(
  sql: Conversation["parts"]["sql"],
  operation: Operation,
  where: KnownWhere,
): Promise<number | undefined> {
  if (where.type !== "place") return undefined;
  const ids = [where.placeId, ...ancestorsOf(where.placeId).map(({ id }) => id)];
  const markets = await readMarkets(sql, ids);
  const nearest = ids.find((id) => markets.has(zoneKey(id, operation)));
  return nearest === undefined ? undefined : markets.get(zoneKey(nearest, operation))?.medianPerM2Eur;
}

function bedroomsQuestion(
  conversation: Conversation,
  { ask: _, ...answers }: Extract<QuestionStep, { ask: "bedrooms" }>,
): Shown {
  const { t, plain, language } = conversation;
  const choice = (words: string, bedroomsFrom: (typeof BEDROOMS)[number] | null) =>
    button(words, { act: "question", step: { ask: "nothing", ...answers, bedroomsFrom } });
  const counts = BEDROOMS.filter((count) => count > 0).map((count) => choice(`${count}+`, count));
  return {
    html: [soFar(conversation, { ...answers, bedrooms: [] }), `<b>${t("question_bedrooms")}</b>`].join(
      "\n\n",
    ),
    // Beside the numbers a word has no room.
    rows: [
      [choice(siteTexts(language)("questions.studio"), 0)],
      counts,
      [choice(plain("question_any_bedrooms"), null)],
    ],
  };
}

/** The question in bold, and how to answer it. */
function asked(text: string): string {
  return text.replace(/^[^?]*\?/, "<b>$&</b>");
}

/** What was answered so far, as a sentence. */
function soFar({ language }: Conversation, answers: Parameters<typeof searchOfAnswers>[0]): string {
  return escapeHtml(sentenceOf(searchOfAnswers(answers).search, language));
}

/** Buttons for places that a person chooses from. */
export function placeRows(
  { language }: Conversation,
  { operation, places, ask }: { operation: Operation; places: readonly KnownWhere[]; ask: "part" | "price" },
): ButtonRows {
  return places.map((where) => {
    const { chips } = describeSearch(searchFor(operation, "homes", where), wordsOf("search", language));
    const label = capitalised(chips.find(({ part }) => part === "where")?.text ?? "");
    return [button(cut(label, LONGEST_BUTTON), { act: "question", step: { ask, operation, where } })];
  });
}

function inRows(buttons: ButtonRows[number], width: number): ButtonRows {
  return buttons.flatMap((_, at) => (at % width === 0 ? [buttons.slice(at, at + width)] : []));
}
