import { afterEach, beforeEach, expect, test } from "vitest";
import type { AlertNews } from "#core/alert/alert.ts";
import {
  startTelegramSimulator,
  type TelegramSimulator,
} from "#simulators/telegram/start-telegram-simulator.ts";
import { listingOf, openChat } from "#test/delivery/delivery-fixture.ts";
import { createTelegramChannel, type TelegramChannelOptions } from "./create-telegram-channel.ts";
import { createPlacePictures } from "./place-picture/place-picture.ts";

let telegram: TelegramSimulator;
let chat: number;

beforeEach(async () => {
  telegram = await startTelegramSimulator({ floodControl: false });
  chat = openChat(telegram, "private");
});

afterEach(() => telegram.close());

function open(options: Partial<TelegramChannelOptions> = {}) {
  const repairs: string[] = [];
  const channel = createTelegramChannel({
    token: telegram.bot.token,
    apiRoot: telegram.url,
    siteUrl: "https://sereno.example",
    onRepair: (repair, error) => void repairs.push(`${repair} ${error}`),
    // A slow machine must not leave out a drawing.
    drawingMs: 60_000,
    ...options,
  });
  const send = (news: AlertNews, chatId = String(chat)) =>
    channel.send({ chatId, userId: "u", language: "en", news: [news], replyTo: null });
  return { channel, send, repairs };
}

const fresh = (pictureUrl: string | null): AlertNews => ({
  kind: "new",
  payload: { listing: listingOf("7", { pictureUrl }) },
});
const messages = () => telegram.chats.get(chat)?.messages.map(({ message }) => message) ?? [];
const refuse = (method: string, description: string, times = 1) =>
  telegram.faults.set({
    kind: "error",
    errorCode: 400,
    method,
    description: `Bad Request: ${description}`,
    times,
  });

test("BOT-02 a listing with a picture is sent as a photo with a caption and buttons", async () => {
  const { send } = open();
  expect(await send(fresh("https://img.example.com/1.jpg"))).toEqual({
    type: "sent",
    messageId: "1",
    includedCount: 1,
  });
  expect(messages()[0]).toMatchObject({
    caption: expect.stringContaining("Trafalgar"),
    reply_markup: { inline_keyboard: [[{ text: "Open on Idealista" }], [{}, {}, {}], [{}]] },
  });
});

test("FIND-04 an optional line that cannot be rendered is left out and reported once", async () => {
  const errors: unknown[] = [];
  const { channel } = open({ onError: (error) => void errors.push(error) });
  // A warning that this version does not know.
  const own = { distances: [], warnings: [{ kind: "unheard-of" }] as never, mark: null, note: null };
  const message = { chatId: String(chat), userId: "u", language: "en", replyTo: null } as const;
  refuse("sendPhoto", "wrong type of the web page content");
  const outcome = await channel.send({
    ...message,
    news: [{ ...fresh("https://img.example.com/7.jpg"), own }],
  });
  expect(outcome.type).toBe("sent");
  expect(messages()[0]?.text).toContain("Flat, Calle de Fuencarral");
  expect(errors).toHaveLength(1);
});

test("G28 without its picture it is sent as text with the page's preview", async () => {
  const { send, repairs } = open();
  telegram.pictures.rule("img.example.com", "not-a-picture");
  await send(fresh("https://img.example.com/1.jpg"));
  expect(messages()[0]).toMatchObject({
    text: expect.stringContaining("Trafalgar"),
    link_preview_options: { url: "https://www.idealista.com/en/inmueble/7/", prefer_large_media: true },
  });
  expect(repairs).toEqual([expect.stringMatching(/^no-picture .*wrong type/)]);
});

const inTrafalgar = (facts: object = {}): AlertNews => ({
  kind: "new",
  payload: {
    listing: listingOf("7", {
      pictureUrl: null,
      neighborhood: "Trafalgar",
      district: "Chamberí",
      municipality: "Madrid",
      ...facts,
    }),
  },
});

