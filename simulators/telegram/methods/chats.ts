import { botMemberObject, memberObject } from "../chat-member.ts";
import type { Chat } from "../model.ts";
import { requireChat, requireReadable } from "../reach-chat.ts";
import { readInteger } from "../read-parameters.ts";
import { badRequest } from "../refusal.ts";
import { setStanding } from "../set-standing.ts";
import { botUser, chatObject } from "../world.ts";
import type { Method } from "./method.ts";

export const getMe: Method = ({ world }) => ({
  result: {
    ...botUser(world),
    can_join_groups: true,
    can_read_all_group_messages: false,
    supports_inline_queries: false,
    can_connect_to_business: false,
    has_main_web_app: false,
    has_topics_enabled: false,
    allows_users_to_create_topics: false,
    can_manage_bots: false,
    supports_join_request_queries: false,
  },
});

export const getChat: Method = ({ world, parameters }) => {
  const chat = requireReadable(requireChat(world, parameters));
  return {
    result: {
      ...chatObject(world, chat),
      ...(chat.username === undefined ? {} : { active_usernames: [chat.username] }),
      ...(chat.kind === "private" ? {} : { permissions: permissionsOf(chat) }),
      accepted_gift_types: {
        unlimited_gifts: false,
        limited_gifts: false,
        unique_gifts: false,
        premium_subscription: false,
        gifts_from_channels: false,
      },
      max_reaction_count: 11,
      accent_color_id: 0,
    },
  };
};

export const getChatMember: Method = ({ world, parameters }) => {
  const chat = requireReadable(requireChat(world, parameters));
  const userId = readInteger(parameters, "user_id");
  if (userId === undefined || userId <= 0) throw badRequest("invalid user_id specified");
  if (userId === world.bot.id) return { result: botMemberObject(world, chat) };
  if (!world.people.has(userId)) throw badRequest("PARTICIPANT_ID_INVALID");
  if (chat.kind === "channel" && chat.standing !== "admin") throw badRequest("member list is inaccessible");
  return { result: memberObject(world, chat, userId) };
};

export const getChatAdministrators: Method = ({ world, parameters }) => {
  const chat = requireReadable(requireChat(world, parameters));
  if (chat.kind === "private") throw badRequest("there are no administrators in the private chat");
  if (chat.kind === "channel" && chat.standing !== "admin") throw badRequest("member list is inaccessible");
  const people = [...chat.members]
    .filter(([, status]) => status === "creator" || status === "administrator")
    .map(([personId]) => memberObject(world, chat, personId));
  return { result: chat.standing === "admin" ? [...people, botMemberObject(world, chat)] : people };
};

export const leaveChat: Method = ({ world, parameters }) => {
  const chat = requireReadable(requireChat(world, parameters));
  if (chat.kind === "private") throw badRequest("chat member status can't be changed in private chats");
  setStanding(world, chat, { standing: "left" });
  return { result: true };
};

function permissionsOf({ standing }: Chat) {
  const canSend = standing !== "muted";
  const canSendPhotos = canSend && standing !== "photos-muted";
  return {
    can_send_messages: canSend,
    can_send_audios: canSend,
    can_send_documents: canSend,
    can_send_photos: canSendPhotos,
    can_send_videos: canSendPhotos,
    can_send_video_notes: canSend,
    can_send_voice_notes: canSend,
    can_send_polls: canSend,
    can_send_other_messages: canSend,
    can_add_web_page_previews: canSend,
    can_change_info: false,
    can_invite_users: true,
    can_pin_messages: false,
    can_manage_topics: false,
  };
}
