import { expect, test } from "vitest";
import { judgeRefusal, type Verdict } from "./judge-refusal.ts";

const closed = (reason: Extract<Verdict, { type: "closed" }>["reason"]): Verdict => ({
  type: "closed",
  reason,
});
const repair = (by: Extract<Verdict, { type: "repair" }>["by"]): Verdict => ({ type: "repair", by });
const chatFails: Verdict = { type: "failed", scope: "chat" };
const serverFails: Verdict = { ...chatFails, isServerDown: true };
const alertFails: Verdict = { type: "failed", scope: "alert" };

const TABLE: [code: number | undefined, description: string, verdict: Verdict][] = [
  [403, "Forbidden: bot was blocked by the user", closed("blocked")],
  [403, "Forbidden: user is deactivated", closed("deactivated")],
  [403, "Forbidden: bot can't initiate conversation with a user", closed("not-started")],
  [403, "Forbidden: bot was kicked from the group chat", closed("kicked")],
  [403, "Forbidden: bot was kicked from the supergroup chat", closed("kicked")],
  [403, "Forbidden: bot was kicked from the channel chat", closed("kicked")],
  [403, "Forbidden: bot is not a member of the group chat", closed("left")],
  [403, "Forbidden: bot is not a member of the supergroup chat", closed("left")],
  [403, "Forbidden: bot is not a member of the channel chat", closed("left")],
  [403, "Forbidden: the group chat was deleted", closed("deleted")],
  [403, "Forbidden: something new", chatFails],
  [403, "forbidden: bot was blocked by the user, or so", chatFails],
  [400, "Bad Request: chat not found", closed("not-found")],
  [400, "Bad Request: private chat not found", closed("not-found")],
  [400, "Bad Request: PEER_ID_INVALID", closed("not-found")],
  [400, "Bad Request: chat_id is empty", { type: "hopeless" }],
  [400, "Bad Request: chat identifier must be a valid Integer", { type: "hopeless" }],
  [400, "Bad Request: group chat was upgraded to a supergroup chat", chatFails],
  [400, "Bad Request: not enough rights to send text messages to the chat", closed("no-rights")],
  [400, "Bad Request: not enough rights to send photos to the chat", repair("no-picture")],
  [400, "Bad Request: need administrator rights in the channel chat", closed("no-rights")],
  [400, "Bad Request: CHAT_WRITE_FORBIDDEN", closed("no-rights")],
  [400, "Bad Request: TOPIC_CLOSED", closed("no-rights")],
  [400, "Bad Request: message thread not found", closed("no-rights")],
  [400, "Bad Request: can't parse entities: Can't find end tag for b at byte offset 3", repair("plain-text")],
  [400, "Bad Request: message is too long", repair("shorter")],
  [400, "Bad Request: message caption is too long", repair("shorter")],
  [400, "Bad Request: text is too long", repair("shorter")],
  [400, "Bad Request: Wrong HTTP URL specified", repair("no-picture")],
  [400, "Bad Request: wrong HTTP URL specified", repair("no-picture")],
  [400, "Bad Request: failed to get HTTP URL content", repair("no-picture")],
  [400, "Bad Request: wrong type of the web page content", repair("no-picture")],
  [400, "Bad Request: Can't use the media of the specified type in the album", repair("no-picture")],
  [400, "Bad Request: can't upload file by URL", repair("no-picture")],
  [400, "Bad Request: WEBPAGE_CURL_FAILED", repair("no-picture")],
  [400, "Bad Request: IMAGE_PROCESS_FAILED", repair("no-picture")],
  [400, "Bad Request: BUTTON_DATA_INVALID", repair("no-buttons")],
  [400, "Bad Request: BUTTON_URL_INVALID", repair("no-buttons")],
  [400, "Bad Request: reply markup is too long", repair("no-buttons")],
  [
    400,
    "Bad Request: inline keyboard button URL 'http://localhost/' is invalid: Wrong HTTP URL",
    repair("no-buttons"),
  ],
  [400, "Bad Request: message is not modified: specified new message content is the same", { type: "sent" }],
  [400, "Bad Request: message to edit not found", { type: "hopeless" }],
  [400, "Bad Request: message can't be edited", { type: "hopeless" }],
  [400, "Bad Request: MESSAGE_ID_INVALID", { type: "hopeless" }],
  [400, "Bad Request: there is no caption in the message to edit", repair("no-caption")],
  [400, "Bad Request: there is no text in the message to edit", repair("only-caption")],
  [400, "Bad Request: something new", alertFails],
  [400, "", alertFails],
  [401, "Unauthorized", { type: "refused-us" }],
  [401, "Unauthorized: invalid token specified", { type: "refused-us" }],
  [404, "Not Found", { type: "refused-us" }],
  [409, "Conflict: terminated by other getUpdates request", chatFails],
  [429, "Too Many Requests", { type: "flood", retryAfterMs: null }],
  [429, "Too Many Requests: retry after 7", { type: "flood", retryAfterMs: 7000 }],
  [500, "Internal Server Error: restart", serverFails],
  [
    500,
    "Internal Server Error: sent message was immediately deleted and can't be returned",
    { type: "sent" },
  ],
  [502, "Bad Gateway", serverFails],
  [undefined, "", serverFails],
];

