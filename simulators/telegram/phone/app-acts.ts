// What a person can do in a Mini App that Telegram's client shows: allow the bot to write, and send a prepared message.
import { setStanding } from "../bot-standing.ts";
import { userOf } from "../model.ts";
import { addMessage, botUser, type World } from "../world.ts";
import { PhoneError, requireChatById, requirePerson } from "./create.ts";

/** Makes the private chat usable without Start. If the bot may write already, nothing happens. */
export function allowWriting(world: World, personId: number): void {
  const person = requirePerson(world, personId);
  const chat = requireChatById(world, personId);
  if (chat.standing === "ok") return;
  setStanding(world, chat, { standing: "ok", by: personId });
  const from = userOf(person);
  world.updates.push(
    "message",
    addMessage(world, chat, { from, write_access_allowed: { from_request: true } }),
  );
}

interface Sharing {
  readonly personId: number;
  readonly preparedId: string;
  readonly chatId: number;
}

/** Returns the error that the client reports to the app, or undefined if the message was sent. */
export function sharePrepared(world: World, { personId, preparedId, chatId }: Sharing): string | undefined {
  const person = requirePerson(world, personId);
  const chat = requireChatById(world, chatId);
  if (chat.id !== personId && !chat.members.has(personId)) throw new PhoneError("not a member");
  const prepared = world.preparedMessages.get(preparedId);
  const isTheirs = prepared?.personId === personId;
  if (!isTheirs || prepared.expiresAt <= world.clock.now()) return "MESSAGE_EXPIRED";
  if (!prepared.allowed.includes(chat.kind)) return "MESSAGE_SEND_FAILED";
  const message = addMessage(world, chat, {
    from: userOf(person),
    via_bot: botUser(world),
    ...prepared.content,
  });
  if (chat.standing === "ok" || chat.standing === "admin") world.updates.push("message", message);
  return undefined;
}