test("FIND-02 a listing without a picture is sent with a drawing of its place, and an edit changes the caption", async () => {
  const { channel, send, repairs } = open({ pictureOf: createPlacePictures() });
  await send(inTrafalgar());
  await send(inTrafalgar({ latitude: 40.4331, longitude: -3.7011 }));
  expect(messages().map(({ photo }) => photo?.map(({ width, height }) => [width, height]))).toEqual([
    [[800, 500]],
    [[800, 500]],
  ]);
  expect(messages()[0]).toMatchObject({ caption: expect.stringContaining("Trafalgar"), reply_markup: {} });
  expect(messages()[0]?.photo).not.toEqual(messages()[1]?.photo);
  const news = [inTrafalgar({ priceEur: 999 })];
  const message = { chatId: String(chat), userId: "u", language: "en", news, replyTo: null } as const;
  expect(await channel.edit(message, "1")).toMatchObject({ type: "sent" });
  expect(messages()[0]?.caption).toContain("€999");
  expect(repairs).toEqual([]);
});

test("FIND-02 the alert is sent as text if the place has no map, or the drawing fails, is late or is refused", async () => {
  await open({ pictureOf: createPlacePictures() }).send(
    inTrafalgar({ neighborhood: null, district: null, municipality: "Alicante" }),
  );
  await open({ pictureOf: () => Promise.reject(new Error("no ink")) }).send(inTrafalgar());
  await open({ pictureOf: () => new Promise(() => undefined), drawingMs: 1 }).send(inTrafalgar());
  refuse("sendPhoto", "not enough rights to send photos to the chat");
  await open({ pictureOf: createPlacePictures() }).send(inTrafalgar());
  expect(messages().map(({ text, photo }) => [typeof text, photo])).toEqual(
    Array(4).fill(["string", undefined]),
  );
});

test("a message whose markup is refused is sent once as plain text, with its buttons", async () => {
  const { send } = open();
  refuse("sendMessage", "can't parse entities: Unsupported start tag");
  await send(fresh(null));
  expect(messages()[0]).toMatchObject({ text: expect.stringContaining("€1,250"), reply_markup: {} });
  expect(messages()[0]).not.toHaveProperty("entities");
});

test("several refused parts are left out one after the other", async () => {
  const { send, repairs } = open();
  refuse("sendPhoto", "message caption is too long");
  refuse("sendPhoto", "failed to get HTTP URL content");
  refuse("sendMessage", "can't parse entities");
  refuse("sendMessage", "BUTTON_DATA_INVALID");
  expect(await send(fresh("https://img.example.com/1.jpg"))).toMatchObject({ type: "sent" });
  expect(repairs.map((line) => line.split(" ")[0])).toEqual([
    "shorter",
    "no-picture",
    "plain-text",
    "no-buttons",
  ]);
  expect(messages()[0]).not.toHaveProperty("reply_markup");
});

test("LAST-01 content that Telegram refuses in unknown words is sent in simpler forms, down to a text with its link", async () => {
  const { send, repairs } = open();
  refuse("sendPhoto", "the picture is not to our taste");
  refuse("sendMessage", "SOMETHING_NEW_INVALID", 5);
  expect(await send(fresh("https://img.example.com/1.jpg"))).toMatchObject({ type: "sent" });
  expect(repairs.map((line) => line.split(" ")[0])).toEqual([
    "no-picture",
    "no-references",
    "only-links",
    "plain-text",
    "no-buttons",
    "shorter",
  ]);
  const [message] = messages();
  expect(message).not.toHaveProperty("reply_markup");
  expect(message).not.toHaveProperty("photo");
  expect(message?.text).toContain("https://www.idealista.com/en/inmueble/7/");
});

test("LAST-01 the page's preview is left out before buttons that carry data, and these before the button that opens the advert", async () => {
  const { send } = open();
  refuse("sendMessage", "SOMETHING_NEW_INVALID");
  await send(fresh(null));
  refuse("sendMessage", "SOMETHING_NEW_INVALID", 2);
  await send(fresh(null));
  expect(messages()).toMatchObject([
    { reply_markup: { inline_keyboard: [[{ text: "Open on Idealista" }], [{}, {}, {}], [{}]] } },
    { reply_markup: { inline_keyboard: [[{ text: "Open on Idealista" }]] } },
  ]);
});

test("LAST-01 a message that stays refused in its simplest form fails, without endless retries", async () => {
  const { send } = open();
  refuse("sendMessage", "can't parse entities", 100);
  expect(await send(fresh(null))).toMatchObject({ type: "failed", scope: "alert" });
  expect(telegram.ledger.calls.sendMessage).toBe(7);
});

