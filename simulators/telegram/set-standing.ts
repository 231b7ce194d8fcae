import { adminRights, botMemberObject } from "./chat-member.ts";
import type { Chat, Standing } from "./model.ts";
import { userOf } from "./model.ts";
import { botUser, chatObject, tell, unixTime, type World } from "./world.ts";

interface StandingChange {
  readonly standing: Standing;
  /** Who did it; the bot itself if nobody. */
  readonly by?: number;
  readonly rights?: Readonly<Record<string, boolean>>;
}

/** Moves the bot to another standing in a chat, and tells the bot where its membership has changed by it. */
export function setStanding(world: World, chat: Chat, change: StandingChange): void {
  const before = botMemberObject(world, chat);
  chat.standing = change.standing;
  chat.rights = change.standing === "admin" ? adminRights(chat, change.rights) : {};
  const after = botMemberObject(world, chat);
  const person = change.by === undefined ? undefined : world.people.get(change.by);
  // Nobody is told of accounts and groups that are deleted: the next message fails.
  const isTold = !["deactivated", "deleted", "stranger", "never-started"].includes(change.standing);
  if (isTold && JSON.stringify(before) !== JSON.stringify(after)) {
    world.updates.push("my_chat_member", {
      chat: chatObject(world, chat),
      from: person === undefined ? botUser(world) : userOf(person),
      date: unixTime(world),
      old_chat_member: before,
      new_chat_member: after,
    });
  }
  tell(world, { type: "chat", chatId: chat.id });
}
