import { type Chat, type Standing, userOf } from "./model.ts";
import { botUser, chatObject, notify, unixTime, type World } from "./world.ts";

interface StandingChange {
  readonly standing: Standing;
  /** The person who did it; the bot by default. */
  readonly by?: number;
  readonly rights?: Readonly<Record<string, boolean>>;
}

/** Changes the bot's standing in a chat, and sends the bot an update if its membership changed. */
export function setStanding(world: World, chat: Chat, change: StandingChange): void {
  const before = botMember(world, chat);
  chat.standing = change.standing;
  chat.rights = change.standing === "admin" ? adminRights(chat, change.rights) : {};
  const after = botMember(world, chat);
  const person = change.by === undefined ? undefined : world.people.get(change.by);
  // Telegram does not report deleted accounts: the next message just fails.
  const isNotified = !["deactivated", "stranger", "never-started"].includes(change.standing);
  if (isNotified && JSON.stringify(before) !== JSON.stringify(after)) {
    world.updates.push("my_chat_member", {
      chat: chatObject(world, chat),
      from: person === undefined ? botUser(world) : userOf(person),
      date: unixTime(world),
      old_chat_member: before,
      new_chat_member: after,
    });
  }
  notify(world, { type: "chat", chatId: chat.id });
}

/** The bot's membership. In a private chat "blocked" is reported as "kicked". */
function botMember(world: World, chat: Chat): Record<string, unknown> {
  const user = botUser(world);
  switch (chat.standing) {
    case "admin":
      return { user, status: "administrator", can_be_edited: false, is_anonymous: false, ...chat.rights };
    case "ok":
      return { user, status: "member" };
    case "muted":
      return chat.kind === "supergroup"
        ? { user, status: "restricted", until_date: 0, is_member: true, ...NO_RIGHTS }
        : { user, status: "member" };
    case "kicked":
    case "blocked":
    case "deactivated":
      return { user, status: "kicked", until_date: 0 };
    default:
      return { user, status: "left" };
  }
}

const NO_RIGHTS = { can_send_messages: false, can_send_photos: false, can_send_other_messages: false };

function adminRights({ kind }: Chat, given: Readonly<Record<string, boolean>> = {}): Record<string, boolean> {
  const posting = kind === "channel" ? { can_post_messages: true, can_edit_messages: true } : {};
  return { can_manage_chat: true, can_delete_messages: true, can_invite_users: true, ...posting, ...given };
}
