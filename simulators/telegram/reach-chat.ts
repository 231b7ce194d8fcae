import type { Chat } from "./model.ts";
import { type Parameters, readString } from "./read-parameters.ts";
import { badRequest, forbidden, type Refusal } from "./refusal.ts";
import type { World } from "./world.ts";

export function requireChat(world: World, parameters: Parameters, name = "chat_id"): Chat {
  const given = readString(parameters, name)?.trim() ?? "";
  if (given === "") throw badRequest(`${name} is empty`);
  const chat = given.startsWith("@")
    ? [...world.chats.values()].find(
        ({ kind, username }) =>
          kind !== "private" && username?.toLowerCase() === given.slice(1).toLowerCase(),
      )
    : world.chats.get(/^-?\d{1,16}$/.test(given) ? Number(given) : Number.NaN);
  if (chat === undefined) throw badRequest("chat not found");
  return chat;
}

/** The chat, if the bot can look at it. */
export function requireReadable(chat: Chat): Chat {
  const refusal = chat.kind === "private" ? unknownPerson(chat) : outOfReach(chat);
  if (refusal !== undefined) throw refusal;
  return chat;
}

/** The chat, if the bot can write that into it. */
export function requireWritable(chat: Chat, what: "text" | "photo" | "anything"): Chat {
  const refusal = chat.kind === "private" ? closedPerson(chat) : (outOfReach(chat) ?? noRights(chat, what));
  if (refusal !== undefined) throw refusal;
  return chat;
}

function unknownPerson({ standing }: Chat): Refusal | undefined {
  return standing === "stranger" ? badRequest("chat not found") : undefined;
}

function closedPerson(chat: Chat): Refusal | undefined {
  switch (chat.standing) {
    case "never-started":
      return forbidden("bot can't initiate conversation with a user");
    case "blocked":
      return forbidden("bot was blocked by the user");
    case "deactivated":
      return forbidden("user is deactivated");
    default:
      return unknownPerson(chat);
  }
}

function outOfReach({ kind, standing, migratedTo }: Chat): Refusal | undefined {
  switch (standing) {
    case "kicked":
      return forbidden(`bot was kicked from the ${kind} chat`);
    case "left":
      return forbidden(`bot is not a member of the ${kind} chat`);
    case "migrated":
      return badRequest(
        "group chat was upgraded to a supergroup chat",
        migratedTo === undefined ? undefined : { migrate_to_chat_id: migratedTo },
      );
    case "deleted":
      // A deleted supergroup or channel shows itself to a bot as one that has thrown it out.
      return kind === "group"
        ? forbidden("the group chat was deleted")
        : forbidden(`bot was kicked from the ${kind} chat`);
    default:
      return undefined;
  }
}

function noRights(
  { kind, standing, rights }: Chat,
  what: "text" | "photo" | "anything",
): Refusal | undefined {
  if (kind === "channel") {
    const canPost = standing === "admin" && rights.can_post_messages !== false;
    return canPost ? undefined : badRequest("need administrator rights in the channel chat");
  }
  if (what === "photo" && (standing === "muted" || standing === "photos-muted")) {
    return badRequest("not enough rights to send photos to the chat");
  }
  return what === "text" && standing === "muted"
    ? badRequest("not enough rights to send text messages to the chat")
    : undefined;
}
