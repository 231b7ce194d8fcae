/** A location shared with the bot becomes a place of the person's own: "2.3 km to work". */
import type { Context } from "grammy";
import type { Message } from "grammy/types";
import { type ButtonPress, formatPoint, isOnEarth, parsePoint } from "#core/alert/callback-data.ts";
import type { Point } from "#core/finds/distance.ts";
import type { OwnPlace } from "#core/finds/find.ts";
import { peopleConnectedTo } from "#store/chats/chat-people.ts";
import { readOwnPlaces, setOwnPlace } from "#store/finds/own-places.ts";
import { lineOf } from "#text/one-line.ts";
import { showText } from "../buttons/edit-message.ts";
import { button, type Conversation, replyWithSite } from "../conversation.ts";
import type { Said } from "../links/read-links.ts";

export interface SharedLocation {
  readonly point: Point;
  /** It goes where the phone goes. */
  readonly isLive: boolean;
}

type PlacePress = Extract<ButtonPress, { point: Point }>;

const PLACES_AT_MOST = 3;
const LONGEST_NAME = 40;

/** A point on the map, or a venue's; its shape is taken at its word nowhere. */
export function locationIn({ location }: Message): SharedLocation | undefined {
  const { latitude, longitude, live_period: livePeriod } = location ?? {};
  if (typeof latitude !== "number" || typeof longitude !== "number") return undefined;
  const point = { latitude, longitude };
  return isOnEarth(point) ? { point, isLive: livePeriod !== undefined } : undefined;
}

export async function askWhichPlace(conversation: Conversation, shared: SharedLocation): Promise<void> {
  const { t, plain } = conversation;
  const { point, isLive } = shared;
  const userIds = await peopleHere(conversation);
  if (userIds.length === 0) return replyWithSite(conversation, [t("place_unconnected")]);
  if (isLive) return conversation.reply(t("place_live"));
  const places = await placesOf(conversation, userIds);
  if (places.length >= PLACES_AT_MOST) {
    const rows = places.map(({ id, name }) => [button(name, { act: "move-place", placeId: id, point })]);
    return conversation.reply(t("place_full"), { inline_keyboard: rows });
  }
  await conversation.reply(t("place_which"), {
    inline_keyboard: [
      [
        button(plain("place_work"), { act: "place-work", point }),
        button(plain("place_home"), { act: "place-home", point }),
      ],
      [button(plain("place_named"), { act: "place-other", point })],
    ],
  });
}

/** The point stands in the button: whoever forges one sets a place of their own, and could have shared it. */
export async function pressPlace(
  conversation: Conversation,
  ctx: Context,
  press: PlacePress,
): Promise<string> {
  const { chat, t, plain } = conversation;
  const userIds = chat.kind === "private" ? await peopleHere(conversation) : [];
  if (userIds.length === 0) return plain("note_dead_button");
  if (press.act === "place-other") {
    await conversation.ask(t("place_name", { point: formatPoint(press.point) }));
    return "";
  }
  const name = await nameOf(conversation, press, userIds);
  if (name === undefined) return plain("note_dead_button");
  if (!(await setPlace(conversation, userIds, { name, ...press.point }))) return plain("place_full");
  await showText(ctx, t("place_set", { name }));
  return "";
}

/** A reply to the question what a place is called; the question itself holds where it is. False where nothing was asked. */
export async function answerPlaceQuestion(conversation: Conversation, said: Said): Promise<boolean> {
  const { chat, t } = conversation;
  const point = parsePoint(/\(([-\d.,]{1,30})\)\.?$/.exec(said.repliedTo?.text ?? "")?.[1] ?? "");
  if (chat.kind !== "private" || point === undefined) return false;
  const userIds = await peopleHere(conversation);
  const name = lineOf(said.text, 2 * LONGEST_NAME);
  if (userIds.length === 0) await replyWithSite(conversation, [t("place_unconnected")]);
  else if (name === null || [...name].length > LONGEST_NAME) {
    await conversation.ask(`${t("place_bad_name")} (${formatPoint(point)})`);
  } else if (await setPlace(conversation, userIds, { name, ...point })) {
    await conversation.reply(t("place_set", { name }));
  } else await askWhichPlace(conversation, { point, isLive: false });
  return true;
}

async function peopleHere({ parts, chat }: Conversation): Promise<string[]> {
  return (await peopleConnectedTo(parts.sql, chat.id)).map(({ userId }) => userId);
}

/** Of the first of them; hardly ever are there two. */
async function placesOf({ parts }: Conversation, userIds: readonly string[]): Promise<readonly OwnPlace[]> {
  const places = await readOwnPlaces(parts.sql, userIds);
  return userIds.map((userId) => places.get(userId) ?? []).find(({ length }) => length > 0) ?? [];
}

async function nameOf(
  conversation: Conversation,
  press: PlacePress,
  userIds: readonly string[],
): Promise<string | undefined> {
  if (press.act !== "move-place")
    return conversation.plain(press.act === "place-work" ? "place_work" : "place_home");
  return (await placesOf(conversation, userIds)).find(({ id }) => id === press.placeId)?.name;
}

async function setPlace(
  { parts }: Conversation,
  userIds: readonly string[],
  place: Omit<OwnPlace, "id">,
): Promise<boolean> {
  const outcomes = await Promise.all(userIds.map((userId) => setOwnPlace(parts.sql, userId, place)));
  parts.logger.info({ outcomes }, "a place was set in a chat");
  return outcomes.some((outcome) => outcome !== "too-many");
}
