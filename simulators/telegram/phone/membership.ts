import type { Chat, MemberStatus, Message, Standing } from "../model.ts";
import { STANDINGS, userOf } from "../model.ts";
import { setStanding } from "../set-standing.ts";
import { addMessage, botUser, tell, type World } from "../world.ts";
import { ControlRefusal } from "./control-refusal.ts";
import { emptyChat, freeChannelId, requireChatById, requirePerson } from "./create.ts";
import { pressStart, readPayload, say } from "./speak.ts";

export interface Adding {
  readonly chatId: number;
  readonly by: number;
  readonly isAdmin?: boolean;
  readonly rights?: Readonly<Record<string, boolean>>;
}

/** A person puts the bot into their group or channel, as a member or straight as an administrator. */
export function addBot(world: World, { chatId, by, isAdmin, rights }: Adding): Chat {
  const person = requirePerson(world, by);
  const chat = requireChatById(world, chatId);
  if (chat.kind === "private")
    throw new ControlRefusal(409, "private", "a bot is added to groups and channels");
  if (["migrated", "deleted"].includes(chat.standing)) {
    throw new ControlRefusal(409, "gone", "that chat is no more");
  }
  const isMember = !["left", "kicked"].includes(chat.standing);
  const standing = isAdmin || chat.kind === "channel" ? "admin" : "ok";
  setStanding(world, chat, { standing, by, ...(rights === undefined ? {} : { rights }) });
  meetMembers(world, chat);
  if (!isMember && chat.kind !== "channel") {
    service(world, chat, { from: userOf(person), new_chat_members: [botUser(world)] });
  }
  return chat;
}

export function removeBot(world: World, chatId: number, by: number): Chat {
  const person = requirePerson(world, by);
  const chat = requireChatById(world, chatId);
  setStanding(world, chat, { standing: "kicked", by });
  if (chat.kind !== "channel" && chat.kind !== "private") {
    addMessage(world, chat, { from: userOf(person), left_chat_member: botUser(world) });
  }
  return chat;
}

/** Any standing at all; membership changes are told to the bot, as ever. */
export function changeStanding(
  world: World,
  chatId: number,
  { standing, by }: { standing: string; by?: number },
): Chat {
  const chat = requireChatById(world, chatId);
  const known = STANDINGS.find((name: Standing) => name === standing);
  const personal = ["ok", "stranger", "never-started", "blocked", "deactivated"];
  const isPossible = (chat.kind === "private") === personal.includes(standing) || standing === "ok";
  if (known === undefined || !isPossible || known === "migrated") {
    throw new ControlRefusal(400, "bad-standing", `a ${chat.kind} chat cannot be ${standing}`);
  }
  const doer = by ?? (chat.kind === "private" ? chat.id : undefined);
  setStanding(world, chat, { standing: known, ...(doer === undefined ? {} : { by: doer }) });
  return chat;
}

export function setMember(world: World, chatId: number, personId: number, status: MemberStatus): Chat {
  const chat = requireChatById(world, chatId);
  requirePerson(world, personId);
  if (chat.kind === "private") throw new ControlRefusal(409, "private", "a private chat has no members");
  chat.members.set(personId, status);
  meetMembers(world, chat);
  tell(world, { type: "chat", chatId });
  return chat;
}

/** A group becomes a supergroup: a new chat under a new id, and both say where the other is. */
export function upgradeGroup(world: World, chatId: number, newId?: number): Chat {
  const group = requireChatById(world, chatId);
  if (group.kind !== "group" || ["migrated", "deleted"].includes(group.standing)) {
    throw new ControlRefusal(409, "not-a-group", "only a group that is still there can be upgraded");
  }
  const id = newId ?? freeChannelId(world);
  if (world.chats.has(id)) throw new ControlRefusal(409, "id-taken", `${id} exists already`);
  const replacement = emptyChat(id, "supergroup", "left");
  replacement.title = group.title;
  for (const [member, status] of group.members) replacement.members.set(member, status);
  world.chats.set(replacement.id, replacement);
  const standing = group.standing;
  const owner = [...group.members].find(([, status]) => status === "creator")?.[0];
  const from = owner === undefined ? botUser(world) : userOf(requirePerson(world, owner));
  service(world, group, { from, migrate_to_chat_id: replacement.id });
  const by = owner === undefined ? {} : { by: owner };
  group.migratedTo = replacement.id;
  setStanding(world, group, { standing: "migrated", ...by });
  if (!["left", "kicked"].includes(standing)) setStanding(world, replacement, { standing, ...by });
  service(world, replacement, { from, migrate_from_chat_id: group.id });
  tell(world, { type: "people" });
  return replacement;
}

/** A t.me link opened on a person's phone. A link to a group needs to know which one they choose. */
export function openLink(
  world: World,
  { personId, url, chatId }: { personId: number; url: string; chatId?: number },
): Message {
  const link = parseBotLink(url, world.bot.username);
  if (link === undefined) {
    throw new ControlRefusal(400, "not-a-link", `not a link to @${world.bot.username}`);
  }
  if (!link.isForGroup) return pressStart(world, personId, link.payload);
  if (chatId === undefined) throw new ControlRefusal(400, "which-group", "a startgroup link needs a chatId");
  const { standing } = requireChatById(world, chatId);
  if (["left", "kicked"].includes(standing)) {
    addBot(world, { chatId, by: personId, ...(link.isAdmin ? { isAdmin: true } : {}) });
  }
  return say(world, { personId, chatId, text: `/start@${world.bot.username} ${link.payload}`.trim() });
}

interface BotLink {
  readonly payload: string;
  readonly isForGroup: boolean;
  readonly isAdmin: boolean;
}

function parseBotLink(text: string, username: string): BotLink | undefined {
  const trimmed = text.trim().replace(/^(?=t\.me\/|telegram\.me\/)/i, "https://");
  const url = URL.canParse(trimmed) ? new URL(trimmed) : undefined;
  if (url === undefined) return undefined;
  const isWeb = /^https?:$/.test(url.protocol) && /^(www\.)?(t|telegram)\.me$/.test(url.hostname);
  const name = isWeb ? url.pathname.slice(1).replace(/\/$/, "") : (url.searchParams.get("domain") ?? "");
  const isApp = url.protocol === "tg:";
  if (!(isWeb || isApp) || name.toLowerCase() !== username.toLowerCase()) return undefined;
  const isForGroup = url.searchParams.has("startgroup");
  return {
    payload: readPayload(url.searchParams.get(isForGroup ? "startgroup" : "start") ?? ""),
    isForGroup,
    isAdmin: url.searchParams.has("admin"),
  };
}

/** A message nobody wrote: who came, who went, where the chat moved. Bots hear all of them. */
function service(world: World, chat: Chat, content: Readonly<Record<string, unknown>>): void {
  const message = addMessage(world, chat, content);
  if (!["left", "kicked"].includes(chat.standing)) world.updates.push("message", message);
}

/** In a common group the bot learns of people who never wrote to it. */
function meetMembers(world: World, chat: Chat): void {
  if (["left", "kicked"].includes(chat.standing) || chat.kind === "channel") return;
  for (const personId of chat.members.keys()) {
    const own = world.chats.get(personId);
    if (own?.standing === "stranger") own.standing = "never-started";
  }
}
