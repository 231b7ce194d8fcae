import { z } from "zod";
import { requireReachable } from "../chat-access.ts";
import { type Chat, type MemberStatus, userOf } from "../model.ts";
import { badRequest } from "../refusal.ts";
import { botUser, type World } from "../world.ts";
import { type Call, integer, type Method, noParameters, readParameters, text } from "./method.ts";

const CHAT = z.strictObject({ chat_id: text });
const MEMBER = CHAT.extend({ user_id: integer });

export const getMe: Method = (call) => {
  readParameters(call, noParameters);
  const abilities = {
    can_join_groups: true,
    can_read_all_group_messages: false,
    supports_inline_queries: call.world.hasInlineMode,
    has_topics_enabled: call.world.hasPrivateTopics,
    has_main_web_app: call.world.hasMainApp,
  };
  return { ...botUser(call.world), ...abilities };
};

export const getChatMember: Method = (call) => {
  const { chat_id, user_id = 0 } = readParameters(call, MEMBER);
  const chat = requireMemberList(call, chat_id);
  if (user_id <= 0) throw badRequest("invalid user_id specified");
  if (!call.world.people.has(user_id)) throw badRequest("PARTICIPANT_ID_INVALID");
  return memberObject(call.world, chat, user_id);
};

export const getChatAdministrators: Method = (call) => {
  const chat = requireMemberList(call, readParameters(call, CHAT).chat_id);
  if (chat.kind === "private") throw badRequest("there are no administrators in the private chat");
  return [...chat.members]
    .filter(([, status]) => status === "creator" || status === "administrator")
    .map(([personId]) => memberObject(call.world, chat, personId));
};

function requireMemberList({ world }: Call, chatId: string | undefined): Chat {
  const chat = requireReachable(world, chatId);
  if (chat.kind === "channel" && chat.standing !== "admin") throw badRequest("member list is inaccessible");
  return chat;
}

function memberObject(world: World, chat: Chat, personId: number): Record<string, unknown> {
  const person = world.people.get(personId);
  const status: MemberStatus = chat.kind === "private" ? "member" : (chat.members.get(personId) ?? "left");
  return { user: person === undefined ? { id: personId } : userOf(person), status };
}
