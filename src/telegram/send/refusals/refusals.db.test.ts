import { afterEach, beforeEach, expect, test } from "vitest";
import { openDatabase } from "#platform/database/open-database.ts";
import { newListing } from "#test/delivery/delivery-fixture.ts";
import { judge, numberedAlert } from "#test/delivery/delivery-processes.ts";
import { type DeliveryRun, startDeliveryRun } from "#test/delivery/run-delivery.ts";
import { createTestDatabase, type TestDatabase } from "#test/test-database.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

let database: TestDatabase;
let sql: ReturnType<typeof openDatabase>;
let delivery: DeliveryRun;

beforeEach(async () => {
  database = await createTestDatabase();
  sql = openDatabase({ url: database.url, max: 4 });
  delivery = await startDeliveryRun({ sql });
});

afterEach(async () => {
  await delivery.close();
  await sql.end();
  await database.drop();
});

const arrived = () => delivery.telegram.ledger.accepted;
const countTo = (count: number) => Array.from({ length: count }, (_, index) => index);

test("G17 two groups that name each other as the new one are asked no more often than failing ones", async () => {
  const [{ user, chat }, other] = [await delivery.person("supergroup"), await delivery.person("supergroup")];
  await delivery.add(numberedAlert(user, chat, 0));
  const description = "Bad Request: group chat was upgraded to a supergroup chat";
  const moved = { kind: "error", errorCode: 400, description, forMs: 48 * HOUR } as const;
  delivery.telegram.faults.set({ ...moved, chatId: chat, migrateTo: other.chat });
  delivery.telegram.faults.set({ ...moved, chatId: other.chat, migrateTo: chat });
  await delivery.run(await delivery.startSender(), 26 * HOUR);
  expect(delivery.telegram.ledger.calls.sendMessage).toBeLessThan(50);
  expect(await delivery.states()).toEqual(["1 expired"]);
});

test("RUN-09 a 404 that one alert gets stops neither the bot nor its chat", async () => {
  const [one, other] = [await delivery.person("private"), await delivery.person("private")];
  const fault = { errorCode: 404, description: "Not Found: method not found" };
  delivery.telegram.faults.set({ kind: "error", ...fault, text: "número 0.", forMs: 48 * HOUR });
  await delivery.add(...countTo(3).map((number) => numberedAlert(one.user, one.chat, number)));
  await delivery.add(numberedAlert(other.user, other.chat, 3));
  const sender = await delivery.startSender();
  await delivery.run(sender, 10 * SECOND);
  expect(judge(delivery.telegram, 4)).toMatchObject({ lost: 1, duplicates: 0 });
  await delivery.run(sender, 26 * HOUR);
  expect(await delivery.states()).toEqual(["3 sent", "1 undeliverable"]);
});

test("RUN-09 an alert whose picture is refused and whose text meets a 429 each time is sent without the picture", async () => {
  const { user, chat } = await delivery.person("private");
  await delivery.add(newListing(user, chat, "1", { pictureUrl: "https://img.example.com/1.jpg" }));
  const refused = {
    kind: "error",
    errorCode: 400,
    description: "Bad Request: not now",
    method: "sendPhoto",
  } as const;
  delivery.telegram.faults.set({ ...refused, forMs: HOUR });
  delivery.telegram.faults.set({
    kind: "error",
    errorCode: 429,
    retryAfter: 1,
    method: "sendMessage",
    times: 3,
  });
  await delivery.run(await delivery.startSender(), MINUTE);
  expect(arrived().map(({ method }) => method)).toEqual(["sendMessage"]);
});

test("LAST-03 a chat that is only ever told to wait has its alerts expired and shown after a day", async () => {
  const { user, chat } = await delivery.person("private");
  await delivery.add(numberedAlert(user, chat, 1));
  delivery.telegram.faults.set({
    kind: "error",
    errorCode: 429,
    retryAfter: 7200,
    chatId: chat,
    forMs: 48 * HOUR,
  });
  await delivery.run(await delivery.startSender(), 27 * HOUR);
  expect(await delivery.states()).toEqual(["1 expired"]);
  expect(await sql`select failure from watch.alerts`).toEqual([{ failure: "expired" }]);
  expect(delivery.telegram.ledger.calls.sendMessage).toBeLessThan(16);
});
