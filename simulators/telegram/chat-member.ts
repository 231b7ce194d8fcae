import type { Chat, MemberStatus } from "./model.ts";
import { userOf } from "./model.ts";
import { botUser, type World } from "./world.ts";

/** What an administrator may do unless told otherwise. */
export function adminRights(
  chat: Chat,
  given: Readonly<Record<string, boolean>> = {},
): Record<string, boolean> {
  const isChannel = chat.kind === "channel";
  return {
    can_manage_chat: true,
    can_delete_messages: true,
    can_manage_video_chats: true,
    can_restrict_members: true,
    can_promote_members: false,
    can_change_info: true,
    can_invite_users: true,
    can_post_stories: false,
    can_edit_stories: false,
    can_delete_stories: false,
    ...(isChannel ? { can_post_messages: true, can_edit_messages: true } : { can_pin_messages: true }),
    ...(chat.kind === "supergroup" ? { can_manage_topics: false } : {}),
    ...given,
  };
}

export function memberObject(world: World, chat: Chat, personId: number): Record<string, unknown> {
  const person = world.people.get(personId);
  const user = person === undefined ? { id: personId } : userOf(person);
  const status = chat.kind === "private" ? "member" : (chat.members.get(personId) ?? "left");
  return statusObject(status, user, adminRights(chat));
}

/** The bot's own membership; in a private chat being blocked is being thrown out. */
export function botMemberObject(world: World, chat: Chat): Record<string, unknown> {
  const user = botUser(world);
  switch (chat.standing) {
    case "admin":
      return statusObject("administrator", user, chat.rights);
    case "ok":
      return statusObject("member", user, {});
    case "muted":
    case "photos-muted":
      return chat.kind === "supergroup" ? restricted(user, chat.standing) : statusObject("member", user, {});
    case "kicked":
    case "blocked":
    case "deactivated":
      return statusObject("kicked", user, {});
    default:
      return statusObject("left", user, {});
  }
}

function statusObject(
  status: MemberStatus,
  user: Readonly<Record<string, unknown>>,
  rights: Readonly<Record<string, boolean>>,
): Record<string, unknown> {
  switch (status) {
    case "creator":
      return { user, status, is_anonymous: false };
    case "administrator":
      return { user, status, can_be_edited: false, is_anonymous: false, ...rights };
    case "kicked":
      return { user, status, until_date: 0 };
    default:
      return { user, status };
  }
}

function restricted(user: Readonly<Record<string, unknown>>, standing: "muted" | "photos-muted") {
  const canSend = standing === "photos-muted";
  return {
    user,
    status: "restricted",
    until_date: 0,
    is_member: true,
    can_send_messages: canSend,
    can_send_audios: canSend,
    can_send_documents: canSend,
    can_send_photos: false,
    can_send_videos: canSend,
    can_send_video_notes: canSend,
    can_send_voice_notes: canSend,
    can_send_polls: canSend,
    can_send_other_messages: canSend,
    can_add_web_page_previews: canSend,
    can_react_to_messages: true,
    can_change_info: false,
    can_invite_users: false,
    can_pin_messages: false,
    can_manage_topics: false,
  };
}