test("RUN-09 a picture that Telegram answers with 5xx or without a code is left out at once", async () => {
  const { send, repairs } = open();
  for (const errorCode of [500, 502]) {
    telegram.faults.set({
      kind: "error",
      errorCode,
      method: "sendPhoto",
      description: "Internal Server Error",
    });
    expect(await send(fresh("https://img.example.com/1.jpg"))).toMatchObject({ type: "sent" });
  }
  telegram.faults.set({ kind: "not-ok", method: "sendPhoto" });
  expect(await send(fresh("https://img.example.com/1.jpg"))).toMatchObject({ type: "sent" });
  expect(repairs.map((line) => line.split(" ")[0])).toEqual(["no-picture", "no-picture", "no-picture"]);
  expect(messages().map(({ text, photo }) => [typeof text, photo])).toEqual(
    Array(3).fill(["string", undefined]),
  );
  // Without a picture the server's failure is not repaired.
  telegram.faults.set({
    kind: "error",
    errorCode: 500,
    method: "sendMessage",
    description: "Internal Server Error",
  });
  expect(await send(fresh(null))).toMatchObject({ type: "failed", scope: "chat" });
});

test("P18 a payload that cannot be rendered is a failure of that alert", async () => {
  expect(await open().send({ kind: "new", payload: {} as never })).toMatchObject({
    type: "failed",
    scope: "alert",
  });
});

test("a probe distinguishes a refused token from a Telegram that does not answer", async () => {
  const { channel } = open();
  expect(await channel.probe()).toBe("known");
  telegram.faults.set({ kind: "error", errorCode: 429, retryAfter: 5, method: "getMe" });
  telegram.faults.set({ kind: "reset", method: "getMe" });
  expect([await channel.probe(), await channel.probe()]).toEqual(["unknown", "unknown"]);
  telegram.isTokenRevoked = true;
  expect(await channel.probe()).toBe("refused");
});

test("P20 no outcome or repair contains the token, whatever fails", async () => {
  const { token } = telegram.bot;
  const { send, repairs } = open();
  const outcomes = [];
  for (const kind of ["hang", "half"] as const) {
    telegram.faults.set({ kind });
    outcomes.push(await open({ timeoutSeconds: 0.5 }).send(fresh(null)));
  }
  for (const kind of ["reset", "drop", "empty", "html", "not-ok"] as const) telegram.faults.set({ kind });
  telegram.faults.set({
    kind: "error",
    errorCode: 400,
    description: `Bad Request: bot${token} is not welcome`,
  });
  refuse("sendMessage", `can't parse entities in /bot${token}/sendMessage`);
  for (let count = 0; count < 7; count += 1) outcomes.push(await send(fresh(null)));
  outcomes.push(await open({ apiRoot: "http://127.0.0.1:9" }).send(fresh(null)));
  outcomes.push(await open({ apiRoot: "not a url" }).send(fresh(null)));
  telegram.isTokenRevoked = true;
  outcomes.push(await send(fresh(null)));
  const said = JSON.stringify([outcomes, repairs]);
  expect(outcomes.map(({ type }) => type)).toEqual([
    ...["unknown", "unknown", "unknown", "unknown", "unknown", "unknown", "failed", "sent", "sent"],
    ...["unknown", "unknown", "refused-us"],
  ]);
  expect(repairs).toHaveLength(2);
  expect(said).not.toContain(token);
  expect(said).not.toContain(token.split(":")[1]);
});

test("SERV-02 a process that has lost the sender's lock does not send, edit or retry a repaired message", async () => {
  const { channel, send } = open();
  await send(fresh(null));
  const message = {
    chatId: String(chat),
    userId: "u",
    language: "en" as const,
    news: [fresh("https://img.example.com/1.jpg")],
    replyTo: null,
  };
  const superseded = { type: "unknown", error: "another process has taken over sending", isUnsent: true };
  expect(await channel.send(message, () => false)).toEqual(superseded);
  expect(await channel.edit(message, "1", () => false)).toEqual(superseded);
  refuse("sendPhoto", "wrong file identifier/HTTP URL specified");
  const answers = [true, false];
  expect(await channel.send(message, () => answers.shift() ?? false)).toEqual(superseded);
  expect(messages()).toHaveLength(1);
  const { sendMessage, sendPhoto, editMessageText = 0, editMessageCaption = 0 } = telegram.ledger.calls;
  expect([sendMessage, sendPhoto, editMessageText + editMessageCaption]).toEqual([1, 1, 0]);
});
