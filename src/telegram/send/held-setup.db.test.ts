import { afterAll, expect, test } from "vitest";
import { newListing } from "#test/delivery/delivery-fixture.ts";
import { startTwoSearches } from "#test/delivery/two-searches.ts";
import { callAs, proveByMail } from "#test/proven-address.ts";
import { editMessages } from "./edit-messages.ts";
import { expireAlertsOfChat, expirePausedAlerts } from "./rows/alert-states.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const { sql, delivery, close } = await startTwoSearches();
afterAll(close);

const statesOf = async (userId: string) =>
  (await sql`select kind, state from watch.alerts where user_id = ${userId} order by position`).map(
    ({ kind, state }) => `${kind} ${state}`,
  );

test("READ-10: alerts of a held setup wait without expiring, and are sent after the confirmation", async () => {
  const { user, chat } = await delivery.person("private");
  const sender = await delivery.startSender();
  const session = await proveByMail(sql, user);
  await delivery.add(
    newListing(user, chat, "1"),
    newListing(user, chat, "2"),
    { userId: user, chatId: chat, kind: "test", payload: {} },
    { userId: user, chatId: chat, kind: "forwarding-question", payload: { code: "123456789", link: null } },
  );
  await delivery.run(sender, 2 * DAY);
  await sql`update watch.chats set muted_until = 'infinity' where chat_id = ${chat}`;
  await sql`update watch.alerts set held_at = created_at where user_id = ${user} and listing_id is not null`;
  const nowMs = delivery.clock.now();
  await expirePausedAlerts(sql, nowMs);
  await expireAlertsOfChat(sql, String(chat), { failingSinceMs: nowMs - 2 * DAY, beforeMs: nowMs });
  await sql`update watch.chats set muted_until = null where chat_id = ${chat}`;
  expect(delivery.textsIn(chat)).toEqual([]);
  expect(await statesOf(user)).toEqual(
    ["new", "new", "test", "forwarding-question"].map((kind) => `${kind} pending`),
  );
  await callAs(sql, { userId: user, session }, "confirm_my_setup");
  await delivery.run(sender, MINUTE);
  expect(await statesOf(user)).toEqual(["new sent", "new merged", "test sent", "forwarding-question sent"]);
});

test("READ-10: alerts read before the setup was held are neither leased nor sent afterwards", async () => {
  const { user, chat } = await delivery.person("private");
  const sender = await delivery.startSender();
  await delivery.add(newListing(user, chat, "3"));
  await sender.scan(true);
  await proveByMail(sql, user);
  await delivery.run(sender, MINUTE);
  expect([delivery.textsIn(chat), await statesOf(user)]).toEqual([[], ["new pending"]]);
});

test("READ-10: another account's alerts in the same chat are sent as usual", async () => {
  const [held, other] = [await delivery.person("private"), await delivery.person("private")];
  await sql`insert into public.chats (user_id, chat_id, kind, state, confirmed_at)
    values (${other.user}, ${held.chat}, 'private', 'connected', now())`;
  await sql`update public.filter_settings set receiver_ids = receiver_ids || ${String(held.chat)}::text where user_id = ${other.user}`;
  const sender = await delivery.startSender();
  await proveByMail(sql, held.user);
  await delivery.add(newListing(held.user, held.chat, "4"), newListing(other.user, held.chat, "4"));
  await delivery.run(sender, MINUTE);
  expect([await statesOf(held.user), await statesOf(other.user)]).toEqual([["new pending"], ["new sent"]]);
});

test("READ-10: earlier messages show nothing that the account does while it is held", async () => {
  const { user, chat } = await delivery.person("private");
  const sender = await delivery.startSender();
  await delivery.add(newListing(user, chat, "5"));
  await delivery.run(sender, MINUTE);
  await sql`insert into public.listings (listing_id, user_id, details) values ('5', ${user}, '{}')`;
  const session = await proveByMail(sql, user);
  const { now } = delivery.clock;
  await sql`select watch.note_home(${user}, '5', 'Mine alone', ${new Date(now())})`;
  const notes: (string | null | undefined)[] = [];
  const signal = new AbortController().signal;
  const edit = async ({ news }: { news: readonly object[] }) => {
    notes.push(...news.map((one) => ("own" in one ? (one.own as { note: string | null }).note : undefined)));
    return { type: "sent", messageId: "1", includedCount: 1 } as const;
  };
  await editMessages({ sql, now, signal, edit });
  expect(notes).toEqual([]);
  await callAs(sql, { userId: user, session }, "confirm_my_setup");
  await editMessages({ sql, now, signal, edit });
  expect(notes).toEqual(["Mine alone"]);
});
