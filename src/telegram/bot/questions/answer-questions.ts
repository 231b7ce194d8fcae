// Answers to the questions of a search: pressed, typed, or a shared location.
import type { Context } from "grammy";
import type { Point } from "#core/geo/polyline.ts";
import { findPlaces } from "#core/places/find-places.ts";
import type { KnownWhere } from "#core/places/place-key.ts";
import { placesAround, placesAt } from "#core/places/places-at.ts";
import { parsePrice } from "#core/search/search-answers.ts";
import { withTimeout } from "#platform/timing.ts";
import { lineOf } from "#text/one-line.ts";
import { formatQuestion, parseQuestion, type QuestionStep } from "../../buttons/question-buttons.ts";
import { isOwnChat } from "../conversation/can-start.ts";
import type { Conversation } from "../conversation/conversation.ts";
import { showText } from "../conversation/edit-message.ts";
import type { SharedLocation } from "../conversation/shared-location.ts";
import { findQuestion, forgetQuestion, keepQuestion } from "../rows/open-questions.ts";
import { findPlaceNear } from "../rows/place-near.ts";
import { operationQuestion, placeRows, questionOf, withoutEmptyChoice } from "./show-question.ts";

const LONGEST_PLACE = 60;
const MOST_SUGGESTIONS = 6;
/** The search for the nearest listing reads all of them. */
const NEAR_MS = 2_000;

/** "Answer a few questions". */
export async function pressQuestions(conversation: Conversation): Promise<string> {
  if (!isOwnChat(conversation)) return conversation.plain("note_dead_button");
  const { html, rows } = operationQuestion(conversation);
  await conversation.reply(html, rows);
  return "";
}

/** An answer by button: shows the next question in place of the answered one. */
export async function pressQuestion(
  conversation: Conversation,
  ctx: Context,
  pressed: QuestionStep,
): Promise<string> {
  if (!isOwnChat(conversation)) return conversation.plain("note_dead_button");
  const step = withoutEmptyChoice(pressed);
  await noteTypedAnswer(conversation, step);
  const { html, rows } = await questionOf(conversation, step);
  if (!(await showText(ctx, html, rows))) await conversation.reply(html, rows);
  return "";
}

/** Records that the next text answers this question, if it can be answered by typing. */
async function noteTypedAnswer({ parts, chat }: Conversation, step: QuestionStep): Promise<void> {
  const { ask, operation } = step;
  // A place can also be typed instead of choosing one of its parts.
  const asked = ask === "part" ? ({ ask: "place", operation } as const) : step;
  const data = formatQuestion(asked);
  if ((asked.ask !== "place" && asked.ask !== "price") || data === undefined) {
    return forgetQuestion(parts.sql, chat.id);
  }
  const question = { is: asked.ask, step: data } as const;
  await keepQuestion(parts.sql, { chatId: chat.id, question }, parts.now());
}

async function openStep({ parts, chat }: Conversation): Promise<QuestionStep | undefined> {
  const question = await findQuestion(parts.sql, chat.id, parts.now());
  return question !== undefined && "step" in question ? parseQuestion(question.step) : undefined;
}

/** Handles a typed place or price. Returns false if no question is open. */
export async function answerQuestionByText(conversation: Conversation, typed: string): Promise<boolean> {
  if (!isOwnChat(conversation)) return false;
  const step = await openStep(conversation);
  if (step?.ask === "place") await answerPlace(conversation, step, typed);
  else if (step?.ask === "price") await answerPrice(conversation, step, typed);
  else return false;
  return true;
}

async function answerPlace(
  conversation: Conversation,
  { operation }: Extract<QuestionStep, { ask: "place" }>,
  typed: string,
): Promise<void> {
  const { t } = conversation;
  const name = typed.length > 4 * LONGEST_PLACE ? null : lineOf(typed, LONGEST_PLACE);
  if (name === null) return conversation.reply(t("question_unknown_place"));
  const { places, meant, certainty } = findPlaces(name, MOST_SUGGESTIONS);
  if (meant !== undefined) return askNext(conversation, { ask: "part", operation, where: meant });
  if (places.length === 0) return conversation.reply(t("question_unknown_place"));
  const rows = placeRows(conversation, { operation, places, ask: "part" });
  const question =
    certainty === "found"
      ? `<b>${t("question_which_place")}</b>`
      : t("question_nearest_places", { place: name });
  await conversation.reply(question, rows);
}

async function askNext(conversation: Conversation, answered: QuestionStep): Promise<void> {
  const step = withoutEmptyChoice(answered);
  const { html, rows } = await questionOf(conversation, step);
  await noteTypedAnswer(conversation, step);
  await conversation.reply(html, rows);
}

async function answerPrice(
  conversation: Conversation,
  { operation, where }: Extract<QuestionStep, { ask: "part" | "price" }>,
  typed: string,
): Promise<void> {
  const maxPriceEur = parsePrice(typed);
  if (maxPriceEur === undefined) return conversation.reply(conversation.t("question_bad_price"));
  await askNext(conversation, { ask: "bedrooms", operation, where, maxPriceEur });
}

/** Handles a location as the answer where to look. Returns false if that was not asked. */
export async function answerQuestionByLocation(
  conversation: Conversation,
  { point }: SharedLocation,
): Promise<boolean> {
  const { parts, t } = conversation;
  const step = isOwnChat(conversation) ? await openStep(conversation) : undefined;
  if (step?.ask !== "place") return false;
  const places = await placesOf(parts.sql, point);
  if (places.length === 0) {
    await conversation.reply(t("question_no_place_here"));
    return true;
  }
  const rows = placeRows(conversation, {
    operation: step.operation,
    places,
    ask: "price",
  });
  await conversation.reply(`<b>${t("question_which_place")}</b>`, rows);
  return true;
}

/** By the zones of the large cities; elsewhere by the nearest listing that we have seen. */
async function placesOf(sql: Conversation["parts"]["sql"], point: Point): Promise<readonly KnownWhere[]> {
  const zones = await placesAt(point);
  const near =
    zones.length > 0
      ? undefined
      : await withTimeout(NEAR_MS, findPlaceNear(sql, point)).catch(() => undefined);
  const places = zones.length > 0 ? zones : placesAround(near?.placeId ?? "");
  if (places.length > 0) return places.map(({ id }) => ({ type: "place", placeId: id }));
  return findPlaces(near?.municipality ?? "", 1).places.slice(0, 1);
}
