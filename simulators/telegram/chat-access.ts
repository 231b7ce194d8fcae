import type { Chat } from "./model.ts";
import { badRequest, forbidden, type Refusal } from "./refusal.ts";
import type { World } from "./world.ts";

/** Returns the chat if the bot is in it; throws otherwise. */
export function requireReachable(world: World, given: string | undefined): Chat {
  const chat = requireChat(world, given);
  const refusal = outOfReach(chat);
  if (refusal !== undefined) throw refusal;
  return chat;
}

/** Returns the chat if the bot may send this to it; throws otherwise. */
export function requireWritable(
  world: World,
  given: string | undefined,
  what: "text messages" | "photos" | "documents" | "edits",
): Chat {
  const chat = requireReachable(world, given);
  const { kind, standing, rights } = chat;
  if (kind === "channel" && (standing !== "admin" || rights.can_post_messages === false)) {
    throw badRequest("need administrator rights in the channel chat");
  }
  if (standing === "muted" && what !== "edits")
    throw badRequest(`not enough rights to send ${what} to the chat`);
  return chat;
}

/** Private chats have topics only if the bot has. Only those who manage topics may write in a closed topic. */
export function requireTopic({ hasPrivateTopics }: World, chat: Chat, topicId: number): void {
  const { kind, topics, standing, rights } = chat;
  const topic = kind === "private" && !hasPrivateTopics ? undefined : topics.get(topicId);
  if (topic === undefined) throw badRequest("message thread not found");
  const isManager = standing === "admin" && rights.can_manage_topics === true;
  if (topic === "closed" && !isManager) throw badRequest("TOPIC_CLOSED");
}

function requireChat(world: World, given = ""): Chat {
  if (given.trim() === "") throw badRequest("chat_id is empty");
  const chat = world.chats.get(/^-?\d{1,16}$/.test(given.trim()) ? Number(given) : Number.NaN);
  if (chat === undefined || chat.standing === "stranger") throw badRequest("chat not found");
  return chat;
}

function outOfReach({ kind, standing, migratedTo }: Chat): Refusal | undefined {
  switch (standing) {
    case "never-started":
      return forbidden("bot can't initiate conversation with a user");
    case "blocked":
      return forbidden("bot was blocked by the user");
    case "deactivated":
      return forbidden("user is deactivated");
    case "kicked":
      return forbidden(`bot was kicked from the ${kind} chat`);
    case "left":
      return forbidden(`bot is not a member of the ${kind} chat`);
    case "migrated":
      return badRequest(
        "group chat was upgraded to a supergroup chat",
        migratedTo === undefined ? undefined : { migrate_to_chat_id: migratedTo },
      );
    default:
      return undefined;
  }
}
