import { afterAll, beforeAll, expect, test } from "vitest";
import type { ChatKind, Standing } from "./model.ts";
import { createChat, createPerson, requireChatById } from "./phone/create.ts";
import { addBot, changeStanding, upgradeGroup } from "./phone/membership.ts";
import { description, startTestTelegram } from "./test-client.ts";

let world: Awaited<ReturnType<typeof startTestTelegram>>;
let owner: number;

beforeAll(async () => {
  world = await startTestTelegram({ floodControl: false });
  owner = world.person("Olga");
});
afterAll(() => world.telegram.close());

function chatOf(kind: ChatKind, standing: Standing): number {
  const { telegram } = world;
  if (kind === "private") {
    const { id } = createPerson(telegram, {});
    changeStanding(telegram, id, { standing });
    return id;
  }
  const { id } = createChat(telegram, { kind, title: "Flat hunters", creatorId: owner });
  if (standing !== "left") addBot(telegram, { chatId: id, by: owner, isAdmin: kind === "channel" });
  if (standing === "migrated") upgradeGroup(telegram, id);
  else changeStanding(telegram, id, { standing, by: owner });
  return id;
}

const PHOTO = { photo: "https://img.example.com/1.jpg" };

test.each([
  ["private", "stranger", "400 Bad Request: chat not found"],
  ["private", "never-started", "403 Forbidden: bot can't initiate conversation with a user"],
  ["private", "blocked", "403 Forbidden: bot was blocked by the user"],
  ["private", "deactivated", "403 Forbidden: user is deactivated"],
  ["group", "kicked", "403 Forbidden: bot was kicked from the group chat"],
  ["supergroup", "kicked", "403 Forbidden: bot was kicked from the supergroup chat"],
  ["channel", "kicked", "403 Forbidden: bot was kicked from the channel chat"],
  ["group", "left", "403 Forbidden: bot is not a member of the group chat"],
  ["supergroup", "left", "403 Forbidden: bot is not a member of the supergroup chat"],
  ["channel", "left", "403 Forbidden: bot is not a member of the channel chat"],
  ["group", "migrated", "400 Bad Request: group chat was upgraded to a supergroup chat"],
  ["channel", "ok", "400 Bad Request: need administrator rights in the channel chat"],
] as const)("a %s chat that is %s refuses every message with %s", async (kind, standing, refusal) => {
  const chat_id = chatOf(kind, standing);
  expect(description(await world.call("sendMessage", { chat_id, text: "hi" }))).toBe(refusal);
  expect(description(await world.call("sendPhoto", { chat_id, ...PHOTO }))).toBe(refusal);
  const messages = requireChatById(world.telegram, chat_id).messages.map(({ message }) => message);
  expect(messages.filter(({ text, photo }) => text !== undefined || photo !== undefined)).toEqual([]);
});

test.each([
  ["private", "ok"],
  ["group", "ok"],
  ["group", "admin"],
  ["supergroup", "ok"],
  ["channel", "admin"],
] as const)("a %s chat where the bot is %s takes text and photos", async (kind, standing) => {
  const chat_id = chatOf(kind, standing);
  const { body } = await world.call("sendMessage", { chat_id, text: "hi" });
  expect(body).toMatchObject({ ok: true, result: { text: "hi", chat: { id: chat_id, type: kind } } });
  expect((await world.call("sendPhoto", { chat_id, ...PHOTO })).body.ok).toBe(true);
});

test.each(["group", "supergroup"] as const)("a muted %s accepts neither text nor photos", async (kind) => {
  const chat_id = chatOf(kind, "muted");
  expect(description(await world.call("sendMessage", { chat_id, text: "hi" }))).toBe(
    "400 Bad Request: not enough rights to send text messages to the chat",
  );
  expect(description(await world.call("sendPhoto", { chat_id, ...PHOTO }))).toBe(
    "400 Bad Request: not enough rights to send photos to the chat",
  );
});

test("an upgraded group returns the new id, and the supergroup accepts messages", async () => {
  const { body } = await world.call("sendMessage", { chat_id: chatOf("group", "migrated"), text: "hi" });
  const replacement = body.parameters?.migrate_to_chat_id;
  expect(replacement).toBeLessThan(-1_000_000_000_000);
  expect((await world.call("sendMessage", { chat_id: replacement, text: "hi" })).body.ok).toBe(true);
});

test("missing, non-numeric and unknown chat ids give different errors", async () => {
  expect(description(await world.call("sendMessage", { text: "hi" }))).toBe(
    "400 Bad Request: chat_id is empty",
  );
  for (const chat_id of [0, -1, 999, "nobody", "@nobody", "1e3", 2 ** 53]) {
    expect(description(await world.call("sendMessage", { chat_id, text: "hi" }))).toBe(
      "400 Bad Request: chat not found",
    );
  }
});

test("administrators are distinguished from members, and outsiders from both", async () => {
  const [admin, member, stranger] = [world.person(), world.person(), world.person()];
  const members = { [admin]: "administrator", [member]: "member" } as const;
  const { id: chat_id } = createChat(world.telegram, { kind: "supergroup", creatorId: owner, members });
  addBot(world.telegram, { chatId: chat_id, by: owner });
  const statusOf = async (user_id: number) =>
    (await world.call<{ status: string }>("getChatMember", { chat_id, user_id })).body.result.status;
  expect(await Promise.all([owner, admin, member, stranger].map(statusOf))).toEqual([
    "creator",
    "administrator",
    "member",
    "left",
  ]);
  const { body } = await world.call<{ user: { id: number } }[]>("getChatAdministrators", { chat_id });
  expect(body.result.map(({ user }) => user.id)).toEqual([owner, admin]);
  expect(description(await world.call("getChatMember", { chat_id, user_id: 12 }))).toBe(
    "400 Bad Request: PARTICIPANT_ID_INVALID",
  );
  expect(description(await world.call("getChatAdministrators", { chat_id: owner }))).toBe(
    "400 Bad Request: there are no administrators in the private chat",
  );
});

test("a private chat has topics only while the bot's owner has them on, as getMe says", async () => {
  const chat_id = world.person();
  requireChatById(world.telegram, chat_id).topics.set(5, "open");
  const post = () => world.call("sendMessage", { chat_id, text: "x", message_thread_id: 5 });
  expect((await world.call("getMe")).body.result).toMatchObject({ has_topics_enabled: false });
  expect(description(await post())).toBe("400 Bad Request: message thread not found");
  world.telegram.hasPrivateTopics = true;
  expect((await world.call("getMe")).body.result).toMatchObject({ has_topics_enabled: true });
  expect((await post()).body.result).toMatchObject({ message_thread_id: 5, is_topic_message: true });
});
