// Saves a location shared with the bot as one of the user's places, for distances such as "2.3 km to work".
import type { Context } from "grammy";
import type { OwnPlace } from "#core/finds/find.ts";
import type { Point } from "#core/geo/polyline.ts";
import { lineOf } from "#text/one-line.ts";
import { formatPoint, point as pointCodec } from "../../buttons/kit.ts";
import type { ButtonPress } from "../../callback-data.ts";
import { askWhichAccount } from "../chats/ask-which-account.ts";
import { hasAccount } from "../chats/confirmed-only.ts";
import { canStart, replyUnconnected } from "../conversation/can-start.ts";
import { button, type Conversation, replyWithSite, type Shown } from "../conversation/conversation.ts";
import { showButtons, showText } from "../conversation/edit-message.ts";
import type { ReceivedText } from "../conversation/read-links.ts";
import type { SharedLocation } from "../conversation/shared-location.ts";
import { type ChatPerson, confirmedPeople } from "../rows/chat-people.ts";
import { readOwnPlaces, setOwnPlace } from "../rows/saved-places.ts";

type PlacePress = Extract<ButtonPress, { point: Point }>;

const PLACES_AT_MOST = 3;
const LONGEST_NAME = 40;

export async function askWhichPlace(conversation: Conversation, shared: SharedLocation): Promise<void> {
  const { parts, chat, t, plain } = conversation;
  const { point, isLive } = shared;
  if (!(await hasAccount(conversation))) return;
  const people = await confirmedPeople(parts.sql, chat.id);
  if (people.length === 0 && canStart(conversation)) return replyUnconnected(conversation);
  if (people.length === 0) return replyWithSite(conversation, [t("place_unconnected")]);
  if (isLive) return conversation.reply(t("place_live"));
  // With several accounts, ask for the kind of place first and then for the account.
  const places =
    people.length > 1 ? [] : [...(await readOwnPlaces(parts.sql, idsOf(people))).values()].flat();
  if (places.length >= PLACES_AT_MOST) {
    const { html, rows } = moveQuestion(conversation, places, point);
    return conversation.reply(html, rows);
  }
  await conversation.reply(t("place_which"), [
    [
      button(plain("place_work"), { act: "place-work", point }),
      button(plain("place_home"), { act: "place-home", point }),
    ],
    [button(plain("place_named"), { act: "place-other", point })],
  ]);
}

/** The point is in the callback data. Forging it does no harm: a user can only set a place of their own account. */
export async function pressPlace(
  conversation: Conversation,
  ctx: Context,
  press: PlacePress,
): Promise<string> {
  const { parts, chat, t, plain } = conversation;
  const people = chat.kind === "private" ? await confirmedPeople(parts.sql, chat.id) : [];
  if (people.length === 0) return plain("note_dead_button");
  if (press.act === "place-other") {
    await conversation.ask(t("place_name", { point: formatPoint(press.point) }));
    return "";
  }
  if (press.act === "move-place") return movePlace(conversation, ctx, { press, people });
  const place = { name: plain(press.act === "place-work" ? "place_work" : "place_home"), ...press.point };
  if (people.length > 1) {
    await showButtons(ctx, []);
    await askWhichAccount(conversation, people, { is: "place", ...place });
    return "";
  }
  const { html, rows } = await setPlace(conversation, idsOf(people), place);
  await showText(ctx, html, rows);
  return "";
}

/** Handles a reply to the question for a place's name, which contains the point. Returns false if there was no such question. */
export async function answerPlaceQuestion(
  conversation: Conversation,
  received: ReceivedText,
): Promise<boolean> {
  const { chat } = conversation;
  const point = pointCodec.read(/\(([-\d.,]{1,30})\)\.?$/.exec(received.repliedTo?.text ?? "")?.[1] ?? "");
  if (chat.kind !== "private" || point === undefined) return false;
  if (await hasAccount(conversation)) await namePlace(conversation, point, received.text);
  return true;
}

async function namePlace(conversation: Conversation, point: Point, typed: string): Promise<void> {
  const { parts, chat, t } = conversation;
  const people = await confirmedPeople(parts.sql, chat.id);
  const name = lineOf(typed, 2 * LONGEST_NAME);
  if (people.length === 0) return replyWithSite(conversation, [t("place_unconnected")]);
  if (name === null || [...name].length > LONGEST_NAME) {
    await conversation.ask(`${t("place_bad_name")} (${formatPoint(point)})`);
    return;
  }
  const place = { name, ...point };
  if (people.length > 1) return askWhichAccount(conversation, people, { is: "place", ...place });
  const { html, rows } = await setPlace(conversation, idsOf(people), place);
  await conversation.reply(html, rows);
}

/** Sets the place for these accounts. If they already have three, asks which one to move. */
export async function setPlace(
  conversation: Conversation,
  userIds: readonly string[],
  place: Omit<OwnPlace, "id">,
): Promise<Shown> {
  const { parts, chat, t } = conversation;
  const outcomes = await Promise.all(
    userIds.map((userId) => setOwnPlace(parts.sql, { userId, chatId: chat.id }, place)),
  );
  parts.logger.info({ outcomes }, "a place was set in a chat");
  if (outcomes.some((outcome) => outcome !== "too-many")) {
    return { html: t("place_set", { name: place.name }), rows: [] };
  }
  const places = await readOwnPlaces(parts.sql, userIds);
  return moveQuestion(conversation, [...places.values()].flat(), place);
}

function moveQuestion({ t }: Conversation, places: readonly OwnPlace[], point: Point): Shown {
  const rows = places.map(({ id, name }) => [button(name, { act: "move-place", placeId: id, point })]);
  return { html: t("place_full"), rows };
}

async function movePlace(
  conversation: Conversation,
  ctx: Context,
  { press, people }: { press: Extract<PlacePress, { placeId: string }>; people: readonly ChatPerson[] },
): Promise<string> {
  const { parts, plain } = conversation;
  for (const [userId, places] of await readOwnPlaces(parts.sql, idsOf(people))) {
    const moved = places.find(({ id }) => id === press.placeId);
    if (moved === undefined) continue;
    const { html, rows } = await setPlace(conversation, [userId], { name: moved.name, ...press.point });
    await showText(ctx, html, rows);
    return "";
  }
  return plain("note_dead_button");
}

function idsOf(people: readonly ChatPerson[]): string[] {
  return people.map(({ userId }) => userId);
}