test.each(TABLE)("BOT-03 %s %j", (errorCode, description, verdict) => {
  expect(judgeRefusal({ errorCode, description })).toEqual(verdict);
});

test("MANY-02 a message refused by a topic is sent outside of it; other refusals are judged as usual", () => {
  const inTopic = (description: string, errorCode = 400) =>
    judgeRefusal({ errorCode, description: `Bad Request: ${description}` }, { isInTopic: true });
  for (const words of ["TOPIC_CLOSED", "TOPIC_DELETED", "message thread not found"]) {
    expect(inTopic(words)).toEqual(repair("no-topic"));
    expect(inTopic(words, 500)).toEqual(serverFails);
  }
  expect(inTopic("CHAT_WRITE_FORBIDDEN")).toEqual(closed("no-rights"));
});

test("G17 the refusal of an upgraded group contains its new id", () => {
  const description = "Bad Request: group chat was upgraded to a supergroup chat";
  expect(judgeRefusal({ errorCode: 400, description, migrateToChatId: -1_002_200_000_001 })).toEqual({
    type: "moved",
    toChatId: "-1002200000001",
  });
  // Also in other words, but never to a person or a basic group.
  const renamed = { errorCode: 403, description: "Forbidden: it moved", migrateToChatId: -1_002_200_000_001 };
  expect(judgeRefusal(renamed)).toMatchObject({ type: "moved" });
  for (const migrateToChatId of [undefined, 7, -7, 1.5, 1e308, "-100" as unknown as number]) {
    expect(judgeRefusal({ errorCode: 400, description, migrateToChatId })).toEqual(chatFails);
  }
});

test("G18 the seconds to wait are read from the parameters or the description", () => {
  for (const retryAfterSeconds of [1, 35, 3600]) {
    const refusal = { errorCode: 429, description: "Too Many Requests: retry after 9", retryAfterSeconds };
    expect(judgeRefusal(refusal)).toEqual({ type: "flood", retryAfterMs: retryAfterSeconds * 1000 });
  }
});

test("G18 any refusal that says how long to wait is a wait; a wait that cannot be read counts as none", () => {
  const wait = { errorCode: 403, description: "Forbidden: later", retryAfterSeconds: 7200 };
  expect(judgeRefusal(wait)).toEqual({ type: "flood", retryAfterMs: 7_200_000 });
  for (const retryAfterSeconds of [Number.NaN, -1, "5" as unknown as number]) {
    const unread = { errorCode: 429, description: "Too Many Requests", retryAfterSeconds };
    expect(judgeRefusal(unread)).toEqual({ type: "flood", retryAfterMs: null });
  }
});

test("a known text with another error code is not recognised", () => {
  expect(judgeRefusal({ errorCode: 400, description: "Forbidden: bot was blocked by the user" })).toEqual(
    alertFails,
  );
});
