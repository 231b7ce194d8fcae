import { setStanding } from "../bot-standing.ts";
import { type Chat, type MemberStatus, type Message, type Standing, userOf } from "../model.ts";
import { addMessage, botUser, notify, type World } from "../world.ts";
import { createChat, PhoneError, requireChatById, requirePerson } from "./create.ts";
import { pressStart, readPayload, say } from "./speak.ts";

export interface Adding {
  readonly chatId: number;
  readonly by: number;
  readonly isAdmin?: boolean;
  readonly rights?: Readonly<Record<string, boolean>>;
}

/** A person adds the bot to their group or channel, as a member or as an administrator. */
export function addBot(world: World, { chatId, by, isAdmin, rights }: Adding): void {
  const person = requirePerson(world, by);
  const chat = requireChatById(world, chatId);
  if (chat.kind === "private") throw new PhoneError("a bot is added to groups and channels");
  if (chat.standing === "migrated") throw new PhoneError("that chat no longer exists");
  const wasOutside = isOutside(chat);
  const standing = isAdmin || chat.kind === "channel" ? "admin" : "ok";
  setStanding(world, chat, { standing, by, ...(rights === undefined ? {} : { rights }) });
  meetMembers(world, chat);
  if (wasOutside && chat.kind !== "channel") {
    addServiceMessage(world, chat, { from: userOf(person), new_chat_members: [botUser(world)] });
  }
}

export function removeBot(world: World, chatId: number, by: number): void {
  const person = requirePerson(world, by);
  const chat = requireChatById(world, chatId);
  setStanding(world, chat, { standing: "kicked", by });
  if (chat.kind !== "channel" && chat.kind !== "private") {
    addServiceMessage(world, chat, { from: userOf(person), left_chat_member: botUser(world) });
  }
}

/** Sets any standing. Membership changes are reported to the bot as usual. */
export function changeStanding(
  world: World,
  chatId: number,
  { standing, by }: { readonly standing: Standing; readonly by?: number },
): void {
  const chat = requireChatById(world, chatId);
  const doer = by ?? (chat.kind === "private" ? chat.id : undefined);
  setStanding(world, chat, { standing, ...(doer === undefined ? {} : { by: doer }) });
}

export function setMember(world: World, chatId: number, personId: number, status: MemberStatus): void {
  const chat = requireChatById(world, chatId);
  chat.members.set(requirePerson(world, personId).id, status);
  meetMembers(world, chat);
  notify(world, { type: "chat", chatId });
}

/** Upgrades a group to a supergroup: a new chat with a new id. Both chats report the other's id. */
export function upgradeGroup(world: World, chatId: number, newId?: number): Chat {
  const group = requireChatById(world, chatId);
  const owner = [...group.members].find(([, status]) => status === "creator")?.[0] ?? 0;
  const replacement = createChat(world, {
    ...(newId === undefined ? {} : { id: newId }),
    kind: "supergroup",
    title: group.title,
    creatorId: owner,
    members: Object.fromEntries(group.members),
  });
  const { standing } = group;
  const from = userOf(requirePerson(world, owner));
  addServiceMessage(world, group, { from, migrate_to_chat_id: replacement.id });
  group.migratedTo = replacement.id;
  setStanding(world, group, { standing: "migrated", by: owner });
  setStanding(world, replacement, { standing, by: owner });
  addServiceMessage(world, replacement, { from, migrate_from_chat_id: group.id });
  return replacement;
}

interface LinkOpening {
  readonly personId: number;
  readonly url: string;
  /** The group to choose, for a startgroup link. */
  readonly chatId?: number | undefined;
}

/** A person opens a t.me link. */
export function openLink(world: World, { personId, url: text, chatId }: LinkOpening): Message {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const name = url?.hostname === "t.me" ? url.pathname.slice(1) : "";
  if (url === undefined || name.toLowerCase() !== world.bot.username.toLowerCase()) {
    throw new PhoneError(`not a link to @${world.bot.username}`);
  }
  const groupPayload = url.searchParams.get("startgroup");
  if (groupPayload === null) return pressStart(world, personId, url.searchParams.get("start") ?? "");
  if (chatId === undefined) throw new PhoneError("a link to a group needs a group");
  if (isOutside(requireChatById(world, chatId))) addBot(world, { chatId, by: personId });
  const command = `/start@${world.bot.username} ${readPayload(groupPayload)}`;
  return say(world, { personId, chatId, text: command.trim() });
}

function isOutside({ standing }: Chat): boolean {
  return standing === "left" || standing === "kicked";
}

/** A service message, for joins, leaves and upgrades. A bot in the chat receives all of them. */
function addServiceMessage(world: World, chat: Chat, content: Readonly<Record<string, unknown>>): void {
  const message = addMessage(world, chat, content);
  if (!isOutside(chat)) world.updates.push("message", message);
}

/** Through a common group the bot knows people who never wrote to it. */
function meetMembers(world: World, chat: Chat): void {
  if (isOutside(chat) || chat.kind === "channel") return;
  for (const personId of chat.members.keys()) {
    const own = world.chats.get(personId);
    if (own?.standing === "stranger") own.standing = "never-started";
  }
}
