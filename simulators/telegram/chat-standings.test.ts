import { afterAll, beforeAll, expect, test } from "vitest";
import { description, startTestTelegram } from "./test-client.ts";

let world: Awaited<ReturnType<typeof startTestTelegram>>;
let owner: number;

beforeAll(async () => {
  world = await startTestTelegram({ floodControl: false });
  owner = await world.person({ firstName: "Olga" });
});
afterAll(() => world.telegram.close());

async function chatOf(kind: string, standing: string): Promise<number> {
  if (kind === "private") {
    const id = await world.person();
    await world.control(`POST chats/${id}/standing`, { standing });
    return id;
  }
  const { chat } = await world.control("POST chats", { kind, title: "Flat hunters", creatorId: owner });
  if (standing !== "left") {
    await world.control(`POST chats/${chat.id}/add-bot`, { by: owner, isAdmin: kind === "channel" });
  }
  if (standing === "migrated") await world.control(`POST chats/${chat.id}/upgrade`, {});
  else await world.control(`POST chats/${chat.id}/standing`, { standing, by: owner });
  return chat.id;
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
  ["group", "deleted", "403 Forbidden: the group chat was deleted"],
  ["supergroup", "deleted", "403 Forbidden: bot was kicked from the supergroup chat"],
  ["group", "migrated", "400 Bad Request: group chat was upgraded to a supergroup chat"],
  ["channel", "ok", "400 Bad Request: need administrator rights in the channel chat"],
])("a %s chat that is %s refuses every message with %s", async (kind, standing, refusal) => {
  const chat_id = await chatOf(kind, standing);
  expect(description(await world.call("sendMessage", { chat_id, text: "hi" }))).toBe(refusal);
  expect(description(await world.call("sendPhoto", { chat_id, ...PHOTO }))).toBe(refusal);
  expect(description(await world.call("sendChatAction", { chat_id, action: "typing" }))).toBe(refusal);
  const { messages } = await world.control(`GET chats/${chat_id}`);
  expect(messages.filter(({ text, photo }) => text !== undefined || photo !== undefined)).toEqual([]);
});

test.each([
  ["private", "ok"],
  ["group", "ok"],
  ["group", "admin"],
  ["supergroup", "ok"],
  ["supergroup", "admin"],
  ["channel", "admin"],
])("a %s chat where the bot is %s takes text and photos", async (kind, standing) => {
  const chat_id = await chatOf(kind, standing);
  const { body } = await world.call("sendMessage", { chat_id, text: "hi" });
  expect(body).toMatchObject({ ok: true, result: { text: "hi", chat: { id: chat_id, type: kind } } });
  expect((await world.call("sendPhoto", { chat_id, ...PHOTO })).body.ok).toBe(true);
});

test.each(["group", "supergroup"])(
  "a muted %s takes neither, one muted for photos takes text",
  async (kind) => {
    const muted = await chatOf(kind, "muted");
    expect(description(await world.call("sendMessage", { chat_id: muted, text: "hi" }))).toBe(
      "400 Bad Request: not enough rights to send text messages to the chat",
    );
    const noPhotos = await chatOf(kind, "photos-muted");
    expect(description(await world.call("sendPhoto", { chat_id: noPhotos, ...PHOTO }))).toBe(
      "400 Bad Request: not enough rights to send photos to the chat",
    );
    expect((await world.call("sendMessage", { chat_id: noPhotos, text: "hi" })).body.ok).toBe(true);
  },
);

test("an upgraded group names its replacement, and the replacement takes messages", async () => {
  const chat_id = await chatOf("group", "migrated");
  const { body } = await world.call("sendMessage", { chat_id, text: "hi" });
  const replacement = body.parameters?.migrate_to_chat_id;
  expect(replacement).toBeLessThan(-1_000_000_000_000);
  expect((await world.call("sendMessage", { chat_id: replacement, text: "hi" })).body.ok).toBe(true);
});

test("a chat id that is missing, no number or nobody's is told apart", async () => {
  expect(description(await world.call("sendMessage", { text: "hi" }))).toBe(
    "400 Bad Request: chat_id is empty",
  );
  for (const chat_id of [0, -1, 999, "nobody", "@nobody", "1e3", 2 ** 53]) {
    expect(description(await world.call("sendMessage", { chat_id, text: "hi" }))).toBe(
      "400 Bad Request: chat not found",
    );
  }
});

test("administrators are told apart from members, and people of other places are nobody there", async () => {
  const [admin, member, stranger] = [await world.person(), await world.person(), await world.person()];
  const { chat } = await world.control("POST chats", {
    kind: "supergroup",
    creatorId: owner,
    members: { [admin]: "administrator", [member]: "member" },
  });
  await world.control(`POST chats/${chat.id}/add-bot`, { by: owner });
  const statusOf = async (user_id: number) =>
    (await world.call<{ status: string }>("getChatMember", { chat_id: chat.id, user_id })).body.result.status;
  expect([
    await statusOf(owner),
    await statusOf(admin),
    await statusOf(member),
    await statusOf(stranger),
  ]).toEqual(["creator", "administrator", "member", "left"]);
  const { body } = await world.call<{ user: { id: number } }[]>("getChatAdministrators", {
    chat_id: chat.id,
  });
  expect(body.result.map(({ user }) => user.id)).toEqual([owner, admin]);
  expect(description(await world.call("getChatMember", { chat_id: chat.id, user_id: 12 }))).toBe(
    "400 Bad Request: PARTICIPANT_ID_INVALID",
  );
  expect(description(await world.call("getChatAdministrators", { chat_id: owner }))).toBe(
    "400 Bad Request: there are no administrators in the private chat",
  );
});

test("a bot that leaves is out, and may not write any more", async () => {
  const chat_id = await chatOf("group", "ok");
  expect((await world.call("leaveChat", { chat_id })).body).toEqual({ ok: true, result: true });
  expect(description(await world.call("sendMessage", { chat_id, text: "hi" }))).toBe(
    "403 Forbidden: bot is not a member of the group chat",
  );
});

test("getChat tells of a blocked person, and of no stranger", async () => {
  const blocked = await chatOf("private", "blocked");
  expect((await world.call("getChat", { chat_id: blocked })).body.result).toMatchObject({
    id: blocked,
    type: "private",
  });
  const stranger = await chatOf("private", "stranger");
  expect(description(await world.call("getChat", { chat_id: stranger }))).toBe(
    "400 Bad Request: chat not found",
  );
});
