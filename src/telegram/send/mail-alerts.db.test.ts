import { afterEach, beforeEach, expect, test } from "vitest";
import { mailEvent, receiveMail } from "#test/alert-mails/mail-events.ts";
import { newListing } from "#test/delivery/delivery-fixture.ts";
import { numberedAlert } from "#test/delivery/delivery-processes.ts";
import { type OwnDelivery, startOwnDelivery } from "#test/delivery/run-delivery.ts";

const MINUTE = 60_000;

let sql: OwnDelivery["sql"];
let delivery: OwnDelivery;

beforeEach(async () => {
  delivery = await startOwnDelivery({ floodControl: true });
  sql = delivery.sql;
});

afterEach(() => delivery.close());

const countTo = (count: number) => Array.from({ length: count }, (_, index) => index);

test("MAIL-06 a price drop from a mail replies to the alert from another source; a digest is one message", async () => {
  const { user, chat } = await delivery.person("private");
  await sql`
    insert into public.listings (user_id, listing_id, details) values (${user}, '7', '{"price": 1250}')`;
  await sql`
    insert into watch.told (user_id, listing_id, search_ids, price_eur, told_at)
    values (${user}, '7', '{}', 1250, ${new Date(delivery.clock.now())})`;
  await delivery.add(newListing(user, chat, "7"));
  const sender = await delivery.startSender();
  await delivery.run(sender, MINUTE);
  const receive = (events: Parameters<typeof receiveMail>[1]["events"]) =>
    receiveMail(sql, { userId: user, events, at: delivery.clock.now() });
  await receive([
    mailEvent("7", { event: "cheaper", operation: "rent", priceEur: 1100, formerPriceEur: 1250 }),
  ]);
  await receive([
    mailEvent("fotocasa:1", {
      portal: "fotocasa",
      listingId: "fotocasa:1",
      url: "https://www.fotocasa.es/es/alquiler/vivienda/madrid-capital/piso/1/d",
      operation: "rent",
      priceEur: 990,
      isPrivate: true,
    }),
  ]);
  await delivery.run(sender, MINUTE);
  await receive(countTo(12).map((n) => mailEvent(`70${n}`, { address: [`Calle ${n}.`, "Ibiza", "Madrid"] })));
  await delivery.run(sender, MINUTE);
  const [first, cut, other, ...digest] = delivery.telegram.ledger.accepted;
  expect(cut).toMatchObject({ replyTo: first?.messageId, text: expect.stringContaining("📉") });
  expect(other?.text).toContain("private\u00a0owner");
  expect(digest.map(({ text }) => text.split("\n")[0])).toEqual(["🏮 12 alerts in one message"]);
  for (const n of countTo(12)) expect(digest[0]?.text).toContain(`Calle ${n}.`);
});

test("MAIL-07 a forwarding question is sent before all held alerts, also at night and while muted, and never to a group", async () => {
  const { user, chats } = await delivery.person("private", "group");
  const [chat = 0, group = 0] = chats;
  await sql`update watch.chats set muted_until = ${new Date(delivery.clock.now() + 60 * MINUTE)}`;
  await delivery.add(...countTo(5).map((number) => numberedAlert(user, chat, number)));
  const sender = await delivery.startSender();
  await delivery.run(sender, MINUTE);
  const payload = { code: "123456789", link: "https://mail.google.com/mail/vf-abc" };
  const question = { userId: user, kind: "forwarding-question", payload, eventKey: "123456789" } as const;
  await delivery.add({ ...question, chatId: chat }, { ...question, chatId: group });
  await delivery.run(sender, MINUTE);
  expect(delivery.textsIn(chat)).toEqual([expect.stringContaining("123456789")]);
  await sql`update watch.chats set muted_until = null`;
  await delivery.add({ ...question, chatId: chat, eventKey: "again" });
  await delivery.run(sender, MINUTE);
  expect(delivery.textsIn(chat).map((text) => /^\S+ .{5}/.exec(text)?.[0])).toEqual([
    "✉️ Gmail",
    "✉️ Gmail",
    "🌙 5 ale",
  ]);
  expect(delivery.textsIn(group)).toEqual([]);
});
