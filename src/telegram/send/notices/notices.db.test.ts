import { afterAll, beforeAll, expect, test } from "vitest";
import { type OwnDelivery, startOwnDelivery } from "#test/delivery/run-delivery.ts";
import { alertTexts } from "../render/alert-texts.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let delivery: OwnDelivery;

beforeAll(async () => {
  delivery = await startOwnDelivery();
});

afterAll(() => delivery.close());

test("LAST-04 all chats of a person get the day's three notices, the third says that the next one waits, and the fourth does", async () => {
  const { user, chats } = await delivery.person("private", "group");
  const sender = await delivery.startSender();
  const startMs = delivery.clock.now();
  // Gaps hours apart, which nothing groups; and a day later one more.
  for (const hour of [0, 7, 14, 21]) {
    await delivery.run(sender, startMs + hour * HOUR - delivery.clock.now());
    const payload = { fromMs: startMs + (hour - 1) * HOUR, untilMs: startMs + hour * HOUR } as never;
    const gap = { userId: user, kind: "gap", payload, eventKey: `gap ${hour}` } as const;
    await delivery.add(...chats.map((chatId) => ({ ...gap, chatId })));
    await delivery.run(sender, HOUR);
  }
  const limit = alertTexts("en")("lastNoticeOfDay");
  for (const chat of chats) {
    const texts = delivery.textsIn(chat);
    expect(texts.map((text) => text.includes(limit))).toEqual([false, false, true]);
  }
  await delivery.run(sender, 5 * HOUR);
  expect(chats.map((chat) => delivery.textsIn(chat).length)).toEqual([4, 4]);
});
