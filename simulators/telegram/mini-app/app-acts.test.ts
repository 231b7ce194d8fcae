import { afterAll, beforeAll, expect, test } from "vitest";
import { allowWriting, sharePrepared } from "../phone/app-acts.ts";
import { createChat, createPerson } from "../phone/create.ts";
import { description, startTestTelegram } from "../test-client.ts";

let world: Awaited<ReturnType<typeof startTestTelegram>>;
let ana: number;
const result = {
  type: "article",
  id: "1",
  title: "A home",
  input_message_content: { message_text: "<b>A home</b>", parse_mode: "HTML" },
};
const everywhere = { allow_user_chats: true, allow_group_chats: true };

beforeAll(async () => {
  world = await startTestTelegram({ floodControl: false });
  ana = createPerson(world.telegram, { firstName: "Ana" }).id;
});
afterAll(() => world.telegram.close());

const prepare = async (parameters: object) =>
  (await world.call<{ id: string }>("savePreparedInlineMessage", { user_id: ana, result, ...parameters }))
    .body.result.id;

test("MINI-05 a prepared message is sent by its person, to the kinds of chats that it allows, for an hour", async () => {
  const group = createChat(world.telegram, { kind: "group", title: "Us", creatorId: ana });
  const preparedId = await prepare(everywhere);
  const send = (chatId: number, personId = ana) =>
    sharePrepared(world.telegram, { personId, preparedId, chatId });
  expect(send(group.id)).toBeUndefined();
  expect(group.messages.at(-1)?.message).toMatchObject({
    from: { id: ana },
    via_bot: { is_bot: true },
    text: "A home",
    entities: [{ type: "bold" }],
  });
  const bob = createPerson(world.telegram, { firstName: "Bob" }).id;
  expect(send(bob, bob)).toBe("MESSAGE_EXPIRED");
  expect(() => send(group.id, bob)).toThrow("not a member");
  const forPeople = await prepare({ allow_user_chats: true });
  expect(sharePrepared(world.telegram, { personId: ana, preparedId: forPeople, chatId: group.id })).toBe(
    "MESSAGE_SEND_FAILED",
  );
  world.clock.advance(3_600_000);
  expect(send(group.id)).toBe("MESSAGE_EXPIRED");
});

test("MINI-05 a message for nobody, or for a person that the bot does not know, is not prepared", async () => {
  const ask = (parameters: object) =>
    world.call("savePreparedInlineMessage", { user_id: ana, result, ...parameters });
  expect(description(await ask({}))).toBe("400 Bad Request: PEER_TYPES_INVALID");
  expect(description(await ask({ ...everywhere, user_id: 1 }))).toBe("400 Bad Request: USER_ID_INVALID");
});

test("MINI-05 a person allows the bot to write once, without Start", async () => {
  const write = () => world.call("sendMessage", { chat_id: ana, text: "Hello" });
  expect((await write()).body.ok).toBe(false);
  allowWriting(world.telegram, ana);
  allowWriting(world.telegram, ana);
  expect((await write()).body.ok).toBe(true);
  const { messages = [] } = world.telegram.chats.get(ana) ?? {};
  expect(messages.filter(({ message }) => "write_access_allowed" in message)).toHaveLength(1);
});
