import { readBoolean, readString } from "../read-parameters.ts";
import { badRequest } from "../refusal.ts";
import { tell } from "../world.ts";
import type { Method } from "./method.ts";

/** How long a phone waits for the answer to a pressed button. */
const ANSWERABLE_MS = 30_000;
const TEXT_LIMIT = 200;

export const answerCallbackQuery: Method = ({ world, parameters }) => {
  const press = world.presses.get(readString(parameters, "callback_query_id") ?? "");
  const isOpen =
    press !== undefined && press.answer === undefined && world.clock.now() - press.pressedAt <= ANSWERABLE_MS;
  if (!isOpen) {
    throw badRequest("query is too old and response timeout expired or query ID is invalid");
  }
  const text = readString(parameters, "text") ?? "";
  if (text.length > TEXT_LIMIT) throw badRequest("MESSAGE_TOO_LONG");
  press.answer = {
    text,
    isAlert: readBoolean(parameters, "show_alert"),
    url: readString(parameters, "url"),
  };
  tell(world, { type: "answer", chatId: press.chatId, pressId: press.id });
  return { result: true };
};
